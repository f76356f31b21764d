package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// An atomic of package sync/atomic holds a value like a field: what is stored in it is
// what is loaded.

const (
	atomicPrefix = "sync/atomic."
	atomicValue  = ".value"
)

// IsAtomic reports whether a field is the content of an atomic.
func IsAtomic(field string) bool {
	return strings.HasPrefix(field, atomicPrefix) && strings.HasSuffix(field, atomicValue)
}

// atomicField is the field that stands for the content of an atomic on which a method
// is called, "" for other calls.
func atomicField(key string, methods ...string) string {
	rest, ok := strings.CutPrefix(key, atomicPrefix)
	typ, method, ok2 := strings.Cut(rest, ".")
	if !ok || !ok2 {
		return ""
	}
	typ, _, _ = strings.Cut(typ, "[") // of a generic type
	for _, m := range methods {
		if method == m {
			return atomicPrefix + typ + atomicValue
		}
	}
	return ""
}

// heldIn is the content of an atomic where a call reads it.
func (f *fn) heldIn(name string, atomic *term.Term, c *ssa.Call) *term.Term {
	held := f.fieldAt(name, atomic, c)
	if f.heaped == underWay || c.Call.StaticCallee() == nil {
		return held
	}
	if path := f.pathTo(c.Call.Args[0]); path != nil {
		f.fillHeap()
		return f.inPart(path, name, c, held)
	}
	return held
}

// atomicSet is the content that a call gives an atomic.
func (f *fn) atomicSet(c ssa.CallInstruction) (field string, val *term.Term) {
	callee := origin(c.Common().StaticCallee())
	if callee.Pkg == nil || callee.Pkg.Pkg.Path() != "sync/atomic" {
		return "", nil
	}
	key := keyOfID(funcID(callee))
	if name := atomicField(key, "Store", "Swap", "CompareAndSwap"); name != "" {
		args := c.Common().Args
		return name, f.value(args[len(args)-1])
	}
	if name := atomicField(key, "Add", "And", "Or"); name != "" {
		return name, term.NewCall(key, f.siteOf(c), 0)
	}
	return "", nil
}

// what an atomic function does to the number at an address.
const (
	notAtomic = iota
	readsNumber
	setsNumber
	triesNumber // it may leave the number as it is
)

// atomicAccess tells what a call does to the atomic whose address is its first argument.
func (f *fn) atomicAccess(c *ssa.Call) int {
	callee := c.Call.StaticCallee()
	if callee == nil || len(c.Call.Args) == 0 {
		return notAtomic
	}
	key := callKey(&c.Call)
	for _, pkg := range []string{atomicPrefix, "go.uber.org/atomic."} {
		rest, ok := strings.CutPrefix(key, pkg)
		if !ok {
			continue
		}
		name := rest[strings.LastIndexByte(rest, '.')+1:]
		switch {
		case strings.HasPrefix(name, "Load"):
			return readsNumber
		case strings.HasPrefix(name, "Store"):
			return setsNumber
		}
		return triesNumber
	}
	return notAtomic
}

// rawAtomic is the value that a function of package sync/atomic stores in a number that is
// no atomic by its type.
func (f *fn) rawAtomic(c ssa.CallInstruction) (val *term.Term, how int) {
	callee := c.Common().StaticCallee()
	if callee == nil || callee.Signature.Recv() != nil || callee.Pkg == nil || callee.Pkg.Pkg.Path()+"." != atomicPrefix {
		return nil, notAtomic
	}
	args := c.Common().Args
	switch name := callee.Name(); {
	case strings.HasPrefix(name, "Load"):
		return nil, readsNumber
	case strings.HasPrefix(name, "Store"), strings.HasPrefix(name, "Swap"):
		return f.value(args[len(args)-1]), setsNumber
	case strings.HasPrefix(name, "CompareAndSwap"):
		return f.value(args[len(args)-1]), triesNumber
	}
	return term.NewCall(keyOfID(funcID(callee)), f.siteOf(c), 0), setsNumber
}

// atomicLoaded is the number that a function of package sync/atomic reads; nil for other
// calls.
func (f *fn) atomicLoaded(c *ssa.Call) *term.Term {
	if _, how := f.rawAtomic(c); how != readsNumber {
		return nil
	}
	if v, ok := c.Call.Args[0].(*ssa.Alloc); ok {
		return f.load(c, v)
	}
	return f.value(c.Call.Args[0])
}

// atomicStore keeps what is stored in the atomics that are fields, whoever the owner is.
func (a *Analysis) atomicStore(x *fn, c ssa.CallInstruction) {
	callee := c.Common().StaticCallee()
	if callee == nil || len(c.Common().Args) < 2 {
		return
	}
	fa, ok := c.Common().Args[0].(*ssa.FieldAddr)
	if !ok {
		return
	}
	if name, val := x.atomicSet(c); name != "" && !x.triesOut(fa) {
		a.storedIn(fieldName(fa.X.Type(), fa.Field), val)
	}
}
