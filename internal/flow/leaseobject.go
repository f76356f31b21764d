package flow

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// typedClients begin the names of the clients for objects of Kubernetes.
const typedClients = "k8s.io/client-go/kubernetes/typed/"

// leaseObject tells what a write does to a Lease object of Kubernetes that the
// program keeps itself: it puts its holder into it, or takes it out. Nil for others.
func (f *fn) leaseObject(e *Event, c ssa.CallInstruction) *Grip {
	if e.src != nil || !strings.HasPrefix(e.Key, typedClients) {
		return nil
	}
	if !strings.Contains(e.Key, ".LeaseInterface.") {
		return f.noteObject(e, c)
	}
	g := &Grip{Lib: "k8s-lease", Row: e.Recv, Signs: Named | Owned}
	switch set, cleared := f.holderStored(c); {
	case strings.HasSuffix(e.Key, ".Delete"), cleared && strings.HasSuffix(e.Key, ".Update"):
		g.Kind = Release
	case set:
		g.Kind = Acquire
	default:
		return nil
	}
	return g
}

// noteObject tells what a write does to an object of another kind in which the program notes
// who has a lock: it puts a note among its annotations or data, or takes one out. The server
// refuses what was changed meanwhile. Most notes are no locks; where the function, its type
// or the note itself speaks of one, it may be.
func (f *fn) noteObject(e *Event, c ssa.CallInstruction) *Grip {
	if !strings.HasSuffix(e.Key, "Interface.Update") {
		return nil
	}
	put, taken, named := f.noted(c)
	if !named && !f.ofLock() {
		return nil
	}
	g := &Grip{Lib: "k8s-object", Row: e.Recv, Signs: Owned}
	if named {
		g.Signs |= Named
	}
	switch {
	case put:
		g.Kind = Acquire
	case taken:
		g.Kind = Release
	default:
		return nil
	}
	return g
}

// ofLock reports whether a function, or the type whose method it is, is named after a lock.
func (f *fn) ofLock() bool {
	fn := outermost(f.f)
	if SpeaksOfLock(fn.Name()) {
		return true
	}
	r := fn.Signature.Recv()
	if r == nil {
		return false
	}
	name := typeName(r.Type())
	return SpeaksOfLock(name[lastDot(name):])
}

// noted reports whether an entry was put among the annotations or data of an object before a
// call, whether one was taken out, and whether its key speaks of a lock.
func (f *fn) noted(c ssa.CallInstruction) (put, taken, named bool) {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			m, key := notes(in)
			if m == nil || !keepsNotes(m) || !mayPrecede(in, c) {
				continue
			}
			_, puts := in.(*ssa.MapUpdate)
			put, taken = put || puts, taken || !puts
			if text, ok := term.StringValue(f.value(key)); ok && SpeaksOfLock(text) {
				named = true
			}
		}
	}
	return put, taken, named
}

// notes are the map and the key of an instruction that puts an entry into a map or takes one
// out, nil for others.
func notes(in ssa.Instruction) (m, key ssa.Value) {
	switch in := in.(type) {
	case *ssa.MapUpdate:
		return in.Map, in.Key
	case *ssa.Call:
		if d, ok := in.Call.Value.(*ssa.Builtin); ok && d.Name() == "delete" {
			return in.Call.Args[0], in.Call.Args[1]
		}
	}
	return nil, nil
}

// keepsNotes reports whether a map is that of the annotations, or of the data, of an object.
func keepsNotes(m ssa.Value) bool {
	u, ok := m.(*ssa.UnOp)
	if !ok {
		return false
	}
	fa, ok := u.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	name := fieldName(fa.X.Type(), fa.Field)
	return strings.HasSuffix(name, ".ObjectMeta.Annotations") || strings.HasSuffix(name, ".ConfigMap.Data")
}

// holderStored reports whether a holder was stored in a Lease before a call, and
// whether it was taken out.
func (f *fn) holderStored(c ssa.CallInstruction) (set, cleared bool) {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok || !mayPrecede(st, c) {
				continue
			}
			fa, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || !strings.HasSuffix(fieldName(fa.X.Type(), fa.Field), ".LeaseSpec.HolderIdentity") {
				continue
			}
			if isNilConst(st.Val) || f.value(st.Val).Kind == term.Const {
				cleared = true
			} else {
				set = true
			}
		}
	}
	return set, cleared && !set
}

// mayPrecede reports whether a way leads from a to b.
func mayPrecede(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return reachable(a.Block())[b.Block()]
	}
	return a.Pos() == token.NoPos || b.Pos() == token.NoPos || a.Pos() < b.Pos()
}
