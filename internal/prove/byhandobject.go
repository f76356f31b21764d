package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// gripOfObject reads what a write does to an object in a bucket that serves as a
// lock: it may be created only while it is not there, and is deleted again.
func gripOfObject(e *flow.Event, s *model.Sink) *flow.Grip {
	if s.Lib != "gcs" || e.Recv == nil {
		return nil
	}
	object, absent := objectOf(e.Recv)
	g := &flow.Grip{Lib: "gcs-object", Row: object, Key: term.NewString("object")}
	if namesLock(object) {
		g.Signs |= flow.Named
	}
	switch {
	case s.Kind == "stream_close" && absent:
		g.Kind = flow.Acquire
	case s.Method == "Delete":
		g.Kind = flow.Release
	default:
		return nil
	}
	return g
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
