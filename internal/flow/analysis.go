package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/classify"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// Input is one package as flow needs it.
type Input struct {
	Fset     *token.FileSet
	Files    []*ast.File
	Pkg      *types.Package
	Info     *types.Info
	Models   *model.Table
	Classes  *classify.Set
	ReadFile func(string) ([]byte, error)
	Imported *Imported
	// Grips tells what a write does to a lock that the program keeps by hand; nil
	// if that is not asked for.
	Grips func(*Analysis, *Event) []Grip
}

// Analysis is the work on one package.
type Analysis struct {
	Input
	known   *known
	ssa     *ssa.Package
	starts  map[token.Pos]token.Pos
	begins  map[token.Pos]int // by the first character of a call
	funcs   map[*ssa.Function]*fn
	byID    map[string]*fn
	ran     map[string]*string // what functions make of texts, by what they are given; nil if that is not found
	within  int                // calls that are evaluated in the result of another one
	order   []*fn              // in the order in which they were finished: callees first
	under   []*fn              // those that are under way
	types   map[string]types.Type
	globals map[string]*term.Term
	stored  map[*ssa.Global][]*ssa.Store
	moved   map[*ssa.Global]bool // changed otherwise than by an assignment
	plain   map[types.Type]bool  // what isPlain found
	fields  map[string][]*term.Term
	// inFields are the values in fields, which are many where tables are.
	inFields map[fieldValue]bool
	// localRecords are the struct types that functions of the package declare.
	localRecords map[string]*types.Struct
	supplied     map[string][]Supply // function values, by the name of what keeps them
	puts         []put               // where function values are kept for later
	indexed      []*ssa.Function
	callers      map[*ssa.Function][]ssa.CallInstruction
	counted      map[string]bool     // fields that code raises by a constant
	closed       map[string][]string // types of the values in fields that no other code assigns
	setLater     map[string]bool     // what Unset found
	leftUnset    map[string]bool     // what MayLack found
	decls        []Decl
	roots        []*ssa.Function
	places       *places // nil as long as no hold is seen
	carriers     map[string]*Carrier
	tenures      []*tenure
	registered   map[Place]Step
	acquired     []*Event            // acquisitions of the package, for questions about them
	asks         map[*types.Var]bool // what asksField found
	// patterns are those of the models about scripts, compiled when first asked for.
	patterns map[string]*regexp.Regexp
	prepared map[string][]*term.Term // what Prepared found
	// acquiring is what acquirers found.
	acquiring map[string]bool
	// mayAcquires are answers of mayAcquire by interface and method.
	mayAcquires map[[2]string]bool
	behind      map[*types.Func][]string // what methodsBehind found

	effects  map[string]typeEffects  // what hasEffects found
	restated map[*types.Func]named   // what restated found
	objects  map[types.Type]bool     // what ofObject found
	made     map[string][]Conversion // by the interface
	loose    []looseConversion       // to interfaces that say nothing
	asserted map[string]*types.Interface
	widened  map[string][]widening // interfaces that values of an interface had before
}

// Run analyses a package.
func Run(in Input) *Analysis {
	a := &Analysis{
		Input:        in,
		known:        newKnown(in.Models),
		funcs:        make(map[*ssa.Function]*fn),
		byID:         make(map[string]*fn),
		types:        make(map[string]types.Type),
		globals:      make(map[string]*term.Term),
		stored:       make(map[*ssa.Global][]*ssa.Store),
		moved:        make(map[*ssa.Global]bool),
		fields:       make(map[string][]*term.Term),
		inFields:     make(map[fieldValue]bool),
		counted:      make(map[string]bool),
		plain:        make(map[types.Type]bool),
		localRecords: make(map[string]*types.Struct),

		patterns: make(map[string]*regexp.Regexp),
		effects:  make(map[string]typeEffects),
		restated: make(map[*types.Func]named),
		objects:  make(map[types.Type]bool),
		made:     make(map[string][]Conversion),
		asserted: make(map[string]*types.Interface),
		behind:   make(map[*types.Func][]string),
		widened:  make(map[string][]widening),
	}
	a.ssa = buildSSA(in.Fset, in.Files, in.Pkg, in.Info)
	a.starts = callStarts(in.Files)
	a.begins = a.beginnings()
	a.decls = a.ownDecls()
	roots := sourceFuncs(a.ssa, in.Files, in.Info)
	a.roots = roots
	for _, f := range roots {
		a.index(f)
	}
	a.closedFields()
	for _, f := range roots {
		a.function(f).summary()
	}
	a.again(nil)
	a.believed()
	a.conversions(roots)
	return a
}

// Functions lists the summarised functions, callees before callers.
func (a *Analysis) Functions() []*Summary {
	out := make([]*Summary, 0, len(a.order))
	for _, f := range a.order {
		out = append(out, f.sum)
	}
	return out
}

// index makes the function and its literals findable by id, and notes who
// assigns to package variables.
func (a *Analysis) index(f *ssa.Function) {
	x := a.function(f)
	a.byID[x.id] = x
	a.indexed = append(a.indexed, f)
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			a.keeps(in)
			a.moves(in)
			if m, ok := in.(*ssa.MakeInterface); ok {
				a.localRecord(m.X.Type())
			}
			if st, ok := in.(*ssa.Store); ok {
				if g, ok := st.Addr.(*ssa.Global); ok {
					a.stored[g] = append(a.stored[g], st)
				}
			}
		}
	}
	for _, lit := range f.AnonFuncs {
		a.index(lit)
	}
}

func (a *Analysis) function(f *ssa.Function) *fn {
	f = origin(f)
	if x := a.funcs[f]; x != nil {
		return x
	}
	x := &fn{a: a, f: f, id: a.known.id(f), values: make(map[ssa.Value]*term.Term)}
	a.funcs[f] = x
	return x
}

// rounds is how often functions are summarised again that reach themselves by way of
// others: each time they know more of one another.
const rounds = 2

// maxPartial bounds the functions for which that is done: beyond it, as in an
// interpreter, the second look costs more than all else.
const maxPartial = 60

// again summarises once more the functions that call themselves in the end, and those
// that rested on what such a function had not yet said: the first time it did not
// know its own summary.
// Only those of stale count, unless that is nil.
func (a *Analysis) again(stale map[*fn]bool) {
	n, partial := 1, 0
	for _, f := range a.order {
		if f.partial {
			partial++
		}
	}
	if partial <= maxPartial && slices.ContainsFunc(a.order, (*fn).waitedFor) {
		n = rounds
	}
	first := make(map[*fn]*Summary)
	for range n {
		redo := make(map[*fn]bool)
		for _, f := range a.order {
			if (f.cyclic || n > 1 && f.partial) && (stale == nil || stale[f]) {
				redo[f] = true
				if first[f] == nil {
					first[f] = f.sum
				}
			}
		}
		for f := range redo {
			f.reset()
		}
		a.redo(redo)
	}
	a.tell(first)
}

// tell summarises once more those that took what a function said first, where it stores
// something else now that it knows itself, and so on for their users. In a package with very
// many of them that takes more memory than all else, and is left out.
func (a *Analysis) tell(first map[*fn]*Summary) {
	stale := make(map[*fn]bool)
	changed := func(f *fn, before *Summary) {
		if before.storesAsMuchAs(f.sum) {
			return
		}
		for u := range f.users {
			stale[u] = true
		}
		if p := f.f.Parent(); p != nil {
			stale[a.function(p)] = true
		}
	}
	for f, sum := range first {
		changed(f, sum)
	}
	if len(stale) == 0 || len(first) > maxPartial {
		return
	}
	done := a.order
	a.order = nil
	for _, f := range done {
		if !stale[f] || first[f] != nil {
			a.order = append(a.order, f)
			continue
		}
		before := f.sum
		f.reset()
		f.summary()
		changed(f, before)
	}
}

// storesAsMuchAs reports whether two summaries of one function store the same.
func (s *Summary) storesAsMuchAs(t *Summary) bool {
	return slices.EqualFunc(s.Stores, t.Stores, func(a, b Store) bool {
		return a.Perhaps == b.Perhaps && a.To.Equal(b.To) && a.Value.Equal(b.Value)
	})
}

// redo summarises functions that have been reset, and keeps the order from callees to
// callers.
func (a *Analysis) redo(reset map[*fn]bool) {
	done := a.order
	a.order = nil
	for _, f := range done {
		f.summary()
		if !reset[f] {
			a.order = append(a.order, f)
		}
	}
}

// waitedFor reports whether a function that others in its cycle rested on says
// something.
func (f *fn) waitedFor() bool { return f.partial && f.sum != nil && len(f.sum.Events) > 0 }

// byName finds the summary of a function of this or an imported package.
func (a *Analysis) byName(id string) *Summary {
	if f := a.byID[id]; f != nil {
		return f.summary()
	}
	return a.Imported.fn(id)
}

// place turns a position into one that can travel.
func (a *Analysis) place(pos token.Pos) Place {
	p := a.Fset.Position(pos)
	return Place{Pkg: a.Pkg.Path(), File: base(p.Filename), Line: p.Line, Col: p.Column, From: a.begins[pos]}
}

func base(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' || name[i] == '\\' {
			return name[i+1:]
		}
	}
	return name
}

// callPos is the first character of a call.
func (a *Analysis) callPos(c ssa.CallInstruction) token.Pos {
	pos := c.Common().Pos()
	if start, ok := a.starts[pos]; ok {
		return start
	}
	if p := c.Pos(); p.IsValid() {
		return p
	}
	if pos.IsValid() {
		return pos
	}
	return a.rangedPos(c)
}

// rangedPos is where the function stands over which a loop ranges: its call is
// written nowhere. The body of the loop is what it is given.
func (a *Analysis) rangedPos(c ssa.CallInstruction) token.Pos {
	for _, arg := range c.Common().Args {
		if m, ok := arg.(*ssa.MakeClosure); ok {
			arg = m.Fn
		}
		if body, ok := arg.(*ssa.Function); ok {
			if loop, ok := body.Syntax().(*ast.RangeStmt); ok {
				return loop.X.Pos()
			}
		}
	}
	return c.Parent().Pos()
}

// FieldValues lists what any code of the package stores in a field, with the
// parameters of that code left unknown.
func (a *Analysis) FieldValues(name string) []*term.Term { return a.fields[name] }

// fieldStore keeps what is stored in fields, whoever the owner is.
func (a *Analysis) fieldStore(x *fn, st *ssa.Store) {
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	name := a.known.field(fa.X.Type(), fa.Field)
	if raises(st, name) {
		a.counted[name] = true
	}
	if !x.triesOut(fa) {
		a.storedIn(name, x.value(st.Val))
	}
}

// triesOut reports whether a test sets a field of a type that is not the tests' own. What
// the program stores there is not for a test to say.
func (f *fn) triesOut(fa *ssa.FieldAddr) bool {
	if !f.inTest() {
		return false
	}
	at := deref(fa.X.Type()).Underlying().(*types.Struct).Field(fa.Field).Pos()
	return at.IsValid() && !isTestFile(f.a.Fset.Position(at).Filename)
}

// fieldValue is the key of a value, and the field in which it is stored.
type fieldValue struct{ field, key string }

// storedIn adds a value to those of a field, with the parameters of the code that
// stores it left unknown.
func (a *Analysis) storedIn(name string, v *term.Term) {
	sub := &term.Subst{Params: []*term.Term{}, Free: []*term.Term{}}
	t := sub.Apply(v)
	if b := unbox(v); b.Kind == term.Field && b.Args[0].Kind == term.Param { // a field that the package may fill
		t = &term.Term{Kind: term.Field, Str: b.Str, Args: []*term.Term{term.NewUnknown("a value that a caller supplies")}}
	}
	if k := (fieldValue{name, t.Key()}); !a.inFields[k] {
		a.inFields[k] = true
		a.fields[name] = append(a.fields[name], t)
	}
}
