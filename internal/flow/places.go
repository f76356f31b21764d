package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// places names where a value is kept, or which channel it is, whoever the owner: a
// field by its type, a package variable, a captured variable, a channel by where it is
// made. What is handed on by assignment, call or return gets one name.
type places struct {
	a       *Analysis
	parent  map[string]string
	tainted map[string]bool // channels that code out of sight may send on
	calls   map[*ssa.Function][]ssa.CallInstruction
	funcs   []*ssa.Function // of the package without its tests, with their literals
	linked  map[string]bool
	phis    map[*ssa.Phi]string
}

// newPlaces reads the whole package.
func newPlaces(a *Analysis) *places {
	p := &places{
		a: a, parent: make(map[string]string), tainted: make(map[string]bool),
		calls: make(map[*ssa.Function][]ssa.CallInstruction), linked: make(map[string]bool), phis: make(map[*ssa.Phi]string),
	}
	for _, f := range a.roots {
		if !a.function(f).inTest() {
			p.collect(f)
		}
	}
	for _, f := range p.funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				p.read(f, in)
			}
		}
	}
	return p
}

func (p *places) collect(f *ssa.Function) {
	p.funcs = append(p.funcs, f)
	for _, lit := range f.AnonFuncs {
		p.collect(lit)
	}
}

func (p *places) find(name string) string {
	for p.parent[name] != "" {
		name = p.parent[name]
	}
	return name
}

func (p *places) join(a, b string) {
	if a, b = p.find(a), p.find(b); a == b || a == "" || b == "" {
		return
	}
	if b < a {
		a, b = b, a // the answer does not depend on the order
	}
	p.parent[b] = a
	p.tainted[a] = p.tainted[a] || p.tainted[b]
}

// read joins the places between which an instruction hands something on.
func (p *places) read(f *ssa.Function, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		if isShared(in.Val.Type()) {
			p.handOn(p.name(in.Addr), in.Val)
		}
	case *ssa.MapUpdate:
		if isShared(in.Value.Type()) {
			p.handOn(partOf("elem", p.name(in.Map)), in.Value)
		}
		if isShared(in.Key.Type()) {
			p.handOn(partOf("key", p.name(in.Map)), in.Key)
		}
	case *ssa.Return:
		for i, v := range in.Results {
			if isShared(v.Type()) {
				p.handOn(resultName(funcID(f), i), v)
			}
		}
	case ssa.CallInstruction:
		p.readCall(in)
	}
}

func (p *places) readCall(c ssa.CallInstruction) {
	common := c.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok && b.Name() == "append" {
		anyOfList(common.Args[1], func(v ssa.Value) bool {
			if isShared(v.Type()) {
				p.handOn(partOf("elem", p.name(common.Args[0])), v)
			}
			return false
		})
	}
	if call, ok := c.(*ssa.Call); ok && common.IsInvoke() {
		for i := range common.Signature().Results().Len() {
			p.nameOfResult(call, i)
		}
	}
	callee := common.StaticCallee()
	if callee != nil {
		callee = origin(callee)
	}
	if callee == nil || p.a.byID[p.a.known.id(callee)] == nil {
		for _, v := range common.Args {
			if ch, ok := v.Type().Underlying().(*types.Chan); ok && ch.Dir() != types.RecvOnly && !isBuiltin(common) && !receives(common, v) {
				p.taint(p.name(v))
			}
		}
		return
	}
	p.calls[callee] = append(p.calls[callee], c)
	for i, v := range common.Args {
		if isShared(v.Type()) && i < len(callee.Params) {
			p.handOn(paramName(callee, i), v)
		}
	}
}

// receives reports whether the function called takes the channel as one to receive from.
func receives(c *ssa.CallCommon, v ssa.Value) bool {
	params := c.Signature().Params()
	skip := len(c.Args) - params.Len()
	for i, a := range c.Args {
		if k := i - skip; a == v && k >= 0 && k < params.Len() {
			ch, ok := params.At(k).Type().Underlying().(*types.Chan)
			return ok && ch.Dir() == types.RecvOnly
		}
	}
	return false
}

func isBuiltin(c *ssa.CallCommon) bool {
	_, ok := c.Value.(*ssa.Builtin)
	return ok
}

// handOn joins a place with the value put there; one of which nothing is known may be
// anybody's channel.
func (p *places) handOn(to string, v ssa.Value) {
	if isNilConst(v) {
		return
	}
	from := p.name(v)
	if from == "" {
		p.taint(to)
	}
	p.join(to, from)
}

func (p *places) taint(name string) {
	if name != "" {
		p.tainted[p.find(name)] = true
	}
}

// partOf names what a list or map holds, "" if it is not known which.
func partOf(what, name string) string {
	if name == "" {
		return ""
	}
	return what + " of " + name
}

// isShared reports whether a copy of a value of the type is the same thing: a channel,
// a function, or the address of a flag.
func isShared(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	}
	ptr, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, basic := ptr.Elem().Underlying().(*types.Basic)
	return basic || isAtomic(ptr.Elem())
}

// isAtomic reports whether a type is one of an atomic package.
func isAtomic(t types.Type) bool {
	name := strings.TrimPrefix(typeName(t), "*")
	i := strings.LastIndexByte(name, '.')
	return i > 0 && (name[:i] == "atomic" || strings.HasSuffix(name[:i], "/atomic"))
}

func paramName(f *ssa.Function, i int) string { return "param " + funcID(f) + "#" + strconv.Itoa(i) }

func resultName(id string, i int) string { return "result " + id + "#" + strconv.Itoa(i) }

// name is the place that an address leads to, or the channel that a value is; "" if
// that is not known.
func (p *places) name(v ssa.Value) string {
	for range 20 {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			return "field " + p.a.known.field(x.X.Type(), x.Field)
		case *ssa.Field:
			return "field " + p.a.known.field(x.X.Type(), x.Field)
		case *ssa.Global:
			return globalName(x)
		case *ssa.Alloc:
			return "local " + p.a.function(x.Parent()).siteOf(x)
		case *ssa.MakeChan:
			return "chan " + p.a.function(x.Parent()).siteOf(x)
		case *ssa.Parameter:
			for i, q := range x.Parent().Params {
				if q == x {
					return paramName(x.Parent(), i)
				}
			}
			return ""
		case *ssa.Function:
			return "func " + funcID(origin(x))
		case *ssa.MakeClosure:
			return "func " + funcID(origin(x.Fn.(*ssa.Function)))
		case *ssa.IndexAddr:
			return partOf("elem", p.name(x.X))
		case *ssa.Index:
			return partOf("elem", p.name(x.X))
		case *ssa.Lookup:
			return partOf("elem", p.name(x.X))
		case *ssa.FreeVar:
			b := binding(x)
			if b == nil {
				return ""
			}
			v = b
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return ""
			}
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Phi:
			return p.nameOfPhi(x)
		case *ssa.Extract:
			return p.nameOfPart(x)
		case *ssa.Call:
			return p.nameOfResult(x, 0)
		default:
			return ""
		}
	}
	return ""
}

// nameOfPart is the place that a part of a tuple comes from.
func (p *places) nameOfPart(x *ssa.Extract) string {
	switch t := x.Tuple.(type) {
	case *ssa.Call:
		return p.nameOfResult(t, x.Index)
	case *ssa.Lookup:
		if x.Index == 0 {
			return partOf("elem", p.name(t.X))
		}
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok && x.Index == 1 {
			return partOf("key", p.name(r.X))
		} else if ok && x.Index == 2 {
			return partOf("elem", p.name(r.X))
		}
	}
	return ""
}

func globalName(g *ssa.Global) string { return "var " + g.Pkg.Pkg.Path() + "." + g.Name() }

// nameOfPhi gives the phi a name of its own, so that one that depends on itself has one,
// and joins it with what comes in.
func (p *places) nameOfPhi(phi *ssa.Phi) string {
	if name, ok := p.phis[phi]; ok {
		return name
	}
	own := "phi " + p.a.function(phi.Parent()).siteOf(phi)
	p.phis[phi] = own
	for _, e := range phi.Edges {
		if isNilConst(e) {
			continue
		}
		n := p.name(e)
		if n == "" {
			p.phis[phi] = ""
			return ""
		}
		p.join(own, n)
	}
	return own
}

// nameOfResult is the place that a call gives out.
func (p *places) nameOfResult(c *ssa.Call, i int) string {
	common := c.Common()
	if common.IsInvoke() {
		name := resultName(common.Method.FullName(), i)
		p.link(name, common.Method, i)
		return name
	}
	if b, ok := common.Value.(*ssa.Builtin); ok && b.Name() == "append" {
		return p.name(common.Args[0])
	}
	callee := common.StaticCallee()
	if callee == nil {
		return ""
	}
	callee = origin(callee)
	id := funcID(callee)
	if p.a.toldByChannel(c) {
		return "chan " + p.a.function(c.Parent()).siteOf(c)
	}
	if p.a.byID[id] != nil {
		return resultName(id, i)
	}
	if p.a.Imported.knows(resultName(id, i)) {
		return resultName(id, i)
	}
	if s := p.a.byName(id); s != nil && i < len(s.Results) {
		return placeOfTerm(s.Results[i])
	}
	return ""
}

// placeOfTerm is the place that a result of a function of another package comes from.
func placeOfTerm(t *term.Term) string {
	switch {
	case t == nil:
		return ""
	case t.Kind == term.Field && t.Str != "*":
		return "field " + t.Str
	case t.Kind == term.Global:
		return "var " + t.Str
	case t.Kind == term.Call && len(t.Args) == 1 && atomicVerb(t.Str) == "load":
		return placeOfTerm(t.Args[0])
	}
	return ""
}

// link joins the result of an interface's method with those of the types that are seen
// to have it: all of them, for which one is meant is not known here.
func (p *places) link(name string, m *types.Func, i int) {
	if p.linked[name] || !isShared(m.Signature().Results().At(i).Type()) {
		return
	}
	p.linked[name] = true
	recv := m.Signature().Recv()
	iface, ok := recv.Type().Underlying().(*types.Interface)
	if !ok {
		return
	}
	for _, n := range p.implementers(iface) {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, m.Pkg(), m.Name())
		if fn, ok := obj.(*types.Func); ok {
			p.join(name, resultName(fn.Origin().FullName(), i))
		}
	}
}

// implementers lists the types of this package and of those that it imports that
// implement an interface.
func (p *places) implementers(iface *types.Interface) []*types.Named {
	var out []*types.Named
	for _, pkg := range append([]*types.Package{p.a.Pkg}, p.a.Pkg.Imports()...) {
		if pkg != p.a.Pkg && !p.a.Imported.believes(pkg.Path()) {
			continue
		}
		for _, name := range pkg.Scope().Names() {
			tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
				continue
			}
			if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() == 0 && types.Implements(types.NewPointer(n), iface) {
				out = append(out, n)
			}
		}
	}
	return out
}

// members lists the names of one place.
func (p *places) members(root string) []string {
	out := []string{root}
	for name := range p.parent {
		if p.find(name) == root {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// atomicVerb says what a function of an atomic package does: "load", "store", "" for others.
func atomicVerb(key string) string {
	i := strings.LastIndexByte(key, '/')
	if !strings.HasPrefix(key[i+1:], "atomic.") {
		return ""
	}
	switch name := key[strings.LastIndexByte(key, '.')+1:]; {
	case strings.HasPrefix(name, "Load"):
		return "load"
	case strings.HasPrefix(name, "Store"), strings.HasPrefix(name, "Swap"), strings.HasPrefix(name, "CompareAndSwap"), name == "CAS", name == "Set":
		return "store"
	}
	return ""
}
