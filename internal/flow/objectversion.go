package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// NoVersion marks, among the arguments of an update of a Kubernetes object, that the
// object carries no resourceVersion on some way: the program has taken it out.
const NoVersion = "no resourceVersion"

// ReadHere marks, among the same arguments, that the object was read in the function that
// updates it, and that nothing put into it comes from what was read.
const ReadHere = "read just before"

// PutIn marks, among the same arguments, what is put into the object that was read.
const PutIn = "put into the object"

// versionless are the arguments of a call with those marks, where they are due.
func (f *fn) versionless(c ssa.CallInstruction, s *model.Sink, args []*term.Term) []*term.Term {
	if s.Profile == nil || s.Profile.Name != "k8s.update" || s.Value.Root != "arg" || len(s.Value.Steps) > 0 {
		return args
	}
	common := c.Common()
	i := s.Value.Index
	if !common.IsInvoke() {
		i++ // the receiver
	}
	if i >= len(common.Args) {
		return args
	}
	args = args[:len(args):len(args)]
	switch {
	case f.emptied(common.Args[i], c):
		return append(args, term.NewIface(NoVersion, term.NewString("")))
	case f.overwrites(common.Args[i], c):
		args = append(args, term.NewIface(ReadHere, term.NewString("")))
	}
	if put := f.putIn(common.Args[i], c); len(put) > 0 {
		args = append(args, term.NewIface(PutIn, term.NewList(false, put...)))
	}
	return args
}

// emptied reports whether the resourceVersion of an object is empty on some way to an
// instruction.
func (f *fn) emptied(v ssa.Value, at ssa.Instruction) bool {
	v = original(v)
	for _, r := range *v.Referrers() { // of one that is embedded, its own method
		if f.setsEmpty(r, at) {
			return true
		}
	}
	typ := v.Type()
	if p, ok := typ.Underlying().(*types.Pointer); ok {
		typ = p.Elem()
	}
	i, meta := fieldOf(typ, "ObjectMeta")
	if meta == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		if fa, ok := r.(*ssa.FieldAddr); ok && fa.Field == i {
			for _, u := range *fa.Referrers() {
				if f.setsEmpty(u, at) {
					return true
				}
			}
		}
	}
	k, _ := fieldOf(meta, "ResourceVersion")
	obj := f.value(v)
	if k < 0 || obj.Kind == term.Struct {
		return false // one that is made here is looked at where it is judged
	}
	version := term.Settle(f.fieldAt(fieldName(meta, k), f.fieldAt(fieldName(typ, i), obj, at), at))
	for _, a := range version.Alternatives() {
		if s, ok := term.StringValue(a); term.IsZero(a) || ok && s == "" {
			return true
		}
	}
	return false
}

// original is the object that a copy was made of, without the interface around it.
func original(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.Call:
			if callee := x.Call.StaticCallee(); callee == nil || callee.Name() != "DeepCopy" || len(x.Call.Args) != 1 || len(*x.Referrers()) == 0 {
				return v
			}
			if touched(x) {
				return v
			}
			v = x.Call.Args[0]
		default:
			return v
		}
	}
}

// touched reports whether a copy gets a version of its own.
func touched(c *ssa.Call) bool {
	for _, r := range *c.Referrers() {
		if fa, ok := r.(*ssa.FieldAddr); ok && len(*fa.Referrers()) > 0 {
			if p, ok := fa.X.Type().Underlying().(*types.Pointer); ok {
				if i, _ := fieldOf(p.Elem(), "ObjectMeta"); i == fa.Field {
					return true
				}
			}
		}
	}
	return false
}

// fieldOf finds a field of a struct type; -1 and nil if there is none.
func fieldOf(t types.Type, name string) (int, types.Type) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return -1, nil
	}
	for i := range st.NumFields() {
		if st.Field(i).Name() == name {
			return i, st.Field(i).Type()
		}
	}
	return -1, nil
}

// setsEmpty reports whether an instruction before another one empties the version of
// what it is called on.
func (f *fn) setsEmpty(in, at ssa.Instruction) bool {
	c, ok := in.(*ssa.Call)
	if !ok || !f.before(in, at) {
		return false
	}
	name, args := "", c.Call.Args
	if c.Call.IsInvoke() {
		name = c.Call.Method.Name()
	} else if callee := c.Call.StaticCallee(); callee != nil && callee.Signature.Recv() != nil && len(args) > 0 {
		name, args = callee.Name(), args[1:]
	}
	if name != "SetResourceVersion" || len(args) != 1 {
		return false
	}
	s, ok := term.StringValue(f.value(args[0]))
	return ok && s == ""
}
