package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// Some programs keep the name of the holder, as the coordinator told it, and compare it
// with their own: where the two are equal they believe that they hold the lock.

// namesHolder is what a function returns that gives the name of the holder.
const namesHolder = "s"

// holderWords are the names of methods that give it.
var holderWords = pattern.New(`(?i)leader|primary|master|owner|holder`)

// holder is the carrier of a place that keeps what a library told about the holder.
func (r *running) holder(root string, ms []mark) *Carrier {
	if b, ok := ms[0].typ.Underlying().(*types.Basic); !ok || b.Kind() != types.String {
		return nil
	}
	c := &Carrier{Name: root, names: true}
	for _, m := range ms {
		if m.val == nil {
			continue
		}
		if lib := r.a.observed(m); lib != "" {
			for _, f := range r.a.order {
				for _, e := range f.sum.Events {
					if e.Kind == Acquire && e.src == nil && e.Belief == nil && e.Lib == lib && !f.inTest() {
						c.add([]*Event{e})
					}
				}
			}
		}
	}
	if len(c.Acqs) == 0 {
		return nil
	}
	return c
}

// observed names the library that told who holds the lock, "" if the value comes from
// elsewhere.
func (a *Analysis) observed(m mark) string {
	f := a.function(m.in.Parent())
	lib := ""
	f.value(m.val).Any(func(t *term.Term) bool {
		if t.Kind != term.Call {
			return false
		}
		c := a.known.byKey(t.Str)
		if c == nil {
			return false
		}
		for _, l := range c.Locks {
			if l.Role == model.RoleCheck || l.Role == model.RoleLost {
				lib = l.Lib
			}
		}
		return lib != ""
	})
	if q, ok := m.val.(*ssa.Parameter); ok && lib == "" {
		for _, x := range a.registrations("k8s.io/client-go/tools/leaderelection.", ".OnNewLeader") {
			for _, lit := range a.literals(x.fn.value(x.val)) {
				if lit == q.Parent() {
					return "leaderelection"
				}
			}
		}
	}
	return lib
}

// holderName is the value that names the holder, if that is what the event asks for.
func (f *fn) holderName(a *Event) ssa.Value {
	if q := a.site.asks; q != nil {
		if q.name {
			return q.at.(ssa.Value)
		}
		return nil
	}
	c, ok := a.site.call.(*ssa.Call)
	if !ok || !isString(c.Type()) {
		return nil
	}
	if a.src != nil {
		if a.src.Hold.Success == namesHolder {
			return c
		}
		return nil
	}
	if a.Kind == May && holderWords.MatchString(a.Dyn.Method) {
		return c
	}
	return nil
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

// believeName marks what runs where the name of the holder is equal to another, and notes
// that the function gives it to its caller.
func (f *fn) believeName(a *Event, v ssa.Value) {
	a.Hold.Success, a.Hold.Escapes = "", false
	for _, r := range usesOf(v) {
		switch r := r.(type) {
		case *ssa.Return:
			if len(r.Results) == 1 {
				a.Hold.Success, a.Hold.Escapes = namesHolder, true
			}
		case *ssa.BinOp:
			if (r.Op == token.EQL || r.Op == token.NEQ) && !isConst(r.X) && !isConst(r.Y) {
				same := r.Op == token.EQL
				f.believeAnswer(a, &question{at: r, index: -1, yes: []abs{boolean(same)}, no: []abs{boolean(!same)}})
			}
		}
	}
}

// usesOf lists what uses a value, over variables that it is kept in until the function
// returns.
func usesOf(v ssa.Value) []ssa.Instruction {
	var out []ssa.Instruction
	for _, r := range *v.Referrers() {
		out = append(out, r)
		st, ok := r.(*ssa.Store)
		if !ok || onlyStore(st.Addr) != st {
			continue
		}
		for _, u := range *st.Addr.Referrers() {
			if load, ok := u.(*ssa.UnOp); ok {
				out = append(out, *load.Referrers()...)
			}
		}
	}
	return out
}

func isConst(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}
