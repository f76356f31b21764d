package prove

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// gripOfObject reads what a write does to an object in a bucket that serves as a
// lock: it may be created only while it is not there, and is deleted again.
func gripOfObject(e *flow.Event, s *model.Sink) *flow.Grip {
	read := objectLocks[s.Lib]
	if read == nil || e.Recv == nil {
		return nil
	}
	o := read(e, s)
	g := &flow.Grip{Lib: o.lib, Row: o.name, Key: cmp.Or(o.key, term.NewString("object"))}
	switch {
	case o.name == nil:
		return nil
	case o.created:
		g.Kind = flow.Acquire
	case o.removed:
		g.Kind = flow.Release
	default:
		return nil
	}
	if namesLock(o.name) || o.key != nil && namesLock(o.key) {
		g.Signs |= flow.Named
	}
	return g
}

// objectWrite is what a write does to an object, or to a row that is written as a whole.
type objectWrite struct {
	lib              string
	name, key        *term.Term // of the object, or of a table and the row in it
	created, removed bool       // only if it was not there; whatever it holds
}

// objectLocks read the writes of the libraries for which no model says that they lock.
var objectLocks = map[string]func(*flow.Event, *model.Sink) objectWrite{
	"gcs": func(e *flow.Event, s *model.Sink) objectWrite {
		object, absent := objectOf(e.Recv)
		return objectWrite{"gcs-object", object, nil, s.Kind == "stream_close" && absent, s.Method == "Delete"}
	},
	"oss": func(e *flow.Event, s *model.Sink) objectWrite {
		options, _ := elements(e.Args[len(e.Args)-1])
		return objectWrite{"oss-object", e.Args[0], nil, s.Method == "PutObject" && slices.ContainsFunc(options, forbidsOverwrite), s.Method == "DeleteObject"}
	},
	"tablestore": func(e *flow.Event, s *model.Sink) objectWrite {
		if len(s.Cond) != 1 {
			return objectWrite{}
		}
		change := unboxed(fieldNamed(unboxed(term.Settle(e.Args[0])), s.Cond[0]))
		n, _ := wholeNumber(fieldNamed(unboxed(fieldNamed(change, "Condition")), "RowExistenceExpectation"))
		return objectWrite{"tablestore-row", unboxed(fieldNamed(change, "TableName")), otsKey(change), s.Method == "PutRow" && n == otsMustNotExist, s.Method == "DeleteRow"}
	},
	"azblob": azureObject, "azblob-block": azureObject, "azblob-blob": azureObject,
	"minio": func(e *flow.Event, s *model.Sink) objectWrite {
		w := objectWrite{"minio-object", e.Args[2], nil, false, s.Method == "RemoveObject"}
		if s.Method == "PutObject" && s.Input.Index < len(e.Args) {
			except, _ := term.StringValue(unboxed(fieldNamed(unboxed(term.Settle(e.Args[s.Input.Index])), "SetMatchETagExcept")))
			w.created = except == "*"
		}
		return w
	},
}

// azureObject reads a write of a blob: of a client for it, or by its name.
func azureObject(e *flow.Event, s *model.Sink) objectWrite {
	w := objectWrite{lib: "azblob-object", name: e.Recv, removed: strings.HasPrefix(s.Method, "Delete")}
	if s.Key.Root == "arg" && s.Key.Index < len(e.Args) {
		w.name = e.Args[s.Key.Index]
	}
	if s.Input.Root != "arg" || s.Input.Index >= len(e.Args) || !strings.HasPrefix(s.Method, "Upload") {
		return w
	}
	cond := unboxed(fieldNamed(unboxed(term.Settle(e.Args[s.Input.Index])), "AccessConditions"))
	none, _ := term.StringValue(pointee(fieldNamed(unboxed(fieldNamed(cond, "ModifiedAccessConditions")), "IfNoneMatch")))
	w.created = none == "*"
	return w
}

// objectOf is the handle of an object without its conditions, and whether one of
// them demands that it is not there.
func objectOf(t *term.Term) (object *term.Term, absent bool) {
	for t = unboxed(t); t.Kind == term.Call && len(t.Args) > 0; t = unboxed(t.Args[0]) {
		switch lastPart(t.Str) {
		case "If":
			c := fieldNamed(unboxed(t.Args[len(t.Args)-1]), "DoesNotExist")
			absent = absent || c.Kind == term.Const && c.Str == "true"
		case "NewWriter", "Generation", "Key", "Retryer":
		default:
			return t, absent
		}
	}
	return t, absent
}

// gripOfNode reads what a generated builder of ent does to a table that is named
// after locks: it inserts a row, which is refused while one is there, or deletes it.
func gripOfNode(e *flow.Event, s *model.Sink) *flow.Grip {
	if s.Lib != "ent-graph" || len(e.Args) < 3 {
		return nil
	}
	spec := unboxed(term.Settle(e.Args[2]))
	var table *term.Term
	switch {
	case spec.Kind == term.Call && len(spec.Args) > 0:
		table = spec.Args[0]
	case spec.Kind == term.Struct:
		table = fieldNamed(spec, "Table")
	}
	if table == nil {
		return nil
	}
	name, ok := term.StringValue(table)
	if !ok || !flow.SpeaksOfLock(name) {
		return nil
	}
	g := &flow.Grip{Lib: "sql-lease", Row: term.NewString(name), Signs: flow.Named}
	switch s.Method {
	case "CreateNode":
		g.Kind, g.Signs = flow.Acquire, flow.Named|flow.Plain
	case "DeleteNodes":
		g.Kind = flow.Release
	default:
		return nil
	}
	return g
}

// gripOfEntity reads the same from a chain of generated builders.
func gripOfEntity(e *flow.Event, s *model.Sink) *flow.Grip {
	if s.Lib != "ent-generated" || s.Kind != "builder_terminal" || e.Recv == nil {
		return nil
	}
	table := plural(snake(lastPart(entityOf(e.Recv))))
	if !flow.SpeaksOfLock(table) {
		return nil
	}
	g := &flow.Grip{Lib: "sql-lease", Row: term.NewString(table)}
	calls := func(name string) bool {
		return e.Recv.Any(func(u *term.Term) bool {
			rest, ok := strings.CutPrefix(u.Str, entPath+".")
			return ok && u.Kind == term.Call && strings.HasPrefix(rest[strings.IndexByte(rest, '.')+1:], name)
		})
	}
	switch {
	case calls("OnConflict"):
		return nil
	case calls("Create"):
		g.Kind, g.Signs = flow.Acquire, flow.Named|flow.Plain
	case calls("Delete"):
		g.Kind, g.Signs = flow.Release, flow.Named
	default:
		return nil
	}
	return g
}
