package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// leaseOutcomes follows the refusals of acquisitions and renewals.
func (f *fn) leaseOutcomes(sum *Summary) {
	for _, e := range sum.Events {
		if e.Detached || e.site.call == nil {
			continue
		}
		switch e.Kind {
		case Acquire:
			f.refusedLock(e)
		case Extend:
			f.refusedRenewal(e)
		}
	}
}

// refusedLock finds the parts of the answer whose "no" does not keep the function
// out of the hold.
func (f *fn) refusedLock(a *Event) {
	call, ok := a.site.call.(*ssa.Call)
	if !ok || len(f.behindWaits(a)) > 0 { // the goroutine has the answer
		return
	}
	if f.isRegion(a) {
		f.refusedRegion(a)
		return
	}
	for _, st := range f.lockRefusals(a, call) {
		lost, outs := f.followLock(a, call, st)
		if part := st.part(call); lost && !slices.Contains(a.Hold.Untested, part) {
			a.Hold.Untested = append(a.Hold.Untested, part)
		}
		if a.Hold.Escapes {
			a.Outcomes = addOutcomes(a.Outcomes, outs)
		}
	}
}

// part names what of the answer says no.
func (s *start) part(call *ssa.Call) string {
	if s.scenario != "" {
		return s.scenario
	}
	res := call.Common().Signature().Results()
	for i, a := range s.tuple {
		switch {
		case i >= res.Len() || !a.sig && a.k != refused:
		case a.k == refused && strings.HasSuffix(typeName(res.At(i).Type()), "database/sql.Result"):
			return "number of changed rows"
		default:
			return partName(res.At(i).Type())
		}
	}
	return "answer"
}

// refusedRegion finds the functions that a region runs whether the lock is held or not, and
// that do not look at what tells them.
func (f *fn) refusedRegion(a *Event) {
	l := f.lockEntry(a)
	if l == nil || a.src != nil {
		return
	}
	for _, c := range l.OK {
		if c.Path.Root != "callback" {
			continue
		}
		for _, lit := range f.a.literals(f.pathOf(l.Callback, a)) {
			if c.Path.Index >= len(lit.Params) || looked(lit.Params[c.Path.Index], make(map[ssa.Value]bool)) != notUsed {
				continue
			}
			if part := partName(lit.Params[c.Path.Index].Type()); !slices.Contains(a.Hold.Untested, part) {
				a.Hold.Untested = append(a.Hold.Untested, part)
			}
		}
	}
}

// isRegion reports whether the lock is given back before the call returns.
func (f *fn) isRegion(a *Event) bool {
	if a.src != nil {
		return a.src.Hold != nil && !a.src.Hold.Escapes
	}
	l := f.lockEntry(a)
	return l != nil && l.Role == model.RoleRegion
}

// lockRefusals lists the ways in which an acquisition can say no.
func (f *fn) lockRefusals(a *Event, call *ssa.Call) []start {
	sig := call.Common().Signature()
	if a.src != nil {
		var out []start
		for _, s := range f.copiedStarts(a) {
			if SaysNo(tupleCode(s.tuple)) && s.flags&(observed|unsure) == 0 {
				out = append(out, s)
			}
		}
		return out
	}
	if l := f.lockEntry(a); l != nil {
		var out []start
		if ans := answerOf(l, sig); ans != nil {
			out = append(slices.Clip(ans.refused), f.faults(l, sig)...)
		}
		if a.zeroIsNo {
			zero := scriptStarts(sig)[0]
			zero.scenario = "answer"
			out = append(slices.Clip(out), zero)
		}
		return out
	}
	return f.claimRefusals(a, call)
}

// fault is the name of an error by which a coordinator tells no "no", but that it was not
// reached: it is none of those that code asks for.
const fault = "a fault"

// faults lists how an acquisition says that the coordinator has not answered. Whoever goes on
// then has no lock, just as where it was refused.
func (f *fn) faults(l *model.Lock, sig *types.Signature) []start {
	res := sig.Results()
	for i := range res.Len() {
		tuple := make([]abs, res.Len())
		switch t := res.At(i).Type(); {
		case isReply(t):
			tuple[i] = abs{k: declined, sig: true, name: fault}
		case !isError(t):
			continue
		default:
			for k := range tuple {
				if !slices.Contains(l.Traps, handleOnError) {
					tuple[k] = zeroOf(res.At(k).Type())
				}
			}
			tuple[i] = abs{k: nonNil, sig: true, name: fault}
		}
		return []start{{scenario: "error", tuple: tuple}}
	}
	return nil
}

// claimRefusals lists the ways in which a statement or an interface's method that
// acquires can say no.
func (f *fn) claimRefusals(a *Event, call *ssa.Call) []start {
	sig := call.Common().Signature()
	c := f.a.known.byKey(a.Key)
	if c == nil || c.Sink == nil {
		var out []start
		for _, s := range f.dynStarts(sig) {
			for i := range s.tuple {
				if s.tuple[i].sig && s.tuple[i].k != isInt {
					s.scenario = partName(sig.Results().At(i).Type())
					out = append(out, s)
				}
			}
		}
		return out
	}
	if c.Sink.Dialect != "sql" || c.Sink.Stmt < 0 || c.Sink.Stmt >= len(a.Args) {
		return sinkRefusals(c.Sink, sig)
	}
	text := strings.ToLower(leadingText(a.Args[c.Sink.Stmt]))
	n := sig.Results().Len()
	row := func(k absKind) []abs { return append([]abs{{k: k, sig: true}}, make([]abs, n-1)...) }
	switch c.Sink.Kind {
	case "exec":
		if n == 0 || !isError(sig.Results().At(n-1).Type()) {
			return nil // a reader of the answer, which tells later
		}
		out := failures(n)
		if (a.Entry == Claim || a.takesOver()) && countsRows(text) {
			t := row(refused)
			t[n-1] = abs{k: isNil}
			out = append(out, start{scenario: "number of changed rows", tuple: t})
		}
		if a.Entry != Claim && mayDecline(text) { // the answer is a row, and nobody reads it
			t := row(refused)
			t[n-1] = abs{k: isNil}
			out = append(out, start{scenario: "scanned answer", tuple: t})
		}
		return out
	case "query_row":
		out := []start{{scenario: "error of Scan", tuple: row(refused)}}
		if scansItself(sig) {
			if a.Entry != Claim && mayDecline(text) && len(boolsOf(call)) > 0 {
				out = append(out, start{scenario: "scanned answer", tuple: row(declined)})
			}
			return out
		}
		if a.Entry != Claim && mayDecline(text) || asksFunction.MatchString(text) && scansBool(call) {
			out = append(out, start{scenario: "scanned answer", tuple: row(declined)})
		}
		return out
	}
	return nil
}

// failures are the errors of a call with n results: one of which nothing is known, and one
// that is no refusal.
func failures(n int) []start {
	fails, faulty := make([]abs, n), make([]abs, n)
	fails[n-1] = abs{k: nonNil, sig: true}
	faulty[n-1] = abs{k: nonNil, sig: true, name: fault}
	return []start{{scenario: "error", tuple: fails}, {scenario: "error", tuple: faulty}}
}

// takesOver reports whether a write that takes a lock kept by hand is refused while another
// has it: its own condition asks whether that one's time is over. Of several rows at once
// those that were taken are looked up later.
func (e *Event) takesOver() bool {
	h := e.Hold.Handle
	return e.Entry == ByHand && e.Hold.Signs&TakenOver != 0 && HeldIn(h) != nil && h.Args[1].Kind != term.Unknown
}

// asksFunction finds a statement that does nothing but call a function of the database.
var asksFunction = pattern.New(`^\s*select\s+[\w."]+\s*\([^;]*\)\s*(as\s+\w+\s*)?;?\s*$`)

// scansBool reports whether the row that a call gives is read as one yes or no.
func scansBool(call *ssa.Call) bool {
	return slices.ContainsFunc(*call.Referrers(), func(r ssa.Instruction) bool {
		c, ok := r.(*ssa.Call)
		if !ok || calledName(c.Common()) != "Scan" {
			return false
		}
		n, yes := 0, false
		anyArgument(c.Common(), func(v ssa.Value) bool {
			if m, ok := v.(*ssa.MakeInterface); ok {
				p, ok := m.X.Type().Underlying().(*types.Pointer)
				n, yes = n+1, ok && isBoolean(p.Elem())
			}
			return false
		})
		return n == 1 && yes
	})
}

// mayDecline reports whether a statement answers with a row that says no.
func mayDecline(text string) bool {
	return strings.Contains(text, "try_") || strings.Contains(text, "get_lock")
}

// sinkRefusals lists the ways in which a conditional write that claims can say no:
// by what its model says, and by an error.
func sinkRefusals(s *model.Sink, sig *types.Signature) []start {
	n := sig.Results().Len()
	if s.Profile == nil || n == 0 || !isError(sig.Results().At(n-1).Type()) {
		return nil
	}
	out := failures(n)
	if word := answerWords[s.Profile.Rejection.Signal]; word != "" {
		if t := refusalTuple(s, sig); t != nil {
			out = append(out, start{scenario: word, tuple: t})
		}
	}
	return out
}

// answerWords names, by the signal of a model, the part of the answer that says no.
var answerWords = map[string]string{
	"result_field": "number in the result", "response_field": "flag in the response", "bool_result": "bool", "result_method": "number in the result",
}

// countsRows reports whether a refused claim shows in the number of changed rows
// alone: an insert that conflicts is an error, unless it says otherwise.
func countsRows(text string) bool {
	for {
		text = strings.TrimSpace(text)
		if !strings.HasPrefix(text, "--") {
			break
		}
		_, text, _ = strings.Cut(text, "\n")
	}
	word, _, _ := strings.Cut(text, " ")
	switch strings.TrimSpace(word) {
	case "update", "delete", "with":
		return true
	case "select":
		return strings.Contains(text, "skip locked")
	case "insert":
		return strings.Contains(text, "do nothing") || strings.Contains(text, "insert ignore") || strings.Contains(text, "do update")
	}
	return false
}

// followLock walks on from a lock that was not granted. The first result says
// that the walk met work of the hold, or that the caller is told of success.
func (f *fn) followLock(a *Event, call *ssa.Call, st start) (bool, []Outcome) {
	lost := false
	var outs []Outcome
	x := &explorer{f: f}
	x.visit = func(c ssa.CallInstruction, s *state) bool {
		if c == a.site.call || f.readsBack(a, c) {
			return false
		}
		site := f.bySite[c]
		if site != nil && site.triesAgain(a) {
			return false
		}
		if site != nil && s.flags&(unsure|observed) == 0 {
			lost = lost || site.workOf(a)
		}
		return true
	}
	x.ret = func(_ *ssa.Return, tuple []abs, s *state) {
		heard := s.flags&(branched|unsure|observed) != 0 || f.tellsRefusal(tuple)
		if a.Hold.Escapes && !heard && f.f.Signature.Results().Len() > 0 {
			lost = true
		}
		if s.flags&(branched|unsure|observed) == branched && f.passesOff(a, tuple) {
			lost = true
		}
		outs = addOutcomes(outs, []Outcome{{
			Scenario: st.scenario, Returns: tupleCode(f.stated(a, told(tuple, s), s)), Observed: s.flags&observed != 0, Unsure: s.flags&unsure != 0,
		}})
	}
	s := f.flagsBefore(call)
	s.flags |= st.flags
	s.result(call, st.tuple)
	if r := s.scannedAtOnce(call, st.tuple); r != nil {
		s.result(call, r)
	}
	x.after(call, s)
	return lost && !x.capped, outs
}

// readsBack reports whether a call reads who has the row that a statement was to claim: what
// the statement itself answered need not be looked at then.
func (f *fn) readsBack(a *Event, c ssa.CallInstruction) bool {
	claim := f.statementOf(a.Key, a.Args, "exec")
	if claim == "" || a.src != nil {
		return false
	}
	for _, t := range f.targets(c) {
		_, args := split(t)
		words := strings.Fields(f.statementOf(t.key, args, "query", "query_row"))
		if len(words) > 0 && words[0] == "select" && slices.Contains(words, claimedTable(claim)) {
			return true
		}
	}
	return false
}

// statementOf is the text that a call of a kind sends, in lower case, "" for other calls.
func (f *fn) statementOf(key string, args []*term.Term, kinds ...string) string {
	c := f.a.known.byKey(key)
	if c == nil || c.Sink == nil || c.Sink.Dialect != "sql" || !slices.Contains(kinds, c.Sink.Kind) || c.Sink.Stmt < 0 || c.Sink.Stmt >= len(args) {
		return ""
	}
	return strings.ToLower(leadingText(args[c.Sink.Stmt]))
}

// claimedTable is the word behind the verb of a statement that writes.
func claimedTable(text string) string {
	words := strings.Fields(text)
	for i, w := range words[:max(len(words)-1, 0)] {
		if w == "update" || w == "into" || w == "from" {
			return words[i+1]
		}
	}
	return ""
}

// tellsRefusal reports whether what the function returns says that there is no lock: an
// error, or what the acquisition answered itself. Any other value looks like a lock.
func (f *fn) tellsRefusal(tuple []abs) bool {
	res := f.f.Signature.Results()
	for i, a := range tuple {
		if a.sig && a.k != isNil || a.k == nonNil && isError(res.At(i).Type()) {
			return true
		}
	}
	return false
}

// triesAgain reports whether a call tries once more for a lock: it has an answer of its own.
func (st *site) triesAgain(a *Event) bool {
	return slices.ContainsFunc(st.events, func(e *Event) bool {
		return e.Kind == Acquire && e != a && e.Lib == a.Lib && (e.Entry == Claim && a.Entry == Claim || e.Hold.Handle.Equal(a.Hold.Handle))
	})
}

// workOf reports whether a call does work that the hold of a is to protect.
func (st *site) workOf(a *Event) bool {
	for _, e := range st.events {
		if (e.Kind == Write || e.Kind == Dyn) && hasEvent(e.Holds, a) && !st.draws(e) {
			return true
		}
	}
	return false
}

// draws reports whether a write only draws a number.
func (st *site) draws(w *Event) bool {
	return slices.ContainsFunc(st.events, func(e *Event) bool { return e.Kind == Mint && e.Site == w.Site && e.Key == w.Key })
}

// scanned runs the Scan of a row that holds a "no": there is no error, and what
// the row is read into is false. The row that is not there leaves it so; of a row that
// answers no acquisition nothing is known.
func (s *state) scanned(c *ssa.Call, a abs) []abs {
	if a.k != refused && a.k != declined && a.k != granted {
		return nil
	}
	for _, v := range arguments(c.Common())[1:] {
		if m, ok := v.(*ssa.MakeInterface); ok {
			if al, ok := m.X.(*ssa.Alloc); ok {
				no, ok := saysNo(deref(al.Type()))
				switch {
				case nullable(deref(al.Type())) && a.k == granted:
					s.set(al, abs{k: granted})
				case nullable(deref(al.Type())):
					s.set(al, abs{k: refused, sig: true})
				case !ok || no.k == nonNil:
				case a.k != granted:
					s.cells.put(al, no)
				case no.k == isBool:
					s.cells.put(al, boolean(true))
				}
			}
		}
	}
	if a.k == declined {
		return []abs{{k: isNil}}
	}
	return nil
}

// scansItself reports whether a call that asks for a row has read it when it returns: it
// gives an error and no more.
func scansItself(sig *types.Signature) bool {
	return sig.Results().Len() == 1 && isError(sig.Results().At(0).Type())
}

// boolsOf are the variables of yes or no that a call is given to read a row into.
func boolsOf(call *ssa.Call) []*ssa.Alloc {
	var out []*ssa.Alloc
	for _, v := range call.Call.Args {
		if m, ok := v.(*ssa.MakeInterface); ok {
			if al, ok := m.X.(*ssa.Alloc); ok && isBoolean(deref(al.Type())) {
				out = append(out, al)
			}
		}
	}
	return out
}

// scannedAtOnce is what such a call returns for a row that holds a "no"; nil for others.
func (s *state) scannedAtOnce(call *ssa.Call, tuple []abs) []abs {
	if len(tuple) != 1 || tuple[0].k != declined || !scansItself(call.Common().Signature()) {
		return nil
	}
	for _, al := range boolsOf(call) {
		s.cells.put(al, boolean(false).signal())
	}
	return []abs{{k: isNil}}
}

// nullable reports whether a type of database/sql holds a value that may be NULL. A "no" may
// be either, so that both of its fields say it.
func nullable(t types.Type) bool { return strings.HasPrefix(typeName(t), "database/sql.Null") }

// Value is the argument of an acquisition by which its owner is known, nil if
// the library makes it or it is not known.
func (a *Analysis) Value(e *Event) *term.Term {
	c := a.known.byKey(e.Key)
	if c == nil {
		return nil
	}
	for _, ls := range [][]*model.Lock{c.Locks, c.Depends} {
		for _, l := range ls {
			if l.ID == e.Entry && !l.Value.IsZero() {
				return at(l.Value, e.Args)
			}
		}
	}
	return nil
}
