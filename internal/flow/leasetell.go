package flow

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// maxTell bounds how deep a call is looked into for something that tells.
const maxTell = 4

// tells reports whether an instruction tells other code that something ended: it
// cancels a context or closes or sends on a channel that somebody else looks at,
// sets a flag, ends the process, or calls a function that does.
func (f *fn) tells(in ssa.Instruction, depth int) bool {
	switch in := in.(type) {
	case *ssa.Send:
		return f.noticed(in.Chan)
	case *ssa.Select:
		for _, st := range in.States {
			if st.Dir == types.SendOnly && f.noticed(st.Chan) {
				return true
			}
		}
	case *ssa.Store:
		return isFlag(in)
	case ssa.CallInstruction:
		return f.tellingCall(in, depth)
	}
	return false
}

// isFlag reports whether a store sets a variable that other code can read: a
// captured bool or error, or such a field.
func isFlag(st *ssa.Store) bool {
	switch st.Addr.(type) {
	case *ssa.FreeVar, *ssa.FieldAddr, *ssa.Global:
		return isError(st.Val.Type()) || isBoolean(st.Val.Type())
	}
	return false
}

func (f *fn) tellingCall(c ssa.CallInstruction, depth int) bool {
	common := c.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return b.Name() == "close" && f.noticed(common.Args[0])
	}
	if isCancel(common.Value.Type()) {
		return f.cancels(common.Value)
	}
	key := callKey(common)
	if exits(key) || stores[key[strings.LastIndexByte(key, '.')+1:]] && strings.HasPrefix(key, "sync/atomic.") {
		return true
	}
	if common.IsInvoke() {
		return stopWord(common.Method.Name())
	}
	callee := common.StaticCallee()
	if callee == nil {
		return !printsLike(common.Signature())
	}
	return f.calleeTells(origin(callee), depth)
}

func (f *fn) calleeTells(callee *ssa.Function, depth int) bool {
	if callee.Blocks == nil || f.a.byID[f.a.known.id(callee)] == nil {
		return !(callee.Pkg != nil && endsNothing[callee.Pkg.Pkg.Path()]) && stopWord(callee.Name())
	}
	if depth >= maxTell {
		return false
	}
	inner := f.a.function(callee)
	for _, b := range callee.Blocks {
		for _, in := range b.Instrs {
			if inner.tells(in, depth+1) {
				return true
			}
		}
	}
	return false
}

// endsNothing are the packages whose functions end no work, whatever their names say: a
// ticker that is stopped, a context that another cannot cancel.
var endsNothing = set("time", "context", "os/signal", "fmt", "errors", "log/slog")

var stores = set("Store", "Swap", "CompareAndSwap", "StoreInt32", "StoreInt64", "StoreUint32", "StoreUint64")

func isCancel(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "context" {
		return false
	}
	return n.Obj().Name() == "CancelFunc" || n.Obj().Name() == "CancelCauseFunc"
}

// stopWord reports whether a name says that the function ends something. Names
// are all there is of functions that are not seen.
func stopWord(name string) bool {
	name = strings.ToLower(name)
	for _, w := range [...]string{"cancel", "stop", "abort", "kill", "lost", "shutdown", "terminate", "exit", "notify", "interrupt", "fatal", "panic", "demote", "stepdown", "resign", "quit", "fail", "revoke"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// printsLike reports whether a function value takes what a logger takes.
func printsLike(sig *types.Signature) bool {
	if !sig.Variadic() {
		return false
	}
	last := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	i, ok := last.Elem().Underlying().(*types.Interface)
	return ok && i.Empty()
}

// cancels reports whether a cancel function ends a context that other code than
// the one that cancels looks at.
func (f *fn) cancels(v ssa.Value) bool {
	ex, ok := source(v).(*ssa.Extract)
	if !ok {
		return true // a field or parameter: whose it is cannot be seen
	}
	call, ok := ex.Tuple.(*ssa.Call)
	if !ok {
		return true
	}
	for _, r := range *call.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == 0 {
			return usedOutside(x, f.f, make(map[ssa.Value]bool))
		}
	}
	return false
}

// noticed reports whether other code than f receives from a channel.
func (f *fn) noticed(ch ssa.Value) bool {
	root := source(ch)
	if _, ok := root.(*ssa.MakeChan); !ok {
		return true
	}
	return usedOutside(root, f.f, make(map[ssa.Value]bool))
}

// source follows a value back through variables and captures to what made it.
func source(v ssa.Value) ssa.Value {
	for range 20 {
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return v
			}
			st := onlyStore(cell(x.X))
			if st == nil {
				return v
			}
			v = st.Val
		case *ssa.ChangeType:
			v = x.X
		case *ssa.FreeVar:
			b := binding(x)
			if b == nil {
				return v
			}
			v = b
		default:
			return v
		}
	}
	return v
}

// cell is the variable behind an address, over captures.
func cell(addr ssa.Value) ssa.Value {
	for range 20 {
		fv, ok := addr.(*ssa.FreeVar)
		if !ok {
			return addr
		}
		b := binding(fv)
		if b == nil {
			return addr
		}
		addr = b
	}
	return addr
}

// binding is what the enclosing function puts into a captured variable.
func binding(fv *ssa.FreeVar) ssa.Value {
	fn := fv.Parent()
	if fn.Parent() == nil {
		return nil
	}
	n := -1
	for i, v := range fn.FreeVars {
		if v == fv {
			n = i
		}
	}
	for _, b := range fn.Parent().Blocks {
		for _, in := range b.Instrs {
			if m, ok := in.(*ssa.MakeClosure); ok && m.Fn == fn && n >= 0 {
				return m.Bindings[n]
			}
		}
	}
	return nil
}

func onlyStore(addr ssa.Value) *ssa.Store {
	al, ok := addr.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var found *ssa.Store
	for _, r := range *al.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == al {
			if found != nil {
				return nil
			}
			found = st
		}
	}
	return found
}

// usedOutside reports whether a channel or context is looked at by other code
// than the literal in: received from, waited for, handed on. For a function that
// is no literal each such use counts.
func usedOutside(v ssa.Value, in *ssa.Function, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		if useOutside(v, r, in, seen) {
			return true
		}
	}
	return false
}

func useOutside(v ssa.Value, r ssa.Instruction, in *ssa.Function, seen map[ssa.Value]bool) bool {
	outside := in.Parent() == nil || !within(r.Parent(), in)
	switch r := r.(type) {
	case *ssa.Store:
		if r.Addr == v {
			return false
		}
		if al, ok := r.Addr.(*ssa.Alloc); ok {
			return usedOutside(al, in, seen)
		}
		return true
	case *ssa.MakeClosure:
		lit := r.Fn.(*ssa.Function)
		for i, b := range r.Bindings {
			if b == v && usedOutside(lit.FreeVars[i], in, seen) {
				return true
			}
		}
		return false
	case *ssa.UnOp:
		if r.Op == token.ARROW {
			return outside
		}
		return usedOutside(r, in, seen)
	case *ssa.Select:
		for _, st := range r.States {
			if st.Chan == v && st.Dir == types.RecvOnly {
				return outside
			}
		}
		return false
	case *ssa.ChangeType:
		return usedOutside(r, in, seen)
	case *ssa.Send:
		return r.X == v
	case ssa.CallInstruction:
		if b, ok := r.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
			return false
		}
		return outside
	case *ssa.DebugRef, *ssa.BinOp:
		return false
	}
	return outside
}

// within reports whether a function is in, or is written inside it.
func within(f, in *ssa.Function) bool {
	for ; f != nil; f = f.Parent() {
		if f == in {
			return true
		}
	}
	return false
}
