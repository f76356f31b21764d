package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// The rules about the life of a lock: how it is acquired, renewed, lost and given
// back. They speak of locks of class correctness only.

func init() {
	leaseChecks = append(leaseChecks, acquireIgnored, renewalError, unsafeRelease, handedBack, noExpiry)
}

// correct reports whether an acquisition is classified as correctness-critical.
func correct(a *flow.Event) bool {
	return a.Hold != nil && a.Hold.Lock != nil && a.Hold.Lock.Class == "correctness"
}

// acquisitions lists the correctness locks of a function.
func acquisitions(sum *flow.Summary) []*flow.Event {
	var out []*flow.Event
	for _, e := range sum.Events {
		if e.Kind == flow.Acquire && e.Belief == nil && correct(e) {
			out = append(out, e)
		}
	}
	return out
}

// say reports a finding about a lock at a step of this package.
func (j *judge) say(rule string, sum *flow.Summary, at flow.Step, lock *flow.Event, message string, names ...string) {
	j.sayOf(nil, rule, sum, at, lock, message, names...)
}

// sayOf is say about a write, to which the finding leads; nil for none.
func (j *judge) sayOf(w *flow.Event, rule string, sum *flow.Summary, at flow.Step, lock *flow.Event, message string, names ...string) {
	if !at.Pos.IsValid() || isTest(at.Place) && !isTest(lock.Chain[len(lock.Chain)-1].Place) {
		return // a test of a wrapper tries out what it does
	}
	names = append(names, "{func}", funcName(sum.ID), "{lock}", j.exprAt(lock.Chain[0], lock.Key), "{call}", j.exprAt(at, lock.Key))
	j.add(Finding{
		Rule: rule, Pos: at.Pos, End: j.endOf(at.Pos),
		Message: strings.NewReplacer(names...).Replace(upperFirst(message)), // names of the code stay as they are
		Related: append(j.lockAt(lock, at), writtenAt(w)...),
		Key:     strings.Join([]string{rule, plainName(sum.ID), lock.Key}, "|"),
	})
}

// lockAt leads to the acquisition, if the finding stands elsewhere.
func (j *judge) lockAt(lock *flow.Event, at flow.Step) []Related {
	first := lock.Chain[0]
	if first.Place == at.Place {
		return nil
	}
	return []Related{{Place: first.Place, Pos: first.Pos, Message: "the lock is acquired here"}}
}

// writtenAt leads to where a write leaves the process.
func writtenAt(w *flow.Event) []Related {
	if w == nil {
		return nil
	}
	last := w.Chain[len(w.Chain)-1]
	return []Related{{Place: last.Place, Pos: last.Pos, Message: "the write leaves the process here"}}
}

// bottom is the call itself, or, of the calls that lead to it, the last one that stands in
// this package.
func bottom(e *flow.Event) flow.Step {
	for _, s := range slices.Backward(e.Chain) {
		if s.Pos.IsValid() {
			return s
		}
	}
	return e.Chain[0]
}

// entry is the model's entry behind a lock event, nil if there is none.
func (j *judge) entry(e *flow.Event) *model.Lock {
	return j.models.Entry(j.models.FuncKey(e.Key), e.Entry)
}

// acquireIgnored reports a lock whose refusal does not keep the program out of the hold.
func acquireIgnored(j *judge, sum *flow.Summary) {
	for _, a := range acquisitions(sum) {
		if len(a.Hold.Untested) == 0 || j.misplaced(a) != "" || a.Source() != nil && a.Source().Hold != nil && len(a.Source().Hold.Untested) > 0 {
			continue
		}
		part := strings.Join(a.Hold.Untested, " and the ")
		j.say("acquireignored", sum, a.Chain[0], a,
			"{lock} may not have got the lock, and {func} goes on all the same: on some way into the work nobody acts on {part}. "+
				"{why} Two processes then do the work at once, though nobody was paused and nothing expired. {todo}",
			"{part}", "the "+part, "{why}", refusals[a.Hold.Untested[0]], "{todo}", remedies[a.Hold.Untested[0]])
	}
}

// refusals says how each part of an answer tells that there is no lock.
var refusals = map[string]string{
	"bool":                   "`false` without an error says that somebody else has it.",
	"answer":                 "The call succeeds also where somebody else has the lock; only the answer says so.",
	"reply":                  "A key that is taken is no error of the command; only its value says `false`.",
	"channel":                "A nil channel without an error says that it was not acquired.",
	"error":                  "The error says that it was not acquired.",
	"number in the result":   "A condition that met nothing is no error; only the number in the result says so.",
	"flag in the response":   "A condition that failed is no error; only the flag in the response says so.",
	"number of changed rows": "A claim that met no row is no error; only the number of changed rows says so.",
	"scanned answer":         "The statement succeeds also when the lock is taken; only the scanned value says so.",
	"error of Scan":          "No row, or an error, says that it was not acquired.",
}

var remedies = map[string]string{
	"bool":                   "Return when it is false.",
	"answer":                 "Look at it and return when it says no.",
	"reply":                  "Call Result() and return when it is false.",
	"channel":                "Return when it is nil.",
	"error":                  "Return when it is not nil.",
	"number in the result":   "Look at it and return when it is 0.",
	"flag in the response":   "Look at it and return when it is false.",
	"number of changed rows": "Ask RowsAffected and return when it is 0.",
	"scanned answer":         "Return when it says no.",
	"error of Scan":          "Return when it is not nil.",
}

// renewalError reports a renewal whose failure the work never hears of.
func renewalError(j *judge, sum *flow.Summary) {
	for _, e := range sum.Events {
		if e.Kind != flow.Extend || e.Detached || !renews(e) || j.renewalHeard(e) {
			continue
		}
		lock := j.lockOfEvent(e)
		if lock == nil {
			lock = lockToCome(sum, e)
		}
		if lock == nil {
			continue
		}
		at := bottom(e)
		j.say("renewalerror", sum, at, lock,
			"the work under {lock} never hears that {renewal} failed: {how}. "+
				"The lease is gone then, another process acquires it, and {func} works on beside it for as long as it likes. "+
				"Cancel the context of the work, close a channel that it reads, or return the error to it; `false` without an error is a failure too.",
			"{renewal}", j.exprAt(at, e.Key), "{how}", renewalLost(e))
	}
}

// renews leaves out what is no renewal by the program: a session that the library keeps alive.
func renews(e *flow.Event) bool { return len(e.Chain) > 0 }

// lockOfEvent is the correctness lock in whose hold an event stands.
func (j *judge) lockOfEvent(e *flow.Event) *flow.Event {
	for _, a := range e.Holds {
		if e.Entry == flow.ByHand {
			if correct(a) && j.keepsRowOf(e, a) {
				return a
			}
			continue
		}
		if correct(a) && (a.Hold.Lib == e.Lib || sameHouseLib(a.Hold.Lib, e.Lib) || a.Hold.Handle.Any(func(u *term.Term) bool { return e.Recv != nil && u.Equal(e.Recv) })) {
			return a
		}
	}
	return nil
}

// lockToCome is the correctness lock that is acquired later with what a goroutine keeps alive:
// a session is renewed before there is a lock in it.
func lockToCome(sum *flow.Summary, e *flow.Event) *flow.Event {
	if !e.Async || e.Recv == nil || vague(e.Recv) || e.Entry == flow.ByHand {
		return nil
	}
	kept := unboxed(e.Recv)
	for _, a := range acquisitions(sum) {
		if correct(a) && a.Belief == nil && sameHouseLib(a.Hold.Lib, e.Lib) && e.Precedes(a) &&
			(a.Hold.Handle.Any(kept.Equal) || slices.ContainsFunc(a.Args, func(arg *term.Term) bool { return arg.Any(kept.Equal) })) {
			return a
		}
	}
	return nil
}

// keepsRowOf reports whether a renewal of a lock that is kept by hand writes the row that an
// acquisition took.
func (j *judge) keepsRowOf(e, a *flow.Event) bool {
	switch {
	case e.Lib == scriptLease:
		return flow.NamesKey(e, a)
	case flow.Releases(e, a):
		return true
	}
	table := flow.HeldIn(e.Recv)
	if a.Entry != flow.Claim || table == nil {
		return false
	}
	c := j.claimOf(a)
	name, ok := term.StringValue(table)
	return ok && c != nil && c.table == name
}

// sameHouseLib reports whether two entries of the models belong together: "etcd" and "etcd-kv".
func sameHouseLib(a, b string) bool {
	x, _, _ := strings.Cut(a, "-")
	y, _, _ := strings.Cut(b, "-")
	return x == y
}

// renewalHeard reports whether the failure of a renewal reaches somebody.
func (j *judge) renewalHeard(e *flow.Event) bool {
	for _, o := range j.renewalRefusals(e) {
		if o.Observed || o.Answered || !e.Async && flow.SaysNo(o.Returns) {
			return true
		}
	}
	return len(e.Outcomes) == 0
}

// renewalRefusals are the outcomes that count: of a lock that is kept by hand, those in which
// its receiver says that it is another's.
func (j *judge) renewalRefusals(e *flow.Event) []flow.Outcome {
	if e.Entry != flow.ByHand {
		return e.Outcomes
	}
	said := []string{flow.RowGone}
	if e.Lib == scriptLease {
		said = nil
		if script := j.scriptOf(e); script != nil {
			for _, r := range script.Refusals {
				said = append(said, scenarioOf(r))
			}
		}
	}
	var out []flow.Outcome
	for _, o := range e.Outcomes {
		if slices.Contains(said, o.Scenario) {
			out = append(out, o)
		}
	}
	if len(out) == 0 {
		return e.Outcomes
	}
	return out
}

func renewalLost(e *flow.Event) string {
	if e.Async {
		return "the failure ends in the goroutine that renews"
	}
	return "nothing that it reads is told, and no error is returned"
}

// unsafeRelease reports a release that may free the lock of another owner.
func unsafeRelease(j *judge, sum *flow.Summary) {
	for _, r := range sum.Events {
		if r.Kind != flow.Release || len(r.Chain) == 0 {
			continue
		}
		l := j.entry(r)
		for _, a := range acquisitions(sum) {
			if !flow.Releases(r, a) || j.misplaced(a) != "" || releasedBelow(r, a) {
				continue
			}
			if l != nil && l.Removes || j.freesByScript(r) {
				j.freesOthers(sum, r, a)
			} else if j.repeats(a) != "" && j.byValue(r) {
				j.freesNamesake(sum, r, a)
			}
			break
		}
	}
}

// releasedBelow reports whether acquisition and release came up together from a called
// function, in which this was looked at already.
func releasedBelow(r, a *flow.Event) bool {
	return r.SameCall(a) && r.Source() != nil && a.Source() != nil && correct(a.Source()) && flow.Releases(r.Source(), a.Source())
}

// byValue reports whether a release frees the key only while it holds the owner's value: a
// revision, which options are about, comes once only.
func (j *judge) byValue(r *flow.Event) bool {
	l := j.entry(r)
	return r.Entry == "script" || l != nil && l.Match.Kind == "call" && len(l.Match.Where) > 0 && l.Match.Where[0].At.Root == "arg"
}

// handedBack reports a session lock whose connection goes back to the pool with
// it, or that is unlocked on another connection.
func handedBack(j *judge, sum *flow.Summary) {
	for _, a := range acquisitions(sum) {
		if j.lockScope(a) != "conn" || j.misplaced(a) != "" {
			continue
		}
		if r := j.unlockedElsewhere(sum, a); r != nil {
			j.say("unsaferelease", sum, bottom(r), a,
				"{call} does not go through the connection that holds {lock}: it unlocks nothing, and the lock stays on a connection that goes back to the pool. "+
					"Nobody else acquires it any more, or a request that happens to get that connection acquires it beside {func}. Unlock through the connection that locked.",
				"{call}", j.exprAt(bottom(r), r.Key))
			continue
		}
		for _, r := range j.a.HandedBack(sum.ID, a) {
			j.say("unsaferelease", sum, bottom(r), a,
				"{call} does not end the session: it hands the connection back to the pool with the lock on it. Nobody else acquires the lock until the pool closes that connection, "+
					"and a later request that gets the connection holds the lock without knowing it. "+
					"Unlock on the same connection before, and if that fails let the pool drop it (conn.Raw with driver.ErrBadConn).",
				"{call}", j.exprAt(bottom(r), r.Key))
		}
	}
}

// unlockedElsewhere is an unlock through a pool of a lock that a pinned connection holds.
func (j *judge) unlockedElsewhere(sum *flow.Summary, a *flow.Event) *flow.Event {
	for _, r := range sum.Events {
		if r.Kind == flow.Release && j.statementLock(r) != nil && !flow.Releases(r, a) && j.a.Carrier(r) == "pool" && j.a.Carrier(a) == "conn" {
			return r
		}
	}
	return nil
}

// repeats says why the owner's value of an acquisition comes again, "" if it is
// fresh or not known.
func (j *judge) repeats(a *flow.Event) string {
	v := j.a.Value(a)
	if v == nil {
		return ""
	}
	for _, o := range j.origins(v) {
		if o.class == constant && v.Kind == term.Const && v.Typ == "string" {
			return "the constant " + o.text
		}
		if word := repeated[o.source]; word != "" {
			return word
		}
	}
	return ""
}

// repeated names the sources whose values come again after a restart.
var repeated = map[string]string{
	"os.Hostname": "the name of the host", "os.Getpid": "a process number", "os.Getenv": "a setting of the environment",
	"os.LookupEnv": "a setting of the environment", "os.Getppid": "a process number",
}

// noExpiry reports a lock that stays for ever when its holder dies.
func noExpiry(j *judge, sum *flow.Summary) {
	for _, a := range acquisitions(sum) {
		if a.Source() != nil && !a.Hold.Library {
			continue
		}
		if why := j.endless(a); why != "" {
			j.say("noexpiry", sum, a.Chain[0], a,
				"{lock} takes the lock for ever: {why}. When {func} dies nobody acquires it again, until a person deletes it, "+
					"and then the holder may have been slow and not dead. Give it an expiry longer than the work, or renew it while the work lasts.",
				"{why}", why)
		} else if setter := j.a.Unexpiring(sum.ID, a); setter != "" {
			j.say("noexpiry", sum, a.Chain[0], a,
				"{lock} has no time to live that anybody chose: nobody calls {setter}, and what the library puts in its place may be over before {func} has done its work. Give it an expiry longer than the work.",
				"{setter}", setter)
		}
	}
}

// wordless says why a command given in words sets a key for ever.
func wordless(a *flow.Event) string {
	if !strings.HasSuffix(a.Key, ".Do") {
		return ""
	}
	words := make(map[string]bool)
	known := true
	var add func(ts []*term.Term)
	add = func(ts []*term.Term) {
		for _, t := range ts {
			if t.Kind == term.List {
				known = known && !t.Open
				add(t.Args)
			} else if s, ok := term.StringValue(t); ok {
				words[strings.ToUpper(s)] = true
			}
			for _, s := range flow.BuiltSteps(t) {
				words[s.Word()] = true
			}
		}
	}
	add(a.Args)
	ends := words["EX"] || words["PX"] || words["EXAT"] || words["PXAT"]
	if known && (words["SETNX"] || words["SET"] && words["NX"]) && !ends {
		return "the command sets no time to live"
	}
	return ""
}

// endless says why an acquisition has no end, "" if it has one or it is not known.
func (j *judge) endless(a *flow.Event) string {
	if why := wordless(a); why != "" {
		return why
	}
	l := j.entry(a)
	if l == nil || l.TTL.IsZero() {
		return ""
	}
	ttl := a.At(l.TTL)
	if ttl == nil {
		return ""
	}
	for _, t := range term.Settle(ttl).Alternatives() {
		for t.Kind == term.Convert || t.Kind == term.Iface {
			t = t.Args[0]
		}
		if t.Kind != term.Const {
			continue
		}
		if term.IsZero(t) || strings.HasPrefix(t.Str, "-") {
			return "its time to live is " + t.String()
		}
	}
	return ""
}
