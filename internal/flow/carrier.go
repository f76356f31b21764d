package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
)

// The belief that a lock is held travels: its holder sets a flag, sends on a channel or
// keeps a handle, and other goroutines and methods act on that. A carrier is a place
// that is set in holds only; where code finds it set, it believes in the acquisition,
// and what it does then belongs to the hold. It is never a guard.

// Carrier is a place in which a belief travels.
type Carrier struct {
	Name    string
	Yes, No string   // codes of the value while the lock is held, and else; "" for a receive
	Acqs    []*Event // acquisitions in whose holds it is set

	yes   []abs // what it is set to
	names bool  // it keeps the name of the holder, as the coordinator told it
	told  bool  // the library's own channel, or that of who acquires: what it tells is the acquisition
}

// maxBeliefs bounds the acquisitions behind one carrier.
const maxBeliefs = 3

// tenure is what runs in the hold of one acquisition in one function.
type tenure struct {
	acq  *Event
	f    *fn
	asks *question                 // where the lock is only believed in
	seen map[ssa.Instruction][]abs // with what is known there of the values handed on
}

func (f *fn) newTenure(a *Event) *tenure {
	return &tenure{acq: a, f: f, seen: make(map[ssa.Instruction][]abs)}
}

// note keeps an instruction that runs in the hold.
func (t *tenure) note(in ssa.Instruction, s *state) {
	var vals []abs
	switch in := in.(type) {
	case *ssa.Store:
		vals = []abs{s.of(in.Val)}
	case *ssa.MapUpdate:
		vals = []abs{s.of(in.Value)}
	case *ssa.Send:
		vals = []abs{s.of(in.X)}
	case *ssa.Select:
		for _, st := range in.States {
			if st.Send != nil {
				vals = append(vals, s.of(st.Send))
			}
		}
	case *ssa.UnOp, *ssa.MakeClosure:
	case ssa.CallInstruction:
		for _, v := range in.Common().Args {
			vals = append(vals, s.of(v))
		}
	default:
		return
	}
	if old, ok := t.seen[in]; ok {
		for i := range vals {
			if vals[i] != old[i] {
				vals[i] = abs{}
			}
		}
	}
	t.seen[in] = vals
}

// findCarriers finds the places that are set in holds only.
func (a *Analysis) findCarriers() {
	a.carriers = make(map[string]*Carrier)
	for _, c := range a.Imported.beliefs() {
		root := a.places.find(c.Name)
		if old := a.carriers[root]; old != nil {
			old.add(c.Acqs) // an interface with several implementations
			continue
		}
		n := *c
		n.Acqs = slices.Clone(c.Acqs)
		a.carriers[root] = &n
	}
	a.channelsOfLocks()
	a.schedulers()
	r := a.runsHeld()
	groups := make(map[string][]mark)
	for _, m := range a.places.marks() {
		if root := a.places.find(m.name); root != "" && !a.places.tainted[root] && a.carriers[root] == nil {
			groups[root] = append(groups[root], m)
		}
	}
	for _, root := range sortedKeys(groups) {
		if c := r.carrier(root, groups[root]); c != nil {
			a.carriers[root] = c
		}
	}
}

// carrierWords are the names that tell of a lock's tenure. They only stand in for a
// flag that is never taken back.
var carrierWords = pattern.New(`(?i)lead|primary|master|elect|owner|lock|lease|acquir|active|tenure|campaign`)

// carrier judges the settings of one place: nil if it is set outside of holds too, or
// only at the end of one.
func (r *running) carrier(root string, ms []mark) *Carrier {
	if c := r.holder(root, ms); c != nil {
		return c
	}
	if c := r.told(root, ms); c != nil {
		return c
	}
	c := &Carrier{Name: root}
	reset := false
	var others []abs // constants that are set outside of holds
	var held []setting
	for _, m := range ms {
		acqs, v := r.at(m)
		if (m.channel || m.entry) && !m.flag() {
			v = abs{k: nonNil} // whatever is sent or kept
		}
		switch {
		case m.gone || isZero(v) || m.channel && m.val == nil && m.flag(): // a closed channel of flags says no
			reset = true
		case len(acqs) == 0 && (v.k == isInt || v.k == wording):
			others = append(others, v)
		case len(acqs) == 0 || m.flag() && v.k == top:
			return nil
		default:
			held = append(held, setting{m, acqs, v})
		}
	}
	if !ms[0].mayTell(root, reset, others) {
		return nil
	}
	for _, s := range held { // last, since it walks
		if r.lingers(s.in, 0) && (s.channel || r.always(s.in, 0)) {
			c.yes = append(c.yes, s.v)
			c.add(s.acqs)
		}
	}
	first := ms[max(0, slices.IndexFunc(ms, func(m mark) bool { return !m.gone }))]
	if len(c.Acqs) == 0 || !c.telling(first, reset, others) || ms[0].channel && !ms[0].flag() && r.a.places.tellsOfEnd(root) {
		return nil
	}
	return c
}

// endingWords are the names of channels that tell of an end, which comes after a hold as well.
var endingWords = pattern.New(`(?i)stop|done|quit|clos|exit|cancel|finish|shut|kill|err|fail|lost|demot|depos`)

// tellsOfEnd reports whether a field, variable or function by which code gets a channel is
// named after an end.
func (p *places) tellsOfEnd(root string) bool {
	return slices.ContainsFunc(p.members(root), func(name string) bool {
		kind, rest, _ := strings.Cut(name, " ")
		last := rest[strings.LastIndexByte(rest, '.')+1:]
		return (kind == "field" || kind == "var" || kind == "result") && endingWords.MatchString(last)
	})
}

// mayTell reports whether the settings of a place can tell something of now, whatever they
// set it to: of most it is plain that they cannot.
func (m mark) mayTell(root string, reset bool, others []abs) bool {
	switch {
	case m.channel && !m.flag():
		return true
	case m.flag() && !m.entry:
		return m.channel || reset || carrierWords.MatchString(root)
	}
	return reset || len(others) > 0
}

// telling reports whether the settings of a place tell something of now: a flag that is
// never taken back does only if its name says of what.
func (c *Carrier) telling(m mark, reset bool, others []abs) bool {
	switch v := c.yes[0]; {
	case m.entry:
		c.Yes, c.No = "e", "n"
		return reset && (carrierWords.MatchString(c.Name) || isOfLibrary(m.typ, c.Acqs))
	case m.channel && !m.flag():
		return true
	case m.flag():
		c.Yes, c.No = "t", "f"
		return m.channel || reset || carrierWords.MatchString(c.Name)
	case v.k == wording || v.k == isInt:
		return (reset || len(others) > 0) && !slices.ContainsFunc(others, func(o abs) bool { return slices.Contains(c.yes, o) })
	case m.nillable():
		c.Yes, c.No = "e", "n"
		return reset && len(others) == 0
	}
	return false
}

// isOfLibrary reports whether a type is one of the library by which a lock is acquired.
func isOfLibrary(t types.Type, acqs []*Event) bool {
	name := strings.TrimPrefix(typeName(t), "*")
	i := strings.LastIndexByte(name, '.')
	return i > 0 && strings.HasPrefix(acqs[0].Key, name[:i+1])
}

func (c *Carrier) add(acqs []*Event) {
	for _, a := range acqs {
		if len(c.Acqs) < maxBeliefs && !slices.ContainsFunc(c.Acqs, func(b *Event) bool { return b.origin() == a.origin() }) {
			c.Acqs = append(c.Acqs, a)
		}
	}
	slices.SortFunc(c.Acqs, func(a, b *Event) int { return comparePlaces(a.origin(), b.origin()) })
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Pkg, b.Pkg), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}

// isZero reports whether a value says that the lock is not held.
func isZero(v abs) bool {
	return v.k == isNil || v.k == isBool && v.n == 0 || v.k == isInt && v.n == 0 || v.k == wording && v.name == ""
}

// setting is a mark that is made in holds.
type setting struct {
	mark
	acqs []*Event
	v    abs
}

// mark is a setting of a place.
type mark struct {
	in      ssa.Instruction
	name    string
	val     ssa.Value // nil when a channel is closed
	typ     types.Type
	arg     int // of the values noted at the instruction
	channel bool
	entry   bool // an entry of a map: that it is there tells
	gone    bool // and that it is taken out
}

func (m mark) flag() bool { return isBoolean(m.typ) }

func (m mark) nillable() bool {
	switch m.typ.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return !isError(m.typ)
	}
	return false
}

// marks lists the settings in the package, those made through setters at their calls.
func (p *places) marks() []mark {
	var out []mark
	setters := make(map[*ssa.Function][]mark)
	for _, f := range p.funcs {
		for _, m := range p.marksOf(f) {
			if q, ok := m.val.(*ssa.Parameter); ok && q.Parent() == f && f.Parent() == nil && len(p.calls[f]) > 0 {
				setters[f] = append(setters[f], m)
				continue
			}
			out = append(out, m)
		}
	}
	for _, f := range p.funcs {
		for _, m := range setters[f] {
			out = append(out, p.throughSetter(f, m, 0)...)
		}
	}
	return out
}

// maxSetters bounds the calls through which a value is handed to a setter.
const maxSetters = 3

func (p *places) throughSetter(f *ssa.Function, m mark, depth int) []mark {
	var out []mark
	i := slices.Index(f.Params, m.val.(*ssa.Parameter))
	for _, c := range p.calls[f] {
		if i >= len(c.Common().Args) {
			continue
		}
		n := m
		n.in, n.val, n.arg = c, c.Common().Args[i], i
		g := c.Parent()
		if q, ok := n.val.(*ssa.Parameter); ok && g.Parent() == nil && q.Parent() == g && len(p.calls[g]) > 0 && depth < maxSetters {
			out = append(out, p.throughSetter(g, n, depth+1)...)
			continue
		}
		out = append(out, n)
	}
	return out
}

func (p *places) marksOf(f *ssa.Function) []mark {
	var out []mark
	add := func(m mark) {
		if m.name != "" {
			out = append(out, m)
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if isMarkable(in.Val.Type()) && isLasting(in.Addr) {
					add(mark{in: in, name: p.name(in.Addr), val: in.Val, typ: in.Val.Type()})
				}
			case *ssa.MapUpdate:
				if !isShared(in.Value.Type()) {
					add(mark{in: in, name: partOf("elem", p.name(in.Map)), val: in.Value, typ: in.Value.Type(), entry: true})
				}
			case *ssa.Send:
				add(mark{in: in, name: p.name(in.Chan), val: in.X, typ: in.X.Type(), channel: true})
			case *ssa.Select:
				for i, st := range in.States {
					if st.Send != nil {
						add(mark{in: in, name: p.name(st.Chan), val: st.Send, typ: st.Send.Type(), arg: sendIndex(in, i), channel: true})
					}
				}
			case ssa.CallInstruction:
				p.marksOfCall(in, add)
			}
		}
	}
	return out
}

func sendIndex(s *ssa.Select, i int) int {
	n := 0
	for _, st := range s.States[:i] {
		if st.Send != nil {
			n++
		}
	}
	return n
}

func (p *places) marksOfCall(c ssa.CallInstruction, add func(mark)) {
	common := c.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok && b.Name() == "close" {
		ch := common.Args[0].Type().Underlying().(*types.Chan)
		add(mark{in: c, name: p.name(common.Args[0]), typ: ch.Elem(), channel: true})
		return
	}
	if b, ok := common.Value.(*ssa.Builtin); ok && b.Name() == "delete" {
		elem := common.Args[0].Type().Underlying().(*types.Map).Elem()
		if !isShared(elem) {
			add(mark{in: c, name: partOf("elem", p.name(common.Args[0])), typ: elem, entry: true, gone: true})
		}
		return
	}
	if m, ok := p.markOfSyncMap(c); ok {
		add(m)
		return
	}
	if atomicVerb(callKey(common)) != "store" || len(common.Args) < 2 {
		return
	}
	i := len(common.Args) - 1
	v := boxedIn(common.Args[i])
	add(mark{in: c, name: p.name(common.Args[0]), val: v, typ: v.Type(), arg: i})
}

// boxedIn is the value that was put into an interface.
func boxedIn(v ssa.Value) ssa.Value {
	if m, ok := v.(*ssa.MakeInterface); ok {
		return m.X
	}
	return v
}

// isMarkable reports whether values of a type can tell that a lock is held.
func isMarkable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsBoolean|types.IsInteger|types.IsString) != 0
	case *types.Pointer, *types.Interface:
		return !isError(t)
	}
	return false
}

// isLasting reports whether what is stored at an address can be seen by other code.
func isLasting(addr ssa.Value) bool {
	switch x := addr.(type) {
	case *ssa.FieldAddr, *ssa.Global, *ssa.FreeVar:
		return true
	case *ssa.Alloc:
		return slices.ContainsFunc(*x.Referrers(), func(r ssa.Instruction) bool { _, ok := r.(*ssa.MakeClosure); return ok })
	}
	return false
}

// exportCarriers lists the carriers that other packages can ask: by the exported names
// of their places. What is asked through a function travels with its summary.
func (a *Analysis) exportCarriers() []*Carrier {
	var out []*Carrier
	for _, root := range sortedKeys(a.carriers) {
		c := a.carriers[root]
		if c.names || c.Yes == "" && c.yes != nil && c.yes[0].k != nonNil {
			continue
		}
		for _, name := range a.places.members(root) {
			if exportedPlace(name) && !a.Imported.knows(name) {
				out = append(out, &Carrier{Name: name, Yes: c.Yes, No: c.No, told: c.told, Acqs: c.exported(a)})
			}
		}
	}
	if a.Imported != nil && len(a.Imported.Carriers) <= maxCarriers { // drivers hand on direct imports only
		for _, c := range a.Imported.Carriers {
			if !slices.ContainsFunc(out, func(o *Carrier) bool { return o.Name == c.Name }) {
				out = append(out, c)
			}
		}
	}
	return out
}

// maxCarriers bounds the carriers of other packages that a fact passes on.
const maxCarriers = 64

// Register says at which place the register has an acquisition that others believe in.
func (a *Analysis) Register(acq Place, at Step) {
	if a.registered == nil {
		a.registered = make(map[Place]Step)
	}
	a.registered[acq] = at
}

// exported are the acquisitions without what only their own package understands.
func (c *Carrier) exported(a *Analysis) []*Event {
	var out []*Event
	for _, e := range c.Acqs {
		n := &Event{Kind: Acquire, Key: e.Key, Entry: e.Entry, Lib: e.Lib, Recv: foreign(e.Recv), Chain: e.Chain[:1], Belief: e.Belief}
		if at, ok := a.registered[e.origin()]; ok {
			n.Belief = &at
		}
		for _, t := range e.Args {
			n.Args = append(n.Args, foreign(t))
		}
		n.Hold = &Hold{Handle: foreign(e.Hold.Handle), Lock: e.Hold.Lock, Lib: e.Hold.Lib}
		out = append(out, n)
	}
	return out
}

// exportedPlace reports whether other packages can name a place: an exported field or
// variable, or the result of a function.
func exportedPlace(name string) bool {
	kind, rest, _ := strings.Cut(name, " ")
	switch kind {
	case "field", "var":
		return token.IsExported(rest[strings.LastIndexByte(rest, '.')+1:])
	case "result":
		return !strings.Contains(rest, "$")
	}
	return false
}

// beliefs are the carriers of the imported packages.
func (im *Imported) beliefs() []*Carrier {
	if im == nil {
		return nil
	}
	return im.Carriers
}

// knows reports whether an imported carrier has the name.
func (im *Imported) knows(name string) bool {
	return slices.ContainsFunc(im.beliefs(), func(c *Carrier) bool { return c.Name == name })
}

// believes reports whether an imported carrier names something of a package.
func (im *Imported) believes(path string) bool {
	return slices.ContainsFunc(im.beliefs(), func(c *Carrier) bool { return strings.Contains(c.Name, path+".") })
}
