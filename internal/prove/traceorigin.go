package prove

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// token tells which values are taken for the token, and where they come from.
func (t *tracer) token(s *seen, tokens []fence.Arg, why string) {
	if len(tokens) == 0 {
		t.add(Token, 0, "none: no value is an epoch, and none is compared and stored")
		return
	}
	for i := range s.bs {
		b := &s.bs[i]
		if slices.Contains(tokens, b.arg) {
			t.add(Token, 0, string(b.arg)+", since "+why)
			t.travel(b.arg)
			t.origins(b.term)
		}
	}
}

// names tells where the values come from by which a condition names an owner.
func (t *tracer) names(s *seen) {
	for _, a := range fence.CondArgs(s.m.Guard) {
		i := slices.IndexFunc(s.bs, func(b bound) bool { return b.arg == a })
		if i < 0 || unboxed(s.bs[i].term).Kind == term.Const {
			continue
		}
		t.add(Token, 0, string(a)+" is compared in its place")
		t.travel(a)
		t.origins(s.bs[i].term)
	}
}

// travel follows an argument of a statement from the write up to the function in
// whose terms it is known, through the parameters of the functions between.
func (t *tracer) travel(a fence.Arg) {
	c := t.j.models.FuncKey(t.w.Key)
	if c == nil || c.Sink == nil || c.Sink.Dialect != "sql" {
		return
	}
	var levels []*flow.Event
	for e := t.w; e != nil; e = e.Source() {
		levels = append(levels, e)
	}
	slices.Reverse(levels)
	last := ""
	step := func(at flow.Step, what string) {
		text := "in " + funcName(at.Func) + " it is " + what
		if text != last {
			t.steps = append(t.steps, Reason{Kind: Origin, Text: text, Place: at.Place, Depth: 1})
		}
		last = text
	}
	var below *term.Term
	var given ast.Expr
	for i, e := range levels {
		if i > 0 {
			if as := t.j.givenAs(unboxed(below), levels[i-1].Chain[0].Func, e.Chain[0]); as != nil {
				given = as
				step(e.Chain[0], shortened(types.ExprString(as)))
			} else if i < len(levels)-1 {
				_, args := t.j.statement(e)
				step(e.Chain[0], t.j.show(t.j.argument(a, args), e.Chain[0].Func))
			}
		}
		_, args := t.j.statement(e)
		if below = t.j.argument(a, args); i == 0 && len(levels) > 1 {
			step(e.Chain[0], t.j.show(below, e.Chain[0].Func))
		}
	}
	if given != nil {
		t.way(given, 2)
	}
	if i, ok := a.Position(); ok && len(levels) == 1 {
		if e := t.sentAs(i, t.w.Chain[0]); e != nil {
			t.way(e, 1)
		}
	}
}

// givenAs is the argument that a call gives a function as the parameter that v is, nil if v
// is none or the call is not in this package.
func (j *judge) givenAs(v *term.Term, fn string, at flow.Step) ast.Expr {
	sig, call := j.signatureOf(fn), j.callAt(at.Pos)
	if v.Kind != term.Param || sig == nil || call == nil || !at.Pos.IsValid() {
		return nil
	}
	n := v.N
	if sig.Recv() != nil {
		n--
	}
	if n < 0 || n >= len(call.Args) || len(call.Args) != sig.Params().Len() {
		return nil
	}
	return call.Args[n]
}

// origins notes each step on the way back from a value.
func (t *tracer) origins(v *term.Term) {
	tr := &trail{fn: t.fn}
	t.j.trail = tr
	t.j.origins(v)
	t.j.trail = nil
	t.steps = append(t.steps, tr.steps...)
}

// trail notes the steps of an origin while it is looked for.
type trail struct {
	fn    string
	level int
	steps []Reason
}

// maxTrail bounds the steps that are told.
const maxTrail = 40

func (tr *trail) origin(j *judge, t *term.Term, depth int) []origin {
	if t.Kind == term.Iface || len(tr.steps) >= maxTrail {
		return j.originStep(t, depth)
	}
	at := len(tr.steps)
	tr.level++
	step := Reason{Kind: Origin, Text: j.describe(t, tr.fn), Depth: tr.level}
	if pos := j.sourceOf(t); pos.IsValid() {
		step.Place = j.a.PlaceOf(pos)
	}
	tr.steps = append(tr.steps, step)
	out := j.originStep(t, depth)
	tr.end(at, out)
	tr.issued(j, t, at, out)
	tr.level--
	return out
}

// end adds to a step what its value is worth, unless the steps behind it tell.
func (tr *trail) end(at int, out []origin) {
	if len(out) == 0 {
		return
	}
	if lost := originWith(&bound{origins: out}, unknownFrom); lost.class != "" {
		if !slices.ContainsFunc(tr.steps[at:], func(r Reason) bool { return r.Kind == Lost }) {
			tr.steps = append(tr.steps, Reason{Kind: Lost, Text: "certainty ends here: " + orWord(lost.reason, "nothing is known of it"), Place: tr.steps[at].Place, Depth: tr.level + 1})
		}
		return
	}
	if len(tr.steps) != at+1 {
		return
	}
	step := &tr.steps[at]
	if out[0].class == handedIn {
		step.Kind = Lost
		step.Text += ": certainty ends here"
	}
	step.Text += ": " + worthOf(&out[0])
}

// issued adds to a number that a lock gives out the call that asks for it.
func (tr *trail) issued(j *judge, t *term.Term, at int, out []origin) {
	if len(tr.steps) != at+1 || t.Kind != term.Field || len(out) != 1 || out[0].handle == nil {
		return
	}
	asked := t.Args[0]
	step := Reason{Kind: Origin, Text: "of " + j.describe(asked, tr.fn), Depth: tr.level + 1}
	if pos := j.sourceOf(asked); pos.IsValid() {
		step.Place = j.a.PlaceOf(pos)
	}
	tr.steps = append(tr.steps, step)
}

// worthOf says in words what a value is worth as a token.
func worthOf(o *origin) string {
	text := classWords[o.class]
	if w := worths[o.class]; w != "" {
		text = string(o.class) + ", " + w
	}
	if o.source != "" {
		text += " (" + o.source + ")"
	}
	return text
}

var classWords = map[class]string{
	epoch: "an epoch, issued with the grant", epochReread: "an epoch, read again after the grant",
	constant: "a constant", stored: "read from a receiver", handedIn: "supplied by a caller that is not in sight",
}

// describe says in words what a term is.
func (j *judge) describe(t *term.Term, fn string) string {
	shown := j.show(t, fn)
	switch t.Kind {
	case term.Unknown:
		return "a value that is not followed"
	case term.Const:
		return "the constant " + shown
	case term.Param:
		return "parameter " + shown + " of " + funcName(fn)
	case term.Global:
		return "the package variable " + shown
	case term.Call:
		return callText(t, shown)
	case term.Field:
		return "the field " + shortKey(t.Str)
	case term.Alt:
		return fmt.Sprintf("one of %d values", len(t.Args))
	case term.Convert:
		if t.Str == flow.OtherBase {
			return "written in digits of another base, whose order is another one"
		}
		if narrowing[t.Str] {
			return "converted to " + t.Str + ", which loses digits"
		}
		return "converted to " + t.Str
	case term.Op:
		return "computed as " + shown
	}
	return shown
}

func callText(t *term.Term, shown string) string {
	switch {
	case t.N >= flow.OutParam:
		return "written by " + shown
	case t.N > 0:
		return fmt.Sprintf("result %d of %s", t.N+1, shown)
	}
	return "the result of " + shown
}

// sourceOf is where a step can be read: a call, or the declaration of a field.
func (j *judge) sourceOf(t *term.Term) token.Pos {
	switch t.Kind {
	case term.Call:
		if pos, ok := j.a.SitePos(t.Site); ok {
			return pos
		}
	case term.Field:
		return j.fieldPos(t.Str)
	}
	return token.NoPos
}

// fieldPos finds the declaration of "path.Type.field" in this package.
func (j *judge) fieldPos(name string) token.Pos {
	member, ok := strings.CutPrefix(name, j.u.Pkg.Path()+".")
	typ, field, ok2 := strings.Cut(member, ".")
	if !ok || !ok2 {
		return token.NoPos
	}
	obj, ok := j.u.Pkg.Scope().Lookup(typ).(*types.TypeName)
	if !ok {
		return token.NoPos
	}
	s, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		return token.NoPos
	}
	for i := range s.NumFields() {
		if s.Field(i).Name() == field {
			return s.Field(i).Pos()
		}
	}
	return token.NoPos
}

// maxShown bounds the text of one value.
const maxShown = 90

var paramWords = pattern.New(`(parameter|captured variable) (\d+)`)

// show writes a value with the names of the function's parameters.
func (j *judge) show(t *term.Term, fn string) string {
	if t.Kind == term.Unknown {
		return "not known" + prefixed(": ", t.Str)
	}
	return shortened(j.inNames(t.String(), fn))
}

// inNames puts the names of a function's parameters, and of the variables that a literal
// captures, in a text that numbers them.
func (j *judge) inNames(text, fn string) string {
	return paramWords.Regexp().ReplaceAllStringFunc(text, func(m string) string {
		i := strings.LastIndexByte(m, ' ')
		n, _ := strconv.Atoi(m[i+1:])
		if name := j.a.NameOf(fn, n, m[:i] != "parameter"); name != "" {
			return name
		}
		if name := paramName(j.signatureOf(fn), n); name != "" && m[:i] == "parameter" {
			return name
		}
		return m + literalWords(fn)
	})
}

func literalWords(fn string) string {
	if strings.Contains(fn, "$") {
		return " of the function literal"
	}
	return ""
}

// shortened writes a text on one line that is not too long.
func shortened(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxShown {
		return string(r[:maxShown-1]) + "…"
	}
	return s
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// paramName is the name of a parameter, the receiver being number 0 where there is one.
func paramName(sig *types.Signature, n int) string {
	if sig == nil {
		return ""
	}
	if r := sig.Recv(); r != nil {
		if n == 0 {
			return r.Name()
		}
		n--
	}
	if n >= sig.Params().Len() {
		return ""
	}
	return sig.Params().At(n).Name()
}

// signatureOf finds the function of an id such as "path.F" or "(*path.T).M", nil for
// a literal or one whose types are not loaded.
func (j *judge) signatureOf(id string) *types.Signature {
	if strings.Contains(id, "$") {
		return nil
	}
	if sig, ok := j.signatures[id]; ok {
		return sig
	}
	if j.signatures == nil {
		j.signatures = make(map[string]*types.Signature)
	}
	j.signatures[id] = j.findSignature(id)
	return j.signatures[id]
}

func (j *judge) findSignature(id string) *types.Signature {
	name := plainName(id)
	i := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[i:], '.')
	if dot < 0 {
		return nil
	}
	path, member := name[:i+dot], name[i+dot+1:]
	for _, p := range j.reachable() {
		if p.Path() == path {
			return memberSignature(p, member)
		}
	}
	return nil
}

func memberSignature(p *types.Package, member string) *types.Signature {
	typ, method, isMethod := strings.Cut(member, ".")
	obj := p.Scope().Lookup(typ)
	if isMethod && obj != nil {
		obj, _, _ = types.LookupFieldOrMethod(types.NewPointer(obj.Type()), true, p, method)
	}
	if f, ok := obj.(*types.Func); ok {
		return f.Signature()
	}
	return nil
}
