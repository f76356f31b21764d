package flow

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// fn is the work on one function.
type fn struct {
	a      *Analysis
	f      *ssa.Function
	id     string
	values map[ssa.Value]*term.Term
	ords   map[ssa.Instruction]int
	heap   []heapStore
	heaped progress
	sites  []*site
	bySite map[ssa.Instruction]*site
	sum    *Summary
	state  progress
	cyclic bool
	// partial: what it says may lack what a function said that was under way.
	partial bool
	// expanded counts the targets that were put in place of unknown calls.
	expanded int
	live     *liveness
	numbers  numbering // of its values, set with live
	// users are the functions that took this one's summary into theirs.
	users  map[*fn]bool
	within bool // an event is made of a call that stands in the text of another function
}

// progress of a piece of work that can meet itself.
type progress uint8

const (
	untouched progress = iota
	underWay
	finished
)

// site is a call in the function with the events that it can cause.
type site struct {
	call   ssa.CallInstruction
	events []*Event
	asks   *question // of an acquisition that is only believed in
}

// heapStore is an assignment to a field that this function sees happen.
type heapStore struct {
	at    ssa.Instruction
	field string
	base  *term.Term
	val   *term.Term

	perhaps bool // the called function may leave the field as it is
}

func (f *fn) reset() {
	f.values = make(map[ssa.Value]*term.Term)
	f.heap, f.heaped, f.sites, f.bySite, f.state, f.expanded = nil, untouched, nil, nil, untouched, 0
}

// summary computes the function's summary, nil while that is under way.
func (f *fn) summary() *Summary {
	f.usedBy(f.a.under)
	switch f.state {
	case underWay:
		f.cyclic = true
		f.a.incomplete(f)
		return f.sum // of the round before, if any
	case finished:
		f.a.restsOn(f)
		return f.sum
	}
	f.state = underWay
	f.a.under = append(f.a.under, f)
	sum := f.summarise()
	f.sum, f.state = sum, finished
	f.a.under = f.a.under[:len(f.a.under)-1]
	f.a.restsOn(f)
	f.a.order = append(f.a.order, f)
	return sum
}

func (f *fn) usedBy(under []*fn) {
	if len(under) == 0 {
		return
	}
	if f.users == nil {
		f.users = make(map[*fn]bool)
	}
	f.users[under[len(under)-1]] = true
}

// incomplete notes that the functions which a function under way has called rest on
// what it has not yet said.
func (a *Analysis) incomplete(f *fn) {
	for i := len(a.under) - 1; i >= 0 && a.under[i] != f; i-- {
		a.under[i].partial = true
	}
}

// restsOn notes that the function under way rests on an incomplete one.
func (a *Analysis) restsOn(f *fn) {
	if f.partial && len(a.under) > 0 {
		a.under[len(a.under)-1].partial = true
	}
}

// siteOf names an instruction apart from its line.
func (f *fn) siteOf(in ssa.Instruction) string {
	return f.id + "@" + strconv.Itoa(f.ordinal(in))
}

func (f *fn) ordinal(in ssa.Instruction) int {
	if f.ords == nil {
		f.ords = make(map[ssa.Instruction]int)
		n := 0
		for _, b := range f.f.Blocks {
			for _, i := range b.Instrs {
				f.ords[i] = n
				n++
			}
		}
	}
	return f.ords[in]
}

// before reports whether a is on each path to b.
func (f *fn) before(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return f.ordinal(a) < f.ordinal(b)
	}
	return a.Block().Dominates(b.Block())
}

// fieldAt is the content of a field where the instruction at runs: what the last
// assignment on each path to it stored, or what anybody may have stored.
func (f *fn) fieldAt(name string, base *term.Term, at ssa.Instruction) *term.Term {
	if name == keyHeader || name == anyHeader {
		return f.headerAt(name, base, at)
	}
	if base.Kind == term.Alt {
		out := make([]*term.Term, len(base.Args))
		for i, b := range base.Args {
			out[i] = f.fieldAt(name, b, at)
		}
		return term.NewAlt(out...)
	}
	plain := term.NewField(name, base)
	if base.Kind == term.Unknown || base.Kind == term.Const || f.heaped == underWay {
		return plain
	}
	f.fillHeap()
	var last *heapStore
	var maybe []*term.Term
	var perhaps []*heapStore
	for i := range f.heap {
		st := &f.heap[i]
		if st.field != name || !st.base.Equal(base) || st.at == at {
			continue
		}
		switch {
		case f.before(st.at, at) && st.perhaps:
			perhaps = append(perhaps, st)
		case f.before(st.at, at):
			if last == nil || f.before(last.at, st.at) {
				last = st
			}
		case !f.before(at, st.at):
			maybe = append(maybe, st.val)
		}
	}
	for _, st := range perhaps {
		if last == nil || !f.before(st.at, last.at) {
			maybe = append(maybe, st.val)
		}
	}
	switch {
	case last != nil:
		return term.NewAlt(append(maybe, last.val)...)
	case len(maybe) > 0:
		return term.NewAlt(append(maybe, plain)...)
	}
	return plain
}

// fillHeap collects the assignments to fields, by this function and by those
// that it calls. The values met on the way are computed without the heap, and
// forgotten again.
func (f *fn) fillHeap() {
	if f.heaped != untouched {
		return
	}
	f.heaped = underWay
	kept := f.values
	f.values = make(map[ssa.Value]*term.Term)
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				f.heapOfStore(in)
			case *ssa.Call:
				f.heapOfCall(in)
				f.heapOfSetter(in)
				f.heapOfHeader(in)
			case *ssa.MapUpdate:
				f.heapOfMapUpdate(in)
				f.heapOfMapEntry(in)
			}
		}
	}
	f.values = kept
	f.heaped = finished
}

func (f *fn) heapOfStore(st *ssa.Store) {
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	if _, local := fa.X.(*ssa.Alloc); local {
		return // part of the struct's own term
	}
	f.heap = append(f.heap, heapStore{
		at: st, field: fieldName(fa.X.Type(), fa.Field), base: f.value(fa.X), val: f.value(st.Val),
	})
}

func (f *fn) heapOfCall(c *ssa.Call) {
	if c.Call.StaticCallee() != nil {
		// Most functions store nothing that a caller sees; their arguments need no look.
		if sum := f.staticSummary(c.Common()); sum == nil || !slices.ContainsFunc(sum.Stores, Store.inField) {
			return
		}
	}
	for _, t := range f.targets(c) {
		if t.sum == nil {
			continue
		}
		sub := f.substFor(c, t)
		for _, st := range t.sum.Stores {
			if st.inField() {
				f.heap = append(f.heap, heapStore{at: c, field: st.To.Str, base: sub.Apply(st.To.Args[0]), val: sub.Apply(st.Value), perhaps: st.Perhaps})
			}
		}
	}
}

// stores lists the assignments that a caller can see.
func (f *fn) stores() []Store {
	f.fillHeap()
	out := f.texts()
	for _, st := range f.heap {
		if !visibleBase(st.base) {
			continue
		}
		to := &term.Term{Kind: term.Field, Str: st.field, Args: []*term.Term{st.base}}
		out = append(out, Store{To: to, Value: f.settledAt(st), Perhaps: st.perhaps || !onEachWay(st.at, f.f)})
	}
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			if p, ok := st.Addr.(*ssa.Parameter); ok {
				to := &term.Term{Kind: term.Field, Str: "*", Args: []*term.Term{f.value(p)}}
				out = append(out, Store{To: to, Value: f.value(st.Val)})
			}
		}
	}
	if len(out) > maxStores {
		out = out[:maxStores]
	}
	return out
}

// maxStores bounds the assignments of one summary; what is left out is missing
// as a value, so that it counts as unknown.
const maxStores = 64

// settledAt evaluates a stored value with the heap in place.
func (f *fn) settledAt(h heapStore) *term.Term {
	if st, ok := h.at.(*ssa.Store); ok {
		return f.value(st.Val)
	}
	return h.val
}

func visibleBase(t *term.Term) bool {
	return t.Any(func(u *term.Term) bool {
		return u.Kind == term.Param || u.Kind == term.Free || u.Kind == term.Global || u.Kind == term.Struct || makesRequest(u)
	})
}

// subst is the substitution for a static call of this function's code.
func (f *fn) subst(c ssa.CallInstruction, free []*term.Term) *term.Subst {
	return f.substArgs(c, f.callArgs(c.Common()), free)
}

func (f *fn) substFor(c ssa.CallInstruction, t target) *term.Subst {
	return f.substArgs(c, t.args, t.free)
}

func (f *fn) substArgs(c ssa.CallInstruction, args, free []*term.Term) *term.Subst {
	if args == nil {
		args = []*term.Term{}
	}
	return &term.Subst{
		Params: args, Free: free, Site: f.siteOf(c), Global: f.a.global,
		Call:  f.calledOn,
		Field: func(name string, base *term.Term) *term.Term { return f.fieldAt(name, base, c) },
	}
}

// callArgs are the arguments with the receiver first. What fills a type parameter
// keeps its type, so that methods can be found on it.
func (f *fn) callArgs(c *ssa.CallCommon) []*term.Term {
	var out []*term.Term
	if c.IsInvoke() {
		out = append(out, f.value(c.Value))
	}
	var params *types.Tuple
	if callee := c.StaticCallee(); callee != nil {
		if o := callee.Origin(); o != nil {
			params = o.Signature.Params()
			if o.Signature.Recv() != nil {
				params = nil
			}
		}
	}
	for i, a := range c.Args {
		t := f.value(a)
		if params != nil && i < params.Len() {
			if _, ok := types.Unalias(params.At(i).Type()).(*types.TypeParam); ok && hasMethods(a.Type()) {
				f.a.types[typeName(a.Type())] = a.Type()
				t = term.NewIface(typeName(a.Type()), t)
			}
		}
		out = append(out, t)
	}
	return out
}

func isTestFile(name string) bool { return strings.HasSuffix(name, "_test.go") }
