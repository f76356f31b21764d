package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Whether what is known of a refusal is used for anything but to print it: code that logs an
// error, or counts the errors and logs their number, tells nobody.

// goesOn reports whether an address, or what is read from it, has a use that is no print.
func goesOn(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		if handsOn(v, r, seen) {
			return true
		}
	}
	return false
}

func handsOn(v ssa.Value, r ssa.Instruction, seen map[ssa.Value]bool) bool {
	switch r := r.(type) {
	case *ssa.DebugRef:
		return false
	case *ssa.Store:
		return r.Addr != v && keptFor(r.Addr, seen)
	case *ssa.FieldAddr:
		return tellingField(deref(r.X.Type()), r.Field) && goesOn(r, seen)
	case *ssa.Field:
		return tellingField(r.X.Type(), r.Field) && goesOn(r, seen)
	case *ssa.UnOp:
		return r.Op == token.ARROW || goesOn(r, seen)
	case *ssa.IndexAddr, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.Slice, *ssa.BinOp, *ssa.Phi, *ssa.Extract:
		return goesOn(r.(ssa.Value), seen)
	case *ssa.MapUpdate:
		return r.Map != v || r.Key == v || r.Value == v // else it is set
	case *ssa.Lookup:
		return goesOn(r, seen)
	case *ssa.If:
		return !onlyPrints(r, seen)
	case *ssa.MakeClosure:
		lit := r.Fn.(*ssa.Function)
		for i, b := range r.Bindings {
			if b == v && goesOn(lit.FreeVars[i], seen) {
				return true
			}
		}
		return false
	case *ssa.Call:
		return callHandsOn(r, seen)
	}
	return true
}

// keptFor reports whether what is stored at an address goes on from there.
func keptFor(addr ssa.Value, seen map[ssa.Value]bool) bool {
	switch a := addr.(type) {
	case *ssa.IndexAddr: // an element of an argument list
		return goesOn(a.X, seen)
	case *ssa.Alloc:
		return goesOn(a, seen)
	case *ssa.FreeVar:
		to, ok := cell(a).(*ssa.Alloc)
		return !ok || goesOn(to, seen)
	}
	return true
}

// tellingField reports whether a field of a record may tell of a refusal: where it has fields
// for an error or a bool, no others do.
func tellingField(record types.Type, i int) bool {
	st, ok := record.Underlying().(*types.Struct)
	if !ok {
		return true
	}
	tells := func(v *types.Var) bool { return isError(v.Type()) || isBoolean(v.Type()) }
	return tells(st.Field(i)) || !slices.ContainsFunc(slices.Collect(st.Fields()), tells)
}

// callHandsOn reports whether a call does more with what it is given than to print it: one
// whose results are not used, or that has none, is a print if it takes anything.
func callHandsOn(c *ssa.Call, seen map[ssa.Value]bool) bool {
	key := callKey(c.Common())
	if strings.HasPrefix(key, atomicPrefix) && strings.HasSuffix(key, ".Store") {
		return false // it is set
	}
	if examines(c.Common()) || strings.HasPrefix(key, atomicPrefix) {
		return goesOn(c, seen)
	}
	g := c.Common().StaticCallee()
	if g == nil || len(g.Blocks) > 0 { // the package's own function does what it does
		return true
	}
	return !c.Common().Signature().Variadic() || goesOn(c, seen)
}

// examines reports whether a call does nothing but give something of what it is handed: the
// length of a list, a longer one, the text of an error.
func examines(c *ssa.CallCommon) bool {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return b.Name() == "len" || b.Name() == "cap" || b.Name() == "append"
	}
	if c.IsInvoke() {
		return c.Method.Name() == "Error" && isError(c.Value.Type())
	}
	key := callKey(c)
	return key == "errors.Is" || key == "errors.As" || key == "errors.Unwrap"
}

// onlyPrints reports whether a branch decides about nothing but what is printed: both ways
// come to the same block, with the same values but for such as are only printed too.
func onlyPrints(in *ssa.If, seen map[ssa.Value]bool) bool {
	from := in.Block()
	within := []*ssa.BasicBlock{from}
	for _, s := range from.Succs {
		if len(s.Preds) == 1 {
			within = append(within, dominated(s)...)
		}
	}
	var meet *ssa.BasicBlock
	for _, b := range within {
		if b != from && slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool { return acts(in, seen) }) {
			return false
		}
		for _, s := range b.Succs {
			if s != from && slices.Contains(within, s) {
				continue
			}
			if meet != nil && meet != s {
				return false
			}
			meet = s
		}
	}
	return meet != nil && !slices.ContainsFunc(meet.Instrs, func(in ssa.Instruction) bool {
		phi, ok := in.(*ssa.Phi)
		return ok && decides(phi, within) && goesOn(phi, seen)
	})
}

// dominated lists the blocks that are only reached by way of b.
func dominated(b *ssa.BasicBlock) []*ssa.BasicBlock {
	out := []*ssa.BasicBlock{b}
	for _, d := range b.Dominees() {
		out = append(out, dominated(d)...)
	}
	return out
}

// decides reports whether the way through some blocks makes out which value a phi has.
func decides(phi *ssa.Phi, within []*ssa.BasicBlock) bool {
	var first ssa.Value
	for i, p := range phi.Block().Preds {
		if !slices.Contains(within, p) {
			continue
		}
		if first != nil && phi.Edges[i] != first {
			return true
		}
		first = phi.Edges[i]
	}
	return false
}

// acts reports whether an instruction does more than to print, or to work out what is printed.
func acts(in ssa.Instruction, seen map[ssa.Value]bool) bool {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.Jump, *ssa.If, *ssa.Phi, *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface,
		*ssa.Alloc, *ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.Index, *ssa.Slice, *ssa.Extract, *ssa.TypeAssert, *ssa.Lookup:
		return false
	case *ssa.UnOp:
		return in.Op == token.ARROW
	case *ssa.Store:
		return keptFor(rootAddr(in.Addr), seen)
	case *ssa.Call:
		return !examines(in.Common()) && !prints(in.Common())
	}
	return true
}

// rootAddr is the variable in which an address lies.
func rootAddr(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		default:
			return addr
		}
	}
}

// isPrinted reports whether a list is that of the arguments of a call that writes into a log.
func isPrinted(list ssa.Value) bool {
	return slices.ContainsFunc(*list.Referrers(), func(r ssa.Instruction) bool {
		all, ok := r.(*ssa.Slice)
		return ok && slices.ContainsFunc(*all.Referrers(), func(u ssa.Instruction) bool {
			c, ok := u.(*ssa.Call)
			return ok && prints(c.Common())
		})
	})
}

// prints reports whether a call writes into a log.
func prints(c *ssa.CallCommon) bool {
	g := c.StaticCallee()
	return g != nil && onlyLooks(c) && !exits(callKey(c)) && !strings.HasPrefix(g.Name(), "Fprint")
}
