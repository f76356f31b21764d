package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// start is one way in which a call can tell of a refusal.
type start struct {
	scenario string
	tuple    []abs
	flags    flags
	ends     bool // it does not come back
}

// findOutcomes follows the refusal of each write to the ends of the function.
func (f *fn) findOutcomes(sum *Summary) {
	r := refusals{fn: f, walks: make(map[*site][]refusal)}
	for _, e := range sum.Events {
		if e.Detached || e.site.call == nil || e.Kind != Write && e.Kind != Dyn {
			continue
		}
		for _, st := range f.starts(e) {
			e.Outcomes = addOutcomes(e.Outcomes, r.follow(e, st))
		}
		if c := f.a.known.byKey(e.Key); c != nil && c.Sink != nil && c.Sink.Kind == "batch_queue" {
			e.Outcomes = addOutcomes(e.Outcomes, f.batchOutcomes(e))
		}
	}
	f.sentAsOne(sum)
	f.findCompared(sum)
}

// refusals are what was found by following those of a function. What one call causes
// mostly says no in one way, and then the walk is one; only effects listen on theirs.
type refusals struct {
	*fn
	walks map[*site][]refusal
}

type refusal struct {
	start
	out []Outcome
}

func (r *refusals) follow(e *Event, st start) []Outcome {
	if st.ends {
		return []Outcome{{Scenario: st.scenario, Returns: ended, Answered: st.flags&answered != 0, Observed: true, Unsure: st.flags&unsure != 0}}
	}
	if e.effect() && st.scenario != Refused {
		return r.fn.follow(e, st)
	}
	for _, w := range r.walks[e.site] {
		if w.flags == st.flags && slices.Equal(w.tuple, st.tuple) {
			return inScenario(st.scenario, w.out)
		}
	}
	out := r.fn.follow(e, st)
	r.walks[e.site] = append(r.walks[e.site], refusal{st, out})
	return out
}

func inScenario(name string, list []Outcome) []Outcome {
	out := slices.Clone(list)
	for i := range out {
		out[i].Scenario = name
	}
	return out
}

func addOutcomes(to, more []Outcome) []Outcome {
	for _, o := range more {
		if !slices.ContainsFunc(to, func(p Outcome) bool { return sameOutcome(o, p) }) {
			to = append(to, o)
		}
	}
	return to
}

func sameOutcome(a, b Outcome) bool {
	return a.Scenario == b.Scenario && a.Returns == b.Returns && a.Answered == b.Answered &&
		a.Observed == b.Observed && a.Unsure == b.Unsure && a.toldTo == b.toldTo && slices.Equal(a.Reaches, b.Reaches)
}

func (f *fn) starts(e *Event) []start {
	switch {
	case e.Kind == Dyn && e.handed != nil:
		return handedStarts(e)
	case e.Kind == Dyn && e.src == nil:
		return f.byError(f.dynStarts(e.site.call.Common().Signature()))
	}
	if sent := f.sentStarts(e); sent != nil {
		return sent
	}
	switch {
	case e.src != nil, len(e.seeds) > 0:
		return f.copiedStarts(e)
	}
	call := f.a.known.byKey(e.Key)
	if e.Decl != nil {
		return f.dynStarts(e.site.call.Common().Signature())
	}
	if e.effect() {
		return append(lostReply(e.site.call.Common().Signature()), refusedRequest(e)...)
	}
	if call == nil || call.Sink == nil || call.Sink.Profile == nil {
		return nil
	}
	if call.Sink.Profile.Rejection.Signal == "script_return" {
		return scriptStarts(e.site.call.Common().Signature())
	}
	if upserts(call.Sink, e) {
		out := lostReply(e.site.call.Common().Signature())
		for _, st := range out {
			st.tuple[len(st.tuple)-1].name = duplicateKey
		}
		return out
	}
	t := refusalTuple(call.Sink, e.site.call.Common().Signature())
	if t == nil {
		return nil
	}
	if call.Sink.Kind == "query_row" && t[0].k == refused && f.countsItsWrites(e, call.Sink) {
		t[0].k = declined
	}
	return []start{{tuple: t}}
}

// countsItsWrites reports whether a statement answers with one row whatever it wrote: it
// changes rows in its WITH and counts them, and a refusal is a count of none.
func (f *fn) countsItsWrites(e *Event, s *model.Sink) bool {
	if s.Dialect != "sql" || s.Stmt < 0 || s.Stmt >= len(e.Args) {
		return false
	}
	text := strings.ToLower(strings.TrimSpace(leadingText(e.Args[s.Stmt])))
	if !strings.HasPrefix(text, "with") {
		return false
	}
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], "select"):
			from = i + len("select")
		}
	}
	answer := strings.TrimSpace(text[from:])
	return from > 0 && strings.HasPrefix(answer, "count(") && !strings.Contains(answer, "group by") && !strings.Contains(answer, "having")
}

// duplicateKey names the error by which an upsert is refused: that of a second document
// under one key.
const duplicateKey = "duplicate key"

// upserts reports whether a write of MongoDB asks for an insert where nothing matches.
func upserts(s *model.Sink, e *Event) bool {
	return s.Dialect == "mongo-filter" && len(e.Args) > 0 && e.Args[len(e.Args)-1].Any(func(u *term.Term) bool {
		return u.Kind == term.Call && strings.HasSuffix(u.Str, ".SetUpsert") && len(u.Args) > 1 && u.Args[1].Kind == term.Const && u.Args[1].Str == "true"
	})
}

func (f *fn) copiedStarts(e *Event) []start {
	var out []start
	for _, o := range e.seeds {
		s := start{scenario: o.Scenario, ends: o.Returns == ended, tuple: settled(f.handedUp(parseTuple(o.Returns), e.site.call.Common()), e.site.call.Common().Signature())}
		if o.Answered {
			s.flags |= answered
		}
		if o.Observed {
			s.flags |= observed
		}
		if o.Unsure {
			s.flags |= unsure
		}
		if o.toldTo > 0 && f.hearsAsHook(e, o.toldTo-1) {
			s.flags |= observed
		}
		out = append(out, s)
	}
	return out
}

// handedUp is what a library's function returns where the one that it runs has returned a
// tuple: that one's error beside an answer of its own, as NewSTM of etcd.
func (f *fn) handedUp(tuple []abs, c *ssa.CallCommon) []abs {
	results := c.Signature().Results()
	n, last := len(tuple), results.Len()-1
	if n == 0 || n > last || !isError(results.At(last).Type()) {
		return tuple
	}
	if call := f.a.known.called(c).call; call == nil || call.Sink == nil || call.Sink.Callback.IsZero() {
		return tuple
	}
	out := make([]abs, last+1)
	out[last] = tuple[n-1]
	return out
}

// settled is what a call returns, where code for several types said no by a value of one that
// is known here.
func settled(tuple []abs, sig *types.Signature) []abs {
	for i := range tuple {
		if i < sig.Results().Len() && tuple[i].k == nonNil && isHandle(sig.Results().At(i).Type()) {
			tuple[i].k = failure // a hook has failed
		}
		if tuple[i].k != refused || i >= sig.Results().Len() {
			continue
		}
		if t := sig.Results().At(i).Type(); isInteger(t) || isBoolean(t) {
			tuple[i], _ = saysNo(t)
		}
	}
	return tuple
}

// refusalTuple is what a call returns when the receiver refuses.
func refusalTuple(s *model.Sink, sig *types.Signature) []abs {
	fill := refusalIn[s.Profile.Rejection.Signal]
	if fill == 0 || sig.Results().Len() == 0 {
		return nil
	}
	if s.Profile.Rejection.Signal == "error_on_scan" && sig.Results().Len() == 1 && isError(sig.Results().At(0).Type()) {
		return []abs{{k: nonNil, sig: true, name: s.Profile.Rejection.Symbol}} // it scans by itself
	}
	out := make([]abs, sig.Results().Len())
	set := false
	for i := range out {
		t := sig.Results().At(i).Type()
		switch {
		case isError(t) && fill != 'e':
			out[i] = abs{k: isNil}
		case isError(t):
			out[i], set = abs{k: nonNil, sig: true, name: sentinel(s)}, true
		case fill == 'f' && isBoolean(t):
			out[i], set = boolean(false).signal(), true
		case fill == 'R' && !set && isInteger(t):
			out[i], set = abs{k: isInt}.signal(), true
		case fill == 'R' && !set:
			out[i], set = abs{k: refused, sig: true}, true
		}
	}
	if !set {
		return nil
	}
	return out
}

func sentinel(s *model.Sink) string {
	switch r := s.Profile.Rejection; r.Signal {
	case "error":
		return r.Symbol
	case "typed_error":
		if strings.Contains(s.Method, "Transact") && r.Also != "" {
			return typedError + r.Also
		}
		return typedError + r.Symbol
	}
	return ""
}

func isBoolean(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// refusalIn says, for the signals of the models, which result carries the refusal:
// an object to be asked, a false, or an error.
var refusalIn = map[string]byte{
	"result_method": 'R', "result_field": 'R', "error_on_scan": 'R', "empty_result_set": 'R', "error_on_decode": 'R',
	"result_value": 'R', "response_field": 'R', "value": 'R', "http_409": 'R',
	"bool_result": 'f',
	"error":       'e', "typed_error": 'e', "api_error": 'e',
}

// dynStarts lists the ways in which a call of unknown target can say no.
func (f *fn) dynStarts(sig *types.Signature) []start {
	var out []start
	n := sig.Results().Len()
	for i := range n {
		t := sig.Results().At(i).Type()
		a, ok := saysNo(t)
		if f.isResult(t) { // what it says is asked of it
			a, ok = abs{k: refused, sig: true}, true
		}
		if !ok {
			continue
		}
		tuple := make([]abs, n)
		for j := range tuple {
			if isError(sig.Results().At(j).Type()) {
				tuple[j] = abs{k: isNil}
			}
		}
		tuple[i] = a
		out = append(out, start{scenario: scenario(i), tuple: tuple})
	}
	return out
}

// saysNo is the value of a result type by which code says no.
func saysNo(t types.Type) (abs, bool) {
	if _, open := types.Unalias(t).(*types.TypeParam); open { // the caller's type says which it is
		return abs{k: refused, sig: true}, true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return boolean(false).signal(), true
		case u.Info()&types.IsInteger != 0:
			return abs{k: isInt}.signal(), true
		}
	case *types.Interface:
		if isError(t) {
			return abs{k: nonNil, sig: true}, true
		}
	}
	return abs{}, false
}

// follow walks from a refused call to the ends of the function.
func (f *fn) follow(e *Event, st start) []Outcome {
	call, ok := e.site.call.(*ssa.Call)
	if !ok { // go and defer drop what the call returns
		return []Outcome{{Scenario: st.scenario, Answered: st.flags&answered != 0, Observed: st.flags&observed != 0}}
	}
	if waits, ok := f.groupWaits(call); ok {
		return f.followWaits(st, waits)
	}
	if startsGoroutine[callKey(call.Common())] { // what it was handed runs beside what follows
		return []Outcome{{Scenario: st.scenario, Answered: st.flags&answered != 0, Observed: st.flags&observed != 0}}
	}
	w := &following{fn: f, e: e, st: st, call: call, effect: e.effect() && st.scenario != Refused, asked: true, met: make(map[*site]bool)}
	return w.outcomes()
}

// answered notes what a call returns. A handle of gorm that its steps share is the answer
// itself.
func (s *state) answered(call *ssa.Call, tuple []abs) {
	if len(tuple) != call.Common().Signature().Results().Len() {
		return
	}
	s.result(call, tuple)
	l := linkOf(call.Common())
	if len(tuple) != 1 || l == nil || l.on == nil || !types.Identical(l.on.Type(), call.Type()) || shared(l.on) != keeps {
		return
	}
	s.set(l.on, tuple[0])
	s.setCell(l.on, tuple[0])
}

// decided notes what the conditions say under which a call is made: of values, since a
// variable may have been set since then. In a loop they may be others in the next round.
func (s *state) decided(call *ssa.Call) {
	if inLoop(call.Block()) {
		return
	}
	cells := s.cells
	for b := call.Block(); b.Idom() != nil; b = b.Idom() {
		above := b.Idom()
		if in, ok := above.Instrs[len(above.Instrs)-1].(*ssa.If); ok && len(b.Preds) == 1 {
			s.learn(in.Cond, above.Succs[0] == b)
		}
	}
	s.cells = cells
}

// teller compares what follows a refusal with what follows a grant of the same call.
func (f *fn) teller(call *ssa.Call, st start) *teller {
	return &teller{f: f, walk: func(x *explorer) {
		s := newState()
		s.flags = st.flags
		if f.givesText() {
			s.flags |= texts
		}
		s.decided(call)
		s.answered(call, instead(st.tuple, call.Common().Signature()))
		if x.visit == nil {
			x.visit = func(c ssa.CallInstruction, _ *state) bool { return c != call } // the next is another
		}
		x.after(call, s)
	}}
}

// givesText reports whether a result of the function is a text, which may be the name of
// what became of a write.
func (f *fn) givesText() bool {
	res := f.f.Signature.Results()
	for i := range res.Len() {
		if b, ok := res.At(i).Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			return true
		}
	}
	return false
}

// reached adds the events of a kind that a site has.
func reached(kind EventKind, to []*Event, s *site) []*Event {
	for _, e := range s.events {
		if e.Kind == kind && !hasEvent(to, e) {
			to = append(to, e)
		}
	}
	return to
}
