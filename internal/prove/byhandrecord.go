package prove

import (
	"reflect"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// A record of a store without conditions of its own serves as a lock where a transaction
// reads it, sees in code that nobody has it any more, and writes it anew: what another
// has written meanwhile refuses the transaction. Some stores can also refuse to create
// what is there.

// gripOfElection tells what a write of client-go's record of an election does to it, in a
// program that holds the election itself.
func (j *judge) gripOfElection(e *flow.Event, s *model.Sink) *flow.Grip {
	if s.Lib != "resourcelock" || e.Recv == nil || s.Value.IsZero() {
		return nil
	}
	g := &flow.Grip{Kind: flow.Acquire, Lib: "k8s-lease", Row: e.Recv, Signs: flow.Named | flow.Owned | flow.TakenOver}
	if record := j.at(s.Value, e); record != nil && isEmptyText(fieldNamed(record, "HolderIdentity")) {
		g.Kind = flow.Release
	}
	return g
}

func isEmptyText(t *term.Term) bool {
	text, ok := term.StringValue(unboxed(t))
	return term.IsZero(t) || ok && text == ""
}

// kept is what a write does to a record.
type kept struct {
	place, key *term.Term // the collection, kind or table, and which record of it
	stores     columns
	creates    bool // refused while it is there
	removes    bool
	in         bool // in a transaction that reads first
}

// gripOfRecord reads what a write does to a record of a place that is named after locks.
func (j *judge) gripOfRecord(e *flow.Event, s *model.Sink) *flow.Grip {
	for _, k := range j.recordsOf(e, s) {
		if k.place == nil || !namesLock(k.place) {
			continue
		}
		g := &flow.Grip{Lib: s.Lib + "-lease", Row: k.place, Key: k.key, Signs: k.stores.signs | flow.Named}
		whole := k.stores.signs&flow.Owned != 0 && k.stores.signs&flow.Expires != 0
		switch {
		case k.removes:
			g.Kind = flow.Release
		case k.creates:
			g.Kind = flow.Acquire
			g.Signs |= flow.Plain
		case whole && keepingName.MatchString(lastPart(plainName(bottomStep(e).Func))):
			g.Kind = flow.Extend
		case whole && k.in:
			g.Kind = flow.Acquire
			g.Signs |= flow.TakenOver
		default:
			continue
		}
		return g
	}
	return nil
}

// recordsOf are the records that a write concerns.
func (j *judge) recordsOf(e *flow.Event, s *model.Sink) []kept {
	switch s.Lib {
	case "firestore", "datastore":
		k := kept{creates: s.Method == "Create", removes: s.Method == "Delete", in: s.Carrier == "tx"}
		ref := e.Recv
		if !s.Key.IsZero() {
			ref = j.at(s.Key, e)
		}
		if k.place, k.key = placeOf(ref); k.place == nil {
			return nil
		}
		if !s.Value.IsZero() {
			j.storedIn(&k.stores, j.at(s.Value, e))
		}
		return []kept{k}
	case spannerLib:
		if s.Input.IsZero() || s.Dialect != "" {
			return nil
		}
		var out []kept
		for _, w := range j.spannerWritings(j.at(s.Input, e)) {
			if w.failed != "" {
				continue
			}
			for _, l := range j.sqlForms(w.statement()) {
				c := columnsOf(l.mutation, l.partial, l.expires)
				out = append(out, kept{
					place: l.resource(), key: l.key(c), stores: *c, in: s.Carrier == "tx",
					creates: l.mutation.Kind == fence.Insert && l.mutation.OnConflict == "nothing", removes: l.mutation.Kind == fence.Delete,
				})
			}
		}
		return out
	}
	return nil
}

// placeOf is the collection or kind that a reference names, and which of its records.
func placeOf(ref *term.Term) (place, key *term.Term) {
	if ref == nil {
		return nil, nil
	}
	ref = unboxed(ref)
	if ref.Kind != term.Call || len(ref.Args) < 2 {
		return nil, nil
	}
	last := ref.Args[len(ref.Args)-1]
	switch ref.Str {
	case "cloud.google.com/go/firestore.CollectionRef.Doc":
		if c := unboxed(ref.Args[0]); c.Kind == term.Call && len(c.Args) > 1 {
			return c.Args[len(c.Args)-1], last
		}
		return ref.Args[0], last
	case "cloud.google.com/go/firestore.Client.Doc":
		return last, term.NewString("document")
	case "cloud.google.com/go/datastore.NameKey", "cloud.google.com/go/datastore.IDKey":
		return ref.Args[0], ref.Args[1]
	}
	return nil, nil
}

// storedIn notes the fields of a record or a map.
func (j *judge) storedIn(c *columns, value *term.Term) {
	if value == nil {
		return
	}
	if t := unboxed(term.Settle(value)); t.Kind == term.Struct && t.Str == "map" {
		for _, e := range sortedEntries(&writing{}, t) {
			c.stores(fence.Assign{Column: e.key})
		}
		return
	}
	cs, _ := j.columns(value, func(field string, _ reflect.StructTag) (string, bool) { return snake(field), false })
	for _, col := range cs {
		c.stores(fence.Assign{Column: col.name})
	}
}
