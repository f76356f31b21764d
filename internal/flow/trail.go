package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// trail follows a value back to what keeps it, or to where it is made, through
// parameters and captured variables.
type trail struct {
	a      *Analysis
	keys   []string // names of variables, fields and local containers
	leaves []put    // where values are made
	open   bool     // some of it lies in code that is not seen
	seen   map[ssa.Value]bool
}

// maxTrail bounds the values looked at; what lies beyond is not seen.
const maxTrail = 60

func (t *trail) enter(v ssa.Value) bool {
	if t.seen[v] {
		return false
	}
	if len(t.seen) >= maxTrail {
		t.open = true
		return false
	}
	if t.seen == nil {
		t.seen = make(map[ssa.Value]bool)
	}
	t.seen[v] = true
	return true
}

func (t *trail) key(name string, exported bool) {
	if !slices.Contains(t.keys, name) {
		t.keys = append(t.keys, name)
	}
	t.open = t.open || exported && t.a.Pkg.Name() != "main"
}

// keepers finds the names of what keeps a value, or a map, list or channel.
func (t *trail) keepers(v ssa.Value) {
	if !t.enter(v) {
		return
	}
	if x := whole(v); x != nil {
		t.keepers(x)
		return
	}
	switch v := v.(type) {
	case *ssa.Global:
		t.key(v.Pkg.Pkg.Path()+"."+v.Name(), token.IsExported(v.Name()))
	case *ssa.FieldAddr:
		t.field(v.X.Type(), v.Field)
	case *ssa.Field:
		t.field(v.X.Type(), v.Field)
	case *ssa.Phi:
		t.joined(v)
	case *ssa.Parameter:
		t.through(v, func(arg ssa.Value, _ ssa.Instruction) { t.keepers(arg) })
	case *ssa.FreeVar:
		t.captured(v, t.keepers)
	case *ssa.Call:
		t.result(v, 0)
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice:
		t.made(v, v)
	}
}

// joined goes on with the values that meet; a list that a loop makes longer is named
// by the place where they do.
func (t *trail) joined(v *ssa.Phi) {
	n := len(t.keys)
	for _, e := range v.Edges {
		t.keepers(e)
	}
	if _, list := v.Type().Underlying().(*types.Slice); list && len(t.keys) == n {
		t.key("local "+t.a.function(v.Parent()).siteOf(v), false)
	}
}

// whole is what an element, a part or another view of a value belongs to.
func whole(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.X
	case *ssa.IndexAddr:
		return v.X
	case *ssa.Index:
		return v.X
	case *ssa.Lookup:
		return v.X
	case *ssa.Slice:
		return v.X
	case *ssa.Range:
		return v.X
	case *ssa.Next:
		return v.Iter
	case *ssa.ChangeType:
		return v.X
	case *ssa.MakeInterface:
		return v.X
	case *ssa.TypeAssert:
		return v.X
	case *ssa.Extract:
		if _, call := v.Tuple.(*ssa.Call); !call || v.Index == 0 {
			return v.Tuple
		}
	}
	return nil
}

func (t *trail) field(typ types.Type, i int) {
	name := fieldName(typ, i)
	t.key(name, token.IsExported(name[strings.LastIndexByte(name, '.')+1:]))
}

// result goes on with what a call hands out: an element of its receiver, a list
// with more elements, or what the called function returns.
func (t *trail) result(c *ssa.Call, n int) {
	common := c.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			for _, arg := range common.Args {
				t.keepers(arg)
			}
		}
		return
	}
	if givers[callKey(common)] && !common.IsInvoke() {
		t.keepers(common.Args[0])
		return
	}
	callee := common.StaticCallee()
	if callee == nil {
		return
	}
	for _, b := range origin(callee).Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && n < len(r.Results) {
			t.keepers(r.Results[n])
		}
	}
}

// made names a container by the variable or field that it is stored in, or by itself
// if it stays local.
func (t *trail) made(root, v ssa.Value) {
	stored := false
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == v {
				stored = true
				t.keepers(r.Addr)
			}
		case *ssa.Slice:
			stored = true
			if t.enter(r) {
				t.made(root, r)
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && v != root {
				stored = true
				if t.enter(r) {
					t.keepers(r.Call.Args[0])
					t.made(root, r)
				}
			}
		}
	}
	if in, ok := root.(ssa.Instruction); ok && !stored && v == root {
		t.key("local "+t.a.function(in.Parent()).siteOf(in), false)
	}
}

// through goes on with the arguments that the callers of a function give for a
// parameter.
func (t *trail) through(p *ssa.Parameter, next func(ssa.Value, ssa.Instruction)) {
	f := p.Parent()
	i := slices.Index(f.Params, p)
	callers := t.a.callersOf(f)
	if obj, ok := f.Object().(*types.Func); ok && obj.Exported() && t.a.Pkg.Name() != "main" || len(callers) == 0 {
		t.open = true
	}
	for _, c := range callers {
		if args := c.Common().Args; i >= 0 && i < len(args) {
			next(args[i], c)
		}
	}
}

// captured goes on with the variable that a literal captured.
func (t *trail) captured(v *ssa.FreeVar, next func(ssa.Value)) {
	lit := v.Parent()
	i := slices.Index(lit.FreeVars, v)
	if lit.Parent() == nil || i < 0 {
		t.open = true
		return
	}
	for _, b := range lit.Parent().Blocks {
		for _, in := range b.Instrs {
			if m, ok := in.(*ssa.MakeClosure); ok && m.Fn == lit {
				next(m.Bindings[i])
			}
		}
	}
}

// values finds where a function value is made.
func (t *trail) values(v ssa.Value, at ssa.Instruction) {
	if !t.enter(v) {
		return
	}
	switch x := v.(type) {
	case *ssa.Parameter:
		t.through(x, t.values)
		return
	case *ssa.ChangeType:
		t.values(x.X, at)
		return
	case *ssa.Phi:
		for _, e := range x.Edges {
			t.values(e, at)
		}
		return
	case *ssa.FreeVar:
		t.captured(x, func(b ssa.Value) { t.values(b, at) })
		return
	case *ssa.UnOp:
		switch x.X.(type) {
		case *ssa.FreeVar, *ssa.Alloc:
			t.values(x.X, at)
			return
		}
	case *ssa.Alloc:
		for _, r := range *x.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == x {
				t.values(st.Val, at)
			}
		}
		return
	}
	if len(t.leaves) == 0 || t.leaves[len(t.leaves)-1].val != v {
		t.leaves = append(t.leaves, put{at: at, val: v})
	}
}

// callersOf lists the calls of a function in the package.
func (a *Analysis) callersOf(f *ssa.Function) []ssa.CallInstruction {
	if a.callers == nil {
		a.callers = make(map[*ssa.Function][]ssa.CallInstruction)
		for _, x := range a.indexed {
			for _, b := range x.Blocks {
				for _, in := range b.Instrs {
					if c, ok := in.(ssa.CallInstruction); ok {
						if callee := c.Common().StaticCallee(); callee != nil {
							callee = origin(callee)
							a.callers[callee] = append(a.callers[callee], c)
						}
					}
				}
			}
		}
	}
	return a.callers[f]
}
