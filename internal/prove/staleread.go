package prove

import (
	"go/token"
	"slices"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// staleCall finds the call of a store without SQL by which the value was read, before the
// lock was taken, that decides about a write to what was read; nil if there is none, or if
// it is read again.
func (j *judge) staleCall(p *pair) (*term.Term, token.Pos) {
	c := j.models.FuncKey(p.w.Key)
	if c == nil || c.Sink == nil || c.Sink.Dialect == "sql" || p.w.Decl != nil || p.w.Recv == nil {
		return nil, token.NoPos
	}
	var stale *term.Term
	var at token.Pos
	again := false
	look := func(t *term.Term) {
		t.Any(func(u *term.Term) bool {
			if u.Kind != term.Call || !j.readsSame(p, c.Sink, u) {
				return false
			}
			if pos, ok := j.a.CallPos(u.Site); ok && pos < p.acq.Chain[0].Pos {
				stale, at = u, pos
			} else {
				again = true
			}
			return false
		})
	}
	for _, cond := range p.w.Conds {
		look(cond.Term)
	}
	for _, a := range p.w.Args {
		look(a)
	}
	if again {
		return nil, token.NoPos
	}
	return stale, at
}

// readsSame reports whether a call reads the key, or the collection, that a write changes.
func (j *judge) readsSame(p *pair, s *model.Sink, call *term.Term) bool {
	m := j.models.FuncKey(call.Str)
	if m == nil || m.Sink == nil || m.Sink.Boundary != "read" || m.Sink.Lib != s.Lib || len(call.Args) == 0 {
		return false
	}
	if i := m.Sink.Key.Index + 1; m.Sink.Key.Root == "arg" && i < len(call.Args) {
		key := j.at(s.Key, p.w)
		return key != nil && !vague(key) && call.Args[i].Equal(key)
	}
	switch {
	case s.Dialect == "mongo-filter":
		return j.sameCollection(call.Args[0], p.w.Recv)
	case s.Input.Root == "arg" && m.Sink.Input.Root == "arg" && s.Input.Index < len(p.w.Args) && m.Sink.Input.Index+1 < len(call.Args):
		return j.sameItem(call.Args[m.Sink.Input.Index+1], p.w.Args[s.Input.Index])
	}
	return false
}

// sameCollection reports whether two collections are one: that of the same name, or the
// same value.
func (j *judge) sameCollection(a, b *term.Term) bool {
	if a, b = unboxed(a), unboxed(b); a.Equal(b) {
		return !vague(a)
	}
	name := j.collection(a)
	return name != "?" && name == j.collection(b)
}

// sameItem reports whether two requests name the same item of the same table.
func (j *judge) sameItem(a, b *term.Term) bool {
	a, b = term.Settle(unboxed(a)), term.Settle(unboxed(b))
	table := pointee(fieldNamed(a, "TableName"))
	if vague(table) || term.IsZero(table) || !table.Equal(pointee(fieldNamed(b, "TableName"))) {
		return false
	}
	xs, some := j.mapOrNil(fieldNamed(a, "Key"))
	ys, all := j.mapOrNil(fieldNamed(b, "Key"))
	return some && all && len(xs) > 0 && slices.EqualFunc(xs, ys, sameAttribute)
}

func sameAttribute(a, b entry) bool {
	x, _ := attribute(a.value)
	y, _ := attribute(b.value)
	return a.key == b.key && !vague(x) && x.Equal(y)
}
