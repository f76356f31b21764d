package prove

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/fence/lua"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() { receivers["lua"] = luaDecision }

// luaDecision judges a script that Redis runs as one step.
func luaDecision(j *judge, p *pair) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	d := decision{}
	for _, c := range j.scriptsRun(p.w, s) {
		for _, t := range texts(c.text) {
			d = worse(d, j.scriptForm(p, s, c, t))
		}
	}
	return d
}

// scriptRun is a script as a call runs it: its text, and the lists that it is given.
type scriptRun struct{ text, keys, args *term.Term }

// scriptsRun are the scripts that a call may run: an argument, or what the receiver was
// made of.
func (j *judge) scriptsRun(w *flow.Event, s *model.Sink) []scriptRun {
	run := scriptRun{keys: argList(w, s.Key.Index), args: argList(w, s.Args)}
	if s.Stmt >= 0 && s.Stmt < len(w.Args) {
		run.text = j.widen(w.Args[s.Stmt])
		return []scriptRun{run}
	}
	if w.Recv == nil {
		run.text = term.NewUnknown("not an argument of the call")
		return []scriptRun{run}
	}
	var out []scriptRun
	for _, a := range j.widen(w.Recv).Alternatives() {
		a, one := unboxed(a), run
		text, keys := flow.MadeScript(a)
		switch {
		case text != nil:
			one.text = text
		case a.Symbolic():
			one.text = a
		default:
			one.text = term.NewUnknown("that of a script made elsewhere")
		}
		if s.Key.Root == "" && keys >= 0 {
			one.keys, one.args = splitList(run.args, keys)
		}
		out = append(out, one)
	}
	return out
}

// splitList parts one list of arguments into the keys, which come first, and the others.
func splitList(l *term.Term, keys int) (first, rest *term.Term) {
	if l == nil || l.Kind != term.List || keys > len(l.Args) {
		return l, nil
	}
	return term.NewList(false, l.Args[:keys]...), term.NewList(l.Open, l.Args[keys:]...)
}

func (j *judge) scriptForm(p *pair, s *model.Sink, c scriptRun, t text) decision {
	keys := c.keys
	receiver := s.Lib + ":" + j.keyName(listItem(keys, 0))
	shown := j.callName(p.w)
	if t.none != "" || len(t.holes) > 0 {
		return unreadable(receiver, shown, "the text of the script is not known", t.handed)
	}
	script := lua.Parse(t.s)
	switch {
	case script.Mutation == nil && len(script.Problems) == 0:
		return decision{} // it only reads
	case script.Mutation == nil:
		return unreadable(receiver, shown, "in the script: "+script.Problems[0].Reason, false)
	case renewsOnly(script):
		return decision{}
	}
	if i, ok := place(script.Keys[0], "KEYS"); ok {
		receiver = s.Lib + ":" + j.keyName(listItem(keys, i))
	}
	l := c.lowered(script)
	l.receiver, l.shown = receiver, shown
	if j.scriptFrees(p, l, keys) {
		return decision{}
	}
	q := j.hearing(p, l, script)
	if d, ok := j.lockKeyCompared(q, l, keys); ok {
		return d
	}
	return j.atOwnKey(j.loweredDecision(q, l), c)
}

// atOwnKey looks at the name of the key in which a script compares and stores the epoch: what
// an owner keeps under a name of its own, no other one meets.
func (j *judge) atOwnKey(d decision, c scriptRun) decision {
	if d.verdict != proved {
		return d
	}
	for _, part := range namedInKey.FindAllString(d.column, -1) {
		t := c.passed(part)
		if t == nil {
			continue
		}
		if k := j.stability(t); k.is == fleeting {
			d.verdict, d.rule, d.guarded = refuted, "staleadmitted", false
			d.reason = "the key that holds the epoch is " + k.why
			return d
		}
	}
	return d
}

// namedInKey are the values of which a script puts the name of a key together.
var namedInKey = regexp.MustCompile(`(KEYS|ARGV)\[\d+\]`)

// lowered is what a script does, with what it is given.
func (c scriptRun) lowered(s *lua.Script) *lowered {
	return &lowered{mutation: s.Mutation, value: func(a fence.Arg) *term.Term { return c.passed(string(a)) }}
}

// passed is what a script is given under a name, nil if that is no name of a value.
func (c scriptRun) passed(name string) *term.Term {
	if i, ok := place(name, "ARGV"); ok {
		return listItem(c.args, i)
	}
	if i, ok := place(name, "KEYS"); ok {
		return listItem(c.keys, i)
	}
	return nil
}

// renewsOnly reports whether a script changes nothing but times to live.
func renewsOnly(s *lua.Script) bool {
	return !slices.ContainsFunc(s.Mutation.Set, func(a fence.Assign) bool { return !strings.HasSuffix(a.Column, "()") }) && s.Expires
}

// argList is the list of an argument; one slice in place of single arguments is that slice.
func argList(w *flow.Event, i int) *term.Term {
	if i < 0 || i >= len(w.Args) {
		return nil
	}
	l := unboxed(w.Args[i])
	if l.Kind == term.List && len(l.Args) == 1 && !l.Open {
		if only := unboxed(l.Args[0]); only.Kind == term.List {
			return only
		}
	}
	return l
}

// listItem is item i of a list, Unknown if it is not in sight.
func listItem(l *term.Term, i int) *term.Term {
	if l == nil {
		return term.NewUnknown("an argument that is not passed")
	}
	if l.Kind == term.List && !l.Open && i >= len(l.Args) {
		return term.NewUnknown("an argument that is not passed")
	}
	return unboxed(term.NewElem(l, term.NewConst("int", strconv.Itoa(i))))
}

// place is the 0-based index in "ARGV[1]".
func place(name, list string) (int, bool) {
	s, ok := strings.CutPrefix(name, list+"[")
	n, err := strconv.Atoi(strings.TrimSuffix(s, "]"))
	return n - 1, ok && err == nil && n > 0
}

// scenarioOf is how flow calls a refusal that answers so.
func scenarioOf(a lua.Answer) string {
	switch a.Text {
	case "0":
		return flow.ScriptZero
	case "nil":
		return flow.ScriptNil
	case "error":
		return flow.ScriptError
	case "+":
		return flow.ScriptPositive
	}
	if n, err := strconv.Atoi(a.Text); err == nil {
		return map[bool]string{true: flow.ScriptNegative, false: flow.ScriptPositive}[n < 0]
	}
	return flow.ScriptValue
}

// hearing leaves the outcomes of the answers by which the script refuses an owner:
// those of the paths that look at an epoch, or of all that write nothing.
func (j *judge) hearing(p *pair, l *lowered, s *lua.Script) *pair {
	var own []fence.Arg
	for _, b := range j.boundTo(l) {
		if j.ownEpoch(p, &b) {
			own = append(own, b.arg)
		}
	}
	about := slices.Clone(s.Refusals)
	about = slices.DeleteFunc(about, func(a lua.Answer) bool {
		return !slices.ContainsFunc(a.Args, func(x fence.Arg) bool { return slices.Contains(own, x) })
	})
	if len(about) == 0 {
		about = s.Refusals
	}
	var scenarios []string
	for _, r := range about {
		scenarios = append(scenarios, scenarioOf(r))
		if r.Text != "?" && r.Text != "+" && slices.ContainsFunc(s.Accepts, func(a lua.Answer) bool { return a.Text == r.Text }) {
			l.ignores = "the script answers the same whether it writes or not"
		}
	}
	return p.answering(func(o flow.Outcome) bool { return slices.Contains(scenarios, o.Scenario) })
}

// lockKeyCompared judges a script that compares the content of the lock's own key
// with the value that this acquisition put there.
func (j *judge) lockKeyCompared(p *pair, l *lowered, keys *term.Term) (decision, bool) {
	for _, b := range j.boundTo(l) {
		v := fence.Prove(l.mutation, func(a fence.Arg) bool { return a == b.arg })
		i, ok := place(v.Column, "KEYS")
		if !ok || !v.Compared || v.RejectsStale != fence.Yes || v.Greater != fence.Never || ordered(&v) {
			continue
		}
		if !amongArgs(p.acq, listItem(keys, i)) {
			continue
		}
		if !amongArgs(p.acq, b.term) && !(b.worth() == opaque && b.term.Kind == term.Call && len(b.term.Args) > 0 && b.term.Args[0].Equal(p.acq.Hold.Handle)) {
			continue
		}
		d := decision{guard: "owner", column: v.Column, receiver: l.receiver, shown: l.shown}
		if own := j.chosenIdentity(p.acq); own != nil {
			b.origins = j.origins(own)
		}
		switch w := b.worth(); {
		case w == opaque && j.fresh(&b) && keptElsewhere(b.term):
			d.verdict, d.reason = waiting, keptByField
		case w == opaque && j.fresh(&b):
			d.verdict, d.guarded, d.reason = proved, true, "the script writes only while the lock's key holds the value of this acquisition"
			d = j.rejection(p, d)
			if d.verdict == proved && l.ignores != "" {
				d.verdict, d.rule, d.reason = refuted, "rejectionignored", l.ignores
			}
		case w == handedIn:
			d.verdict, d.reason = waiting, "the caller supplies the value that names the owner"
		default:
			d.verdict, d.rule, d.reason = refuted, "identityreused", "the lock's key holds "+originWith(&b, w).text+", which a later acquisition can bring again"
		}
		return d, true
	}
	return decision{}, false
}

// chosenIdentity is the value that the program chooses for a lock whose library would draw one,
// nil if it chooses none.
func (j *judge) chosenIdentity(acq *flow.Event) *term.Term {
	for _, a := range acq.Args {
		for _, alt := range term.Settle(pointee(a)).Alternatives() {
			alt = unboxed(alt)
			if alt.Kind != term.Struct {
				continue
			}
			for i, n := range alt.Names {
				for _, l := range j.fieldLocks(&term.Term{Kind: term.Field, Str: n}) {
					if slices.Contains(l.Traps, "caller_token_reentrant") && !emptyKey(alt.Args[i]) {
						return alt.Args[i]
					}
				}
			}
		}
	}
	return nil
}

// amongArgs reports whether a value is one of the arguments of an acquisition, or of the
// steps in which its command was built.
func amongArgs(acq *flow.Event, t *term.Term) bool {
	same := func(a *term.Term) bool { return unboxed(a).Equal(t) }
	return slices.ContainsFunc(acq.Args, func(a *term.Term) bool {
		a = unboxed(a)
		if same(a) || a.Kind == term.List && slices.ContainsFunc(a.Args, same) {
			return true
		}
		for ; a.Kind == term.Call && len(a.Args) > 0; a = unboxed(a.Args[0]) {
			if slices.ContainsFunc(a.Args[1:], same) {
				return true
			}
		}
		return false
	})
}
