package flow

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Which returns of a function tell of an error, as far as its text shows: what was done on
// the ways to all others is done when the function says nothing.

// onEachWay reports whether an instruction runs before each return of its function that
// does not surely tell of an error.
func onEachWay(in ssa.Instruction, f *ssa.Function) bool {
	for _, b := range f.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !in.Block().Dominates(b) && !tellsError(r) && (b != f.Recover || recovers(f)) {
			return false
		}
	}
	return true
}

func tellsError(r *ssa.Return) bool {
	return slices.ContainsFunc(r.Results, func(v ssa.Value) bool { return isError(v.Type()) && isFailure(v, r, 0) })
}

// maxWrapped bounds how often an error may be merged or wrapped.
const maxWrapped = 4

// isFailure reports whether a value is an error, and not nil, where an instruction runs.
func isFailure(v ssa.Value, at ssa.Instruction, depth int) bool {
	if depth > maxWrapped {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		return !v.IsNil()
	case *ssa.MakeInterface:
		return true
	case *ssa.ChangeInterface:
		return isFailure(v.X, at, depth+1)
	case *ssa.Phi:
		for i, e := range v.Edges {
			from := v.Block().Preds[i]
			if !isFailure(e, from.Instrs[len(from.Instrs)-1], depth+1) {
				return foundFailed(v, at)
			}
		}
		return true
	case *ssa.UnOp:
		return isFailureAt(v, at, depth)
	case *ssa.Call:
		if errorMakers[callKey(v.Common())] || wrapsFailure(v, at, depth) || failsAlways(v.Call.StaticCallee(), depth+1) {
			return true
		}
	}
	return foundFailed(v, at)
}

// errorMakers give an error whatever they are given, or where code gives back what they do.
var errorMakers = set(
	"errors.New", "fmt.Errorf", "context.Context.Err", "context.Cause", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf",
	"golang.org/x/xerrors.New", "golang.org/x/xerrors.Errorf", "google.golang.org/grpc/status.Error", "google.golang.org/grpc/status.Errorf",
)

// failsAlways reports whether a function in sight ends with an error, whatever it is given.
func failsAlways(f *ssa.Function, depth int) bool {
	if f == nil || len(f.Blocks) == 0 {
		return false
	}
	for _, b := range f.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if ok && !slices.ContainsFunc(r.Results, func(v ssa.Value) bool { return isError(v.Type()) && isFailure(v, r, depth) }) {
			return false
		}
	}
	return true
}

// mayBeNil reports whether an error is what a call gave back that is known to give back none,
// too, and nobody has looked at it: one that the package does itself, or the standard library.
func mayBeNil(v ssa.Value, at ssa.Instruction) bool {
	c, ok := v.(*ssa.Call)
	if !ok || isFailure(v, at, 0) {
		return false
	}
	f := c.Call.StaticCallee()
	if f == nil {
		return false
	}
	if len(f.Blocks) == 0 {
		own := at.Parent().Pkg
		return f.Pkg != nil && own != nil && standard(f.Pkg.Pkg.Path()) && !sameHouse(f.Pkg.Pkg.Path(), own.Pkg.Path())
	}
	for _, b := range f.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(r.Results) == 1 && isNilConst(r.Results[0]) {
			return true
		}
	}
	return false
}

// standard reports whether an import path looks like that of a package of the standard library.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// wrapsFailure reports whether a call is given an error that is one: what it makes of that
// is one too.
func wrapsFailure(c *ssa.Call, at ssa.Instruction, depth int) bool {
	return slices.ContainsFunc(c.Call.Args, func(a ssa.Value) bool { return isError(a.Type()) && isFailure(a, at, depth+1) })
}

// isFailureAt is isFailure for what is in a variable: a package's own errors are set once.
func isFailureAt(load *ssa.UnOp, at ssa.Instruction, depth int) bool {
	if load.Op != token.MUL {
		return foundFailed(load, at)
	}
	if _, ok := load.X.(*ssa.Global); ok {
		return true
	}
	if st := storedBefore(load); st != nil {
		return isFailure(st.Val, at, depth+1)
	}
	return foundFailed(load, at)
}

// storedBefore is the last assignment to a variable in the block in which it is read, nil if
// there is none.
func storedBefore(load *ssa.UnOp) *ssa.Store {
	b := load.Block()
	for i := slices.Index(b.Instrs, ssa.Instruction(load)) - 1; i >= 0; i-- {
		if st, ok := b.Instrs[i].(*ssa.Store); ok && st.Addr == load.X {
			return st
		}
	}
	return nil
}

// foundFailed reports whether an instruction runs only where an error was compared with nil
// before, or with another error.
func foundFailed(v ssa.Value, at ssa.Instruction) bool {
	for b := at.Block(); b.Idom() != nil; b = b.Idom() {
		from := b.Idom()
		test, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 || b.Preds[0] != from {
			continue
		}
		if found, is := foundBy(test.Cond, v); is && from.Succs[0] == b == found {
			return true
		}
	}
	return false
}

// foundBy reports which answer to a condition says that a value is an error.
func foundBy(cond ssa.Value, v ssa.Value) (answer, is bool) {
	switch c := cond.(type) {
	case *ssa.BinOp:
		if isNilConst(c.X) && sameVariable(c.Y, v) || isNilConst(c.Y) && sameVariable(c.X, v) {
			return c.Op == token.NEQ, c.Op == token.NEQ || c.Op == token.EQL
		}
	case *ssa.Call:
		key := callKey(c.Common())
		return true, (key == "errors.Is" || key == "errors.As") && sameVariable(c.Call.Args[0], v)
	case *ssa.UnOp:
		if c.Op == token.NOT {
			answer, is = foundBy(c.X, v)
			return !answer, is
		}
	}
	return false, false
}

// sameVariable reports whether two values are one, or were read from one variable.
func sameVariable(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok1 := a.(*ssa.UnOp)
	y, ok2 := b.(*ssa.UnOp)
	return ok1 && ok2 && x.Op == token.MUL && y.Op == token.MUL && x.X == y.X
}
