package prove

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// seen is the write behind a decision, kept where the reasoning is asked for.
type seen struct {
	text text
	m    *fence.Mutation
	bs   []bound
}

// trace gives the steps behind the verdict on one boundary; nil if nobody asks.
func (j *judge) trace(p *pair, d decision) []Reason {
	if !j.o.Trace {
		return nil
	}
	t := &tracer{j: j, w: p.w, fn: p.sum.ID, compared: d.compared}
	t.calls()
	if d.seen != nil {
		tokens, why := j.tokensOf(p, d.seen)
		t.write(d.seen, tokens, why)
		if len(tokens) == 0 && d.guard == "owner" {
			t.names(d.seen)
		}
	} else {
		t.unread()
	}
	if p.w.Decl != nil {
		t.declared()
	}
	t.comparison(p, d.seen == nil)
	if (d.guarded || d.column != "" || d.rule == "rejectionignored") && (d.compared == nil || d.seen == nil) {
		t.refusal(p)
	}
	t.ruled(p, d)
	return t.steps
}

// tracer collects the steps of one boundary.
type tracer struct {
	j     *judge
	w     *flow.Event
	fn    string // function in whose terms the write is given
	steps []Reason
	// compared is the comparison in the program on which the verdict rests, nil if it rests on
	// none.
	compared *flow.Cond
}

func (t *tracer) add(kind ReasonKind, depth int, text string) {
	t.steps = append(t.steps, Reason{Kind: kind, Text: text, Depth: depth})
}

func (t *tracer) at(kind ReasonKind, place Place, text string) {
	t.steps = append(t.steps, Reason{Kind: kind, Text: text, Place: place})
}

// calls is the way from the hold to the write.
func (t *tracer) calls() {
	last := len(t.w.Chain) - 1
	for i, s := range t.w.Chain {
		text := "in " + funcName(s.Func)
		if i == last {
			text += ": " + t.j.exprAt(s, t.w.Key)
		} else if c := t.j.callAt(s.Pos); c != nil && s.Pos.IsValid() {
			text += ": " + shortened(types.ExprString(c))
		}
		t.at(Called, s.Place, text)
	}
}

// tokensOf are the arguments that the judgement took for the token, and why.
func (j *judge) tokensOf(p *pair, s *seen) ([]fence.Arg, string) {
	var own []fence.Arg
	for i := range s.bs {
		if j.ownEpoch(p, &s.bs[i]) {
			own = append(own, s.bs[i].arg)
		}
	}
	if len(own) > 0 {
		return own, "it is an epoch of this lock"
	}
	return tokenOf(s.m)
}

// write tells what a statement says, and what its values are worth.
func (t *tracer) write(s *seen, tokens []fence.Arg, why string) {
	if s.text.s != "" {
		t.statement(s.text)
	}
	m := s.m
	t.add(Written, 0, writeText(m))
	if m.Guard != nil {
		t.add(Condition, 0, fence.Text(m.Guard))
	} else {
		t.add(Condition, 0, "none")
	}
	for _, x := range m.Problems {
		t.add(Condition, 1, "not understood: "+strings.TrimSpace(x.Reason+" "+clean(x.Text)))
	}
	for _, b := range s.bs {
		t.add(Argument, 0, string(b.arg)+" is "+t.j.show(b.term, t.fn))
	}
	t.token(s, tokens, why)
	if t.compared != nil {
		return // the statement alone orders nothing
	}
	v := fence.Prove(m, func(a fence.Arg) bool { return slices.Contains(tokens, a) })
	t.ordering(&v, len(tokens) > 0)
}

func writeText(m *fence.Mutation) string {
	what := m.Kind.String() + " of " + m.Resource
	var set []string
	for _, a := range m.Set {
		set = append(set, a.Column+" = "+fence.TermText(a.Value))
	}
	if len(set) == 0 {
		for _, a := range m.InsertRow {
			set = append(set, a.Column+" = "+fence.TermText(a.Value))
		}
	}
	if len(set) > 0 {
		what += ": " + strings.Join(set, ", ")
	}
	return clean(what)
}

// statement is the text with its holes.
func (t *tracer) statement(x text) {
	t.add(Statement, 0, clean(x.s))
	for i, h := range x.holes {
		from := h.Reason
		if i < len(x.from) && x.from[i] != nil && x.from[i].Kind != term.Unknown {
			from = t.j.show(x.from[i], t.fn)
		}
		if h.Ident {
			from += ", which is a plain word"
		}
		t.add(Hole, 1, fmt.Sprintf("hole %d is %s", i+1, from))
	}
}

// clean writes a text on one line, holes as {…}.
func clean(s string) string {
	return holesShown(strings.Join(strings.Fields(s), " "))
}

// holesShown writes holes as {…} in a text for people.
func holesShown(s string) string {
	if !strings.ContainsFunc(s, isHole) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isHole(r) {
			b.WriteString("{…}")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unread shows the statement of a write whose condition played no part.
func (t *tracer) unread() {
	c := t.j.models.FuncKey(t.w.Key)
	if c == nil || c.Sink == nil || c.Sink.Dialect != "sql" {
		t.called()
		return
	}
	stmt, _ := t.j.statement(t.w)
	for _, x := range texts(stmt) {
		if x.none != "" {
			t.add(Statement, 0, "not known: "+x.none)
		} else {
			t.statement(x)
		}
	}
}

// called shows a call that sends no text, with its values as far as they are known.
func (t *tracer) called() {
	text := shortKey(t.w.Key)
	if last := t.w.Chain[len(t.w.Chain)-1]; last.Pos.IsValid() {
		if c := t.j.callAt(last.Pos); c != nil {
			text = shortened(types.ExprString(c))
		}
	}
	t.add(Statement, 0, text)
	if t.w.Recv != nil && t.w.Recv.Kind == term.Call {
		t.add(Argument, 0, "it is called on "+t.j.show(t.j.widen(t.w.Recv), t.fn))
	}
	for i, a := range t.w.Args {
		if a.Kind != term.Unknown && (i > 0 || !t.isContext(a)) && !flow.IsEffect(a) {
			t.add(Argument, 0, fmt.Sprintf("argument %d is %s", i+1, t.j.show(t.j.widen(a), t.fn)))
		}
	}
	t.key()
}

// isContext reports whether a value is a parameter that is a context, which says
// nothing of a write.
func (t *tracer) isContext(a *term.Term) bool {
	name := t.j.show(a, t.fn)
	return name == "ctx" || strings.HasPrefix(name, "context.")
}

// declared tells what a directive says of the receiver.
func (t *tracer) declared() {
	d := t.w.Decl
	t.add(Written, 0, "declared by a directive: writes to "+orWord(d.Resource, "a resource without a name"))
	if d.Fence < 0 || d.Fence >= len(t.w.Args) {
		t.add(Condition, 0, "none that the directive names")
		return
	}
	t.add(Condition, 0, "the receiver refuses an older epoch, as declared")
	value := t.w.Args[d.Fence]
	t.add(Token, 0, "the epoch is "+t.j.show(value, t.fn))
	t.origins(value)
}

// ordering is the table behind the verdict.
func (t *tracer) ordering(v *fence.Verdict, some bool) {
	if !some || v.Column == "" {
		return
	}
	column := strings.TrimPrefix(v.Table+"."+v.Column, ".")
	for _, o := range Orderings(v) {
		t.add(Ordered, 0, column+" "+orderWords[o.Stored]+": "+o.Answer)
	}
	t.add(Ordered, 0, "an accepted write: "+column+" "+Advance(v))
}

var orderWords = map[string]string{"greater": "> token (an obsolete owner)", "equal": "= token", "less": "< token", "null": "is NULL"}

// refusal tells what becomes of a "no" of the receiver.
func (t *tracer) refusal(p *pair) {
	if heard, how := t.j.heard(p); !heard {
		t.add(Refusal, 0, "is lost: "+how)
		return
	}
	t.noticed("is noticed: ", func(o flow.Outcome) bool { return !o.Compared() })
}

// noticed tells by what the outcomes of one kind say no.
func (t *tracer) noticed(what string, of func(flow.Outcome) bool) {
	var ways []string
	for _, o := range t.w.Outcomes {
		if w := heardBy(o); of(o) && !slices.Contains(ways, w) {
			ways = append(ways, w)
		}
	}
	if len(ways) > 0 {
		t.add(Refusal, 0, what+strings.Join(ways, "; or "))
	}
}

// comparison tells of the comparison in the program on which the verdict rests, where that is
// all, with the way of the epoch in it.
func (t *tracer) comparison(p *pair, token bool) {
	if t.compared == nil {
		return
	}
	c := *t.compared
	op := c.Term.Str
	if !c.Want {
		op = negated[op]
	}
	t.add(Condition, 0, "in the program, before it: "+t.j.show(c.Term.Args[0], t.fn)+" "+op+" "+t.j.show(c.Term.Args[1], t.fn))
	for _, a := range c.Term.Args {
		if b := (bound{term: a, origins: t.j.origins(a)}); token && t.j.ownEpoch(p, &b) {
			t.add(Token, 0, "the epoch that is compared")
			t.origins(a)
		}
	}
	if heard, how := t.j.heardCompared(p, c); !heard {
		t.add(Refusal, 0, "of the program itself is lost: "+how)
		return
	}
	t.noticed("of the program itself: ", func(o flow.Outcome) bool { return o.ComparedAt(c) })
}

func heardBy(o flow.Outcome) string {
	switch {
	case o.Answered:
		return "the peer is told no"
	case o.Observed:
		return "it is sent on, stored, or ends the process"
	case flow.SaysNo(o.Returns):
		return "the function returns an error or a no"
	}
	return "a way that is not followed further"
}

// ruled names the rule that reports the boundary, and what would accept it.
func (t *tracer) ruled(p *pair, d decision) {
	first := p.w.Chain[0]
	switch {
	case d.rule == "":
		return
	case p.class().Class == "efficiency":
		t.add(Ruled, 0, d.rule+", were the lock one for correctness")
		return
	case p.class().Class != "correctness":
		t.add(Ruled, 0, d.rule+", once the lock is declared one for correctness")
		return
	case d.verdict == waiting:
		t.add(Ruled, 0, d.rule+", unless a caller supplies what is missing")
		return
	}
	if first.Pos.IsValid() {
		for _, a := range t.j.set.AcceptsOn(first.Pos) {
			if a.Rule == d.rule {
				t.at(Decided, t.j.a.PlaceOf(a.Dir.Pos), a.Dir.Text)
				return
			}
		}
	}
	t.at(Ruled, first.Place, d.rule+"; //fencelint:accept "+d.rule+` reason="…" above this line accepts it`)
}

// loose lists the writes of the package that no visible hold reaches.
func (j *judge) loose(sums []*flow.Summary) []Boundary {
	var out []Boundary
	reached := make(map[*flow.Event]bool)
	for _, s := range sums {
		for _, w := range s.Events {
			if len(w.Holds) > 0 {
				reached[rootEvent(w)] = true
			}
		}
	}
	for _, s := range sums {
		for _, w := range s.Events {
			if w.Kind != flow.Write || w.Source() != nil || reached[w] || len(w.Chain) == 0 || !w.Chain[0].Pos.IsValid() || w.Decl == nil && j.isRead(w) {
				continue
			}
			out = append(out, j.looseWrite(s, w))
		}
	}
	slices.SortStableFunc(out, func(a, b Boundary) int { return comparePlaces(a.Place, b.Place) })
	return out
}

func (j *judge) looseWrite(s *flow.Summary, w *flow.Event) Boundary {
	t := &tracer{j: j, w: w, fn: s.ID}
	t.calls()
	b := Boundary{Place: w.Chain[0].Place, Receiver: clean(j.receiverOf(&pair{sum: s, w: w})), Guard: "unknown", Reason: "no hold in sight reaches it"}
	found := j.mutationsOf(w)
	for _, x := range found {
		r := ReadWrite(x.m, nil, nil)
		t.write(x, r.Tokens, r.Why)
		b.Guard = r.Guard
	}
	if len(found) == 0 {
		t.unread()
	}
	if w.Decl != nil {
		t.declared()
	}
	b.Trace = t.steps
	return b
}

// mutationsOf reads the statement of a write by itself.
func (j *judge) mutationsOf(w *flow.Event) []*seen {
	c := j.models.FuncKey(w.Key)
	if c == nil || c.Sink == nil || c.Sink.Dialect != "sql" {
		return nil
	}
	stmt, args := j.statement(w)
	forms := texts(stmt)
	if len(forms) == 0 || forms[0].none != "" {
		return nil
	}
	var out []*seen
	script := j.scripts(w)[0]
	args = askedFor(script, args)
	for _, st := range script.Statements {
		for _, m := range st.Mutations {
			out = append(out, &seen{forms[0], m, j.bind(mutationArgs(m), args)})
		}
	}
	return out
}
