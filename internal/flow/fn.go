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
	deep   int               // how many of them are being found
	anew   map[ssa.Value]int // how often lists of loops were left to be found anew
	firsts []int             // of each block, the ordinal of its first instruction
	// numbered are the instructions of long blocks, by their place there.
	numbered map[*ssa.BasicBlock]map[ssa.Instruction]int
	heap     []heapStore
	heaped   progress
	byRecord *heapIndex // of the heap, once there are many and somebody asked
	// indexed: elements of arrays in records are among what is stored.
	indexed bool
	// targeted are the targets of the calls whose events are found.
	targeted map[ssa.CallInstruction][]target
	sites    []*site
	bySite   map[ssa.Instruction]*site
	holders  map[ssa.Value]*holders // where addresses go
	loads    map[string][]name      // what is read from which cell
	found    []foundWrite
	given    []*ssa.Function  // what givenToCalls found
	away     []*ssa.FieldAddr // parts of records whose addresses go elsewhere
	sum      *Summary
	state    progress
	cyclic   bool
	// partial: what it says may lack what a function said that was under way.
	partial  bool
	followed int                   // how many copies of a record are being followed back
	atCopies map[copied]*term.Term // what was found at them

	finding int      // how many bases of writes are being found
	unfound []func() // has those found anew that needed one of them
	// expanded counts the targets that were put in place of unknown calls.
	expanded int
	live     *liveness
	numbers  numbering // of its values, set with live
	// users are the functions that took this one's summary into theirs.
	users      map[*fn]bool
	valueCalls []*ssa.Call                // its calls of function values, once asked for
	chooses    map[*ssa.BasicBlock]choice // the branches that constants may decide
	taken      map[edge]bool              // the ways that are taken, while values are found for some arguments alone
	within     bool                       // an event is made of a call that stands in the text of another function
	flags      *flagged                   // places that it both sets and reads; nil if nobody asked
	decisions  map[string]*decision       // where it compares numbers before writes
	states     int                        // whether it asks for names of states: -1 for no, 0 if nobody asked
	forgives   []string                   // what askedErrors found; nil if nobody asked
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

// reset forgets all that was found.
func (f *fn) reset() {
	f.values = make(map[ssa.Value]*term.Term)
	f.targeted, f.holders, f.found = nil, nil, nil
	f.indexed = false
	f.heap, f.byRecord, f.heaped = nil, nil, untouched
	f.again()
}

// again has the function's events found anew. Its values stay: no belief changes them.
func (f *fn) again() {
	f.sites, f.bySite, f.decisions, f.state, f.expanded = nil, nil, nil, untouched, 0
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
	if in == nil || in.Block() == nil || in.Parent() != f.f {
		return 0
	}
	if f.firsts == nil {
		f.firsts = make([]int, len(f.f.Blocks))
		n := 0
		for i, b := range f.f.Blocks {
			f.firsts[i] = n
			n += len(b.Instrs)
		}
	}
	b := in.Block()
	return f.firsts[b.Index] + f.inBlock(b, in)
}

// longBlock is the number of instructions from which on a block is numbered, and not
// searched: the tables of tests are blocks of thousands.
const longBlock = 48

// inBlock is the place of an instruction in its block.
func (f *fn) inBlock(b *ssa.BasicBlock, in ssa.Instruction) int {
	if len(b.Instrs) < longBlock {
		return max(0, slices.Index(b.Instrs, in))
	}
	at := f.numbered[b]
	if at == nil {
		at = make(map[ssa.Instruction]int, len(b.Instrs))
		for i, in := range b.Instrs {
			at[in] = i
		}
		if f.numbered == nil {
			f.numbered = make(map[*ssa.BasicBlock]map[ssa.Instruction]int)
		}
		f.numbered[b] = at
	}
	return at[in]
}

// before reports whether a is on each path to b.
func (f *fn) before(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return f.ordinal(a) < f.ordinal(b)
	}
	return a.Block().Dominates(b.Block())
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
		Params: f.withParts(c, args), Free: free, Site: f.siteOf(c), Global: f.a.global,
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
