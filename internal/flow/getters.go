package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// withoutReceiver reports whether a block is reached only where the receiver is nil, or a
// part of it, or not of the type that is asked for: a getter answers then for a value that
// is not there. Whether it is there the value itself tells.
func (f *fn) withoutReceiver(b *ssa.BasicBlock) bool {
	if f.f.Signature.Recv() == nil || len(b.Preds) == 0 {
		return false
	}
	for _, from := range b.Preds {
		cond, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok || from.Succs[0] == from.Succs[1] || !f.missing(cond.Cond, from.Succs[0] == b) {
			return false
		}
	}
	return true
}

// missing reports whether a condition, as it turned out, says that the receiver or a part of
// it is not there.
func (f *fn) missing(cond ssa.Value, holds bool) bool {
	switch c := cond.(type) {
	case *ssa.BinOp:
		return isNilConst(c.Y) && f.ofReceiver(c.X) && (c.Op == token.EQL && holds || c.Op == token.NEQ && !holds)
	case *ssa.Extract:
		is, ok := c.Tuple.(*ssa.TypeAssert)
		return ok && c.Index == 1 && !holds && f.ofReceiver(is.X)
	case *ssa.UnOp:
		return c.Op == token.NOT && f.missing(c.X, !holds)
	}
	return false
}

// ofReceiver reports whether a value is the receiver, a part of it, or what another getter
// gives of it.
func (f *fn) ofReceiver(v ssa.Value) bool {
	if p, ok := v.(*ssa.Parameter); ok {
		return p == f.f.Params[0]
	}
	sig := f.f.Signature // an empty text may stand for a condition that is left out
	return sig.Params().Len() == 0 && isNumber(sig.Results().At(0).Type()) && f.partOfReceiver(v)
}

func (f *fn) partOfReceiver(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL && f.ofReceiver(v.X)
	case *ssa.FieldAddr:
		return f.ofReceiver(v.X)
	case *ssa.Field:
		return f.ofReceiver(v.X)
	case *ssa.Extract:
		is, ok := v.Tuple.(*ssa.TypeAssert)
		return ok && v.Index == 0 && f.ofReceiver(is.X)
	case *ssa.TypeAssert:
		return f.ofReceiver(v.X)
	case *ssa.Call:
		return len(v.Call.Args) == 1 && v.Call.Signature().Recv() != nil && f.ofReceiver(v.Call.Args[0])
	}
	return false
}
