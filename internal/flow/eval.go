package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// value is the term of v in terms of the function's parameters.
func (f *fn) value(v ssa.Value) *term.Term {
	if t, ok := f.values[v]; ok {
		if t == nil {
			return term.NewUnknown(term.FromItself)
		}
		return t
	}
	f.values[v] = nil
	f.deep++
	t := f.eval(v)
	f.deep--
	f.values[v] = t
	if f.deep > 0 && f.unbegun(v, t) {
		delete(f.values, v)
	}
	return t
}

func (f *fn) eval(v ssa.Value) *term.Term {
	switch v := v.(type) {
	case *ssa.Const:
		return constTerm(v)
	case *ssa.Parameter:
		return f.chained(v, f.param(v))
	case *ssa.FreeVar:
		return f.free(v)
	case *ssa.Global:
		return f.a.global(term.NewGlobal(v.Pkg.Pkg.Path() + "." + v.Name()))
	case *ssa.Function:
		return term.NewFunc(f.a.known.id(v))
	case *ssa.Alloc:
		return f.alloc(v)
	case *ssa.FieldAddr:
		if t := f.heldBefore(v); t != nil {
			return t
		}
		base := f.opened(f.value(v.X), v.X, v)
		return f.partAt(v, f.fieldAt(f.a.known.field(v.X.Type(), v.Field), base, readAt(v, base)))
	case *ssa.Field:
		return f.fieldAt(f.a.known.field(v.X.Type(), v.Field), f.value(v.X), v)
	case *ssa.IndexAddr:
		return term.NewElem(f.value(v.X), f.value(v.Index))
	case *ssa.Index:
		return f.element(v, v.X, v.Index, v.Type())
	case *ssa.Lookup:
		return f.element(v, v.X, v.Index, v.Type())
	case *ssa.UnOp:
		return f.fromLoop(v, f.unary(v))
	case *ssa.BinOp:
		return f.binary(v)
	case *ssa.Phi:
		return f.fromLoop(v, f.phi(v))
	case *ssa.Call:
		return f.changed(v, f.chained(v, f.callResult(v, 0)))
	case *ssa.Extract:
		return f.extract(v)
	case *ssa.MakeClosure:
		return f.closure(v)
	case *ssa.MakeInterface:
		return f.boxed(v)
	case *ssa.ChangeInterface:
		return f.widened(v)
	case *ssa.ChangeType:
		return f.value(v.X)
	case *ssa.Convert:
		return f.changed(v, convertTerm(v.Type(), v.X.Type(), f.value(v.X)))
	case *ssa.TypeAssert:
		return f.assert(v.AssertedType, f.value(v.X))
	case *ssa.Slice:
		return f.sliced(v)
	case *ssa.Range:
		return f.value(v.X)
	case *ssa.MakeSlice:
		if t := f.filled(v); t != nil {
			return t
		} else if t := f.encodedIn(v); t != nil {
			return t
		}
		return term.NewList(elementsSet(v)) // with elements that are not followed
	case *ssa.MakeMap:
		return f.mapLiteral(v)
	case *ssa.MakeChan:
		return f.channel(v)
	}
	return term.NewUnknown("a value that is not followed")
}

func constTerm(c *ssa.Const) *term.Term {
	if c.Value == nil {
		if _, ok := c.Type().Underlying().(*types.Basic); ok {
			return term.NewConst("zero", "0")
		}
		if _, ok := c.Type().Underlying().(*types.Struct); ok {
			return term.NewStruct(typeName(c.Type()), "", nil, nil)
		}
		return term.Nil
	}
	switch c.Value.Kind() {
	case constant.String:
		return term.NewString(constant.StringVal(c.Value))
	case constant.Bool:
		return term.NewConst("bool", c.Value.ExactString())
	case constant.Int:
		return term.NewConst("int", c.Value.ExactString())
	}
	return term.NewConst("float", c.Value.ExactString())
}

func (f *fn) param(v *ssa.Parameter) *term.Term {
	for i, p := range f.f.Params {
		if p == v {
			return term.NewParam(i)
		}
	}
	return term.NewUnknown("a parameter")
}

func (f *fn) free(v *ssa.FreeVar) *term.Term {
	for i, p := range f.f.FreeVars {
		if p == v {
			return term.NewFree(i)
		}
	}
	return term.NewUnknown("a captured variable")
}

func (f *fn) unary(v *ssa.UnOp) *term.Term {
	switch v.Op {
	case token.MUL:
		if at, ok := v.X.(*ssa.IndexAddr); ok {
			return f.element(v, at.X, at.Index, v.Type())
		}
		if loadable(v.X) {
			return f.setIn(f.opened(f.load(v, v.X), v.X, v), v.X, v)
		}
		if pointsToRecord(v.X) {
			return f.recordPartAt(v.X, v, f.value(v.X))
		}
		t := f.value(v.X)
		if _, ok := v.Type().Underlying().(*types.Basic); ok {
			t = pointee(t)
		}
		return t
	case token.ARROW:
		return f.received(v, 0, v.X)
	}
	return term.NewOp(v.Op.String(), f.value(v.X))
}

// element is what is read from a list or a map. A transaction that is kept there is
// known as the one that was read: the next read may find another one.
func (f *fn) element(at ssa.Instruction, base, index ssa.Value, typ types.Type) *term.Term {
	if f.a.Models.Carrier(typ) == "tx" {
		return term.NewCall("element", f.siteOf(at), 0, f.value(base))
	}
	if arrayIn(base) != nil {
		return f.elementOfPart(base.(*ssa.FieldAddr), f.value(index), at)
	}
	if t := f.elementAt(base, f.value(index), at); t != nil {
		return t
	}
	return term.NewElem(f.value(base), f.value(index))
}

func (f *fn) binary(v *ssa.BinOp) *term.Term {
	x, y := f.value(v.X), f.value(v.Y)
	if v.Op == token.ADD {
		if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			return term.NewConcat(x, y)
		}
	}
	return term.NewOp(v.Op.String(), x, y)
}

func (f *fn) phi(v *ssa.Phi) *term.Term {
	if isAttempt(v) {
		return term.NewCall(AttemptCounter, f.siteOf(v), 0)
	}
	if isMapCounter(v) {
		return term.NewCall(MapCounter, f.siteOf(v), 0)
	}
	if t := f.grownText(v); t != nil {
		return t
	}
	var vals []*term.Term
	for i, e := range v.Edges {
		if e == v || f.taken != nil && !f.taken[edge{v.Block().Preds[i], v.Block()}] {
			continue
		}
		vals = append(vals, f.unlessCarried(e, f.value(e), v.Block().Preds[i], v.Block()))
	}
	return term.NewAlt(vals...)
}

// grownText is a text that a loop adds to: what it is before the loop, with a hole
// behind it. It is nil for other values.
func (f *fn) grownText(v *ssa.Phi) *term.Term {
	if b, ok := v.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
		return nil
	}
	var before, again []*term.Term
	for i, e := range v.Edges {
		if !v.Block().Dominates(v.Block().Preds[i]) {
			before = append(before, f.value(e))
		}
	}
	if len(before) == 0 || len(before) == len(v.Edges) {
		return nil
	}
	base := term.NewAlt(before...)
	if t := f.grownOver(v, base); t != nil {
		return t
	}
	added := term.NewUnknown(addedInLoop)
	f.values[v] = term.NewConcat(base, added)
	for i, e := range v.Edges {
		if v.Block().Dominates(v.Block().Preds[i]) && e != v {
			again = append(again, f.value(e))
		}
	}
	return begunWith(term.NewAlt(append(again, base)...), added)
}

// begunWith says of the text that a loop adds how it begins: like what stands behind it
// where the loop has run once more.
func begunWith(t, added *term.Term) *term.Term {
	begin, some := "", false
	for _, a := range t.Alternatives() {
		for i, p := range a.Args {
			if a.Kind != term.Concat || p != added || i+1 == len(a.Args) {
				continue
			}
			next := BeginOf(a.Args[i+1])
			if some && next != begin {
				return t
			}
			begin, some = next, true
		}
	}
	if begin == "" {
		return t
	}
	known := term.NewText(addedInLoop, begin)
	var out []*term.Term
	for _, a := range t.Alternatives() {
		if a.Kind == term.Concat {
			parts := slices.Clone(a.Args)
			for i, p := range parts {
				if p == added {
					parts[i] = known
				}
			}
			a = term.NewConcat(parts...)
		}
		out = append(out, a)
	}
	return term.NewAlt(out...)
}

func (f *fn) extract(v *ssa.Extract) *term.Term {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		return orZero(v, f.changed(v, f.callResult(t, v.Index)))
	case *ssa.TypeAssert:
		if v.Index == 0 {
			return orZero(v, f.assert(t.AssertedType, f.value(t.X)))
		}
	case *ssa.Lookup:
		if v.Index == 0 {
			return f.element(v, t.X, t.Index, v.Type())
		}
	case *ssa.Next:
		over := f.value(t.Iter)
		if r := foldRange([]*term.Term{over}, v.Index); r != nil {
			return r
		}
		if r := f.putInRange(t, v.Index); r != nil {
			return r
		}
		return term.NewCall("range", f.siteOf(t), v.Index, over)
	case *ssa.UnOp:
		if v.Index == 0 {
			return f.unary(t)
		}
	case *ssa.Select:
		return f.receivedBy(t, v.Index)
	}
	return term.NewUnknown("a value that is not followed")
}

// receivedBy is a part of what a select gives: the value received from one of its channels.
func (f *fn) receivedBy(sel *ssa.Select, index int) *term.Term {
	k := 2
	for _, st := range sel.States {
		if st.Dir != types.RecvOnly {
			continue
		}
		if k == index {
			return f.received(sel, index, st.Chan)
		}
		k++
	}
	return term.NewUnknown("a value that is not followed")
}

func (f *fn) bindings(m *ssa.MakeClosure) []*term.Term {
	out := make([]*term.Term, len(m.Bindings))
	for i, b := range m.Bindings {
		out[i] = f.captured(m, b)
	}
	return out
}

func (f *fn) closure(m *ssa.MakeClosure) *term.Term {
	lit := m.Fn.(*ssa.Function)
	if obj, ok := lit.Object().(*types.Func); ok && lit.Synthetic != "" { // method value
		recv := f.value(m.Bindings[0])
		if types.IsInterface(m.Bindings[0].Type()) {
			return term.NewBound(obj.Origin().FullName(), recv)
		}
		return term.NewBound(obj.Origin().FullName(), recv)
	}
	return term.NewClosure(f.a.known.id(lit), f.bindings(m)...)
}

func convertTerm(to, from types.Type, x *term.Term) *term.Term {
	t, ok := to.Underlying().(*types.Basic)
	if !ok {
		return x
	}
	if fb, ok := from.Underlying().(*types.Basic); ok && fb.Kind() == t.Kind() {
		return x
	}
	if x.Kind == term.Const && (t.Info()&types.IsString != 0) == (x.Typ == "string") {
		return x
	}
	if _, ok := from.Underlying().(*types.Slice); ok && t.Info()&types.IsString != 0 {
		return x // []byte and string have the same text
	}
	return term.NewConvert(t.Name(), x)
}

func (f *fn) assert(to types.Type, x *term.Term) *term.Term {
	if types.IsInterface(to) {
		return x
	}
	name := typeName(to)
	var kept []*term.Term
	for _, a := range x.Alternatives() {
		if a.Kind == term.Iface {
			if a.Str == name {
				kept = append(kept, a.Args[0])
			}
			continue
		}
		kept = append(kept, a)
	}
	if len(kept) == 0 {
		return term.NewUnknown("a type assertion that fails")
	}
	return term.NewAlt(kept...)
}

// fieldName is "path.Type.field"; fields of unnamed structs have "_" for a type.
func fieldName(t types.Type, i int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		if tp, ok := t.Underlying().(*types.Interface); ok {
			_ = tp
		}
		return "_." + strconv.Itoa(i)
	}
	return typeName(t) + "." + st.Field(i).Name()
}

// typeName is "path.Type" or "*path.Type" with type arguments left out.
func typeName(t types.Type) string {
	star := ""
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		star, t = "*", types.Unalias(p.Elem())
	}
	switch t := t.(type) {
	case *types.Named:
		obj := t.Origin().Obj()
		if obj.Pkg() == nil {
			return star + obj.Name()
		}
		return star + obj.Pkg().Path() + "." + obj.Name()
	case *types.Basic:
		return star + t.Name()
	case *types.TypeParam:
		return star + t.Obj().Name()
	}
	return star + "_"
}

// namedOf is the name that a type, or what it points to, is declared under; nil for others.
func namedOf(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj()
	}
	return nil
}
