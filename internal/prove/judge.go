package prove

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/classify"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/model"
)

// judge holds what is needed while one package is judged.
type judge struct {
	u       *Unit
	o       Options
	a       *flow.Analysis
	set     *classify.Set
	models  *model.Table
	calls   map[token.Pos]*ast.CallExpr
	decided map[[2]*flow.Event]decision
	proofs

	findings []Finding
	told     map[reported]flow.Reported // what was reported or accepted, by its cause
	pending  []pendingPair
	dealings map[*ast.FuncDecl]map[string]bool // what dealsWith found
	fed      []feed                            // proved writes that store an epoch
	// protected are the tables that a guarded write or a claim protects.
	protected    map[string]*protection
	late         []*flow.Obligation // made where a lock behind an interface became known
	wrapped      []wrappedUse
	passing      []wrappedUse           // acquisitions without a class that a caller is handed
	keys         map[string]*flow.Event // first acquisition of a lock that is known by name
	kept         map[*flow.Event]bool   // by a type that keeps its lock where it cannot be read
	rows         map[*flow.Event]*Row
	classAt      map[flow.Place]*flow.LockClass // of acquisitions, by the library's call
	registered   map[flow.Place]*flow.Event     // acquisitions with a row, by the places of their copies
	order        []*flow.Event
	duties       []*flow.Obligation
	handed       map[string]bool // the obligations among them that came of another one
	cheap        cheap
	bare         []flow.Touch                  // what this package overwrites beside all holds, and nothing that it knows protects
	implementing []*flow.Event                 // writes of implementations that were judged where an interface is called in a hold
	filling      map[string]bool               // fields of which it is being found what they hold
	supply       map[*flow.Event]bool          // writes that a hold reaches through a field, or that give its lock back and were judged
	uses         map[*flow.Event][]*flow.Event // copies of an acquisition in its callers
	trail        *trail                        // notes the steps of an origin, where one is asked for
	sources      map[*flow.Event]classSource   // with Options.Trace: where classes are declared
	words        map[string]bool               // what says found
	loaded       []*types.Package              // what reachable found
	forTests     map[string]bool               // packages that only tests import
	implement    map[string][]string           // what implementers found, by the interface
	byType       map[*flow.Event]bool          // acquisitions through an interface by an object of which only the type is known
	unchosen     map[string]string             // why it is not known what such a call does
	writesNot    map[string]bool               // calls through interfaces by which nothing is written, by their keys
	concrete     []concreteType                // what concreteTypes found
	drivers      []fsql.Dialect                // what driversUsed found, "" at its end
	signatures   map[string]*types.Signature   // with Options.Trace: of functions by id
}

// register classifies the acquisitions of a function and notes them.
func (j *judge) register(sum *flow.Summary) {
	for _, e := range sum.Events {
		if e.Kind == flow.May && e.Belief == nil {
			j.classify(sum, e)
		}
		if e.Kind != flow.Acquire || e.Belief != nil {
			continue
		}
		j.classify(sum, e)
		if !inLiteral(sum.ID) {
			j.acquisition(sum, e)
		}
	}
}

// inLiteral reports whether an id is that of a function literal: what it does is judged
// in the function around it.
func inLiteral(id string) bool { return strings.Contains(id, "$") }

// function judges the pairs of acquisition and boundary that belong to one function.
func (j *judge) function(sum *flow.Summary) {
	literal := inLiteral(sum.ID)
	for _, w := range sum.Events {
		for _, acq := range w.Holds {
			j.pair(&pair{sum: sum, acq: acq, w: w}, literal)
		}
	}
	if !literal {
		for _, check := range leaseChecks {
			check(j, sum)
		}
	}
}

// leaseChecks look at the life of a lock in one function: how it is acquired,
// renewed, lost and given back.
var leaseChecks []func(*judge, *flow.Summary)

// pair judges one boundary in one hold, unless a called function did already.
func (j *judge) pair(p *pair, literal bool) {
	if p.w.Kind != flow.Write && p.w.Kind != flow.Dyn || p.acq.Hold == nil {
		return
	}
	if literal {
		p.w.Open = append(p.w.Open, p.acq) // the function around it has the terms
		return
	}
	if calledToo(p) {
		return
	}
	if j.judgedBelow(p) {
		j.handedObject(p)
		return
	}
	if p.w.Kind == flow.Dyn {
		j.dynamic(p)
		return
	}
	if j.mints(p) || j.takesLock(p) || j.freesOther(p) {
		return
	}
	d := j.inContext(p, j.decide(p))
	if d.verdict == silent {
		return
	}
	j.feeds(p, d)
	if (d.guarded || d.column != "" && d.guard == "fence") && p.class().Class == "correctness" {
		for _, r := range j.guardedKeys(p, d) {
			j.protect(plainResource(r), []string{d.column}, p.w.Chain[0], true)
		}
	}
	d = j.believed(p, j.effects(p, d))
	j.record(p, d)
	if d.verdict == waiting {
		p.w.Open = append(p.w.Open, p.acq)
		if d.rule != "" {
			j.pending = append(j.pending, pendingPair{p, d})
		}
		return
	}
	if d.rule != "" && p.class().Class == "correctness" {
		j.report(p, d)
	}
}

// pendingPair waits for a caller that supplies what is missing.
type pendingPair struct {
	p *pair
	d decision
}

// settle reports the pairs for which no caller is seen that could decide them.
func (j *judge) settle() {
	if len(j.pending) == 0 {
		return
	}
	calls := j.callsOf()
	for _, w := range j.pending {
		if len(j.uses[w.p.acq]) == 0 && !calls[[2]*flow.Event{w.p.acq, w.p.w}] && w.p.class().Class == "correctness" {
			w.d.verdict = unproved
			j.report(w.p, w.d)
		}
	}
}

// callsOf are the pairs of an acquisition and a write that came up to a caller together, who
// decides what was open in them. Tests do not.
func (j *judge) callsOf() map[[2]*flow.Event]bool {
	m := make(map[[2]*flow.Event]bool)
	for _, s := range j.a.Functions() {
		if s.Test {
			continue
		}
		for _, w := range s.Events {
			for _, a := range w.Holds {
				if w.Source() != nil && a.Source() != nil {
					m[[2]*flow.Event{a.Source(), w.Source()}] = true
				}
			}
		}
	}
	return m
}

// judgedBelow reports whether acquisition and boundary came up together from a
// called function, which had all that is needed to judge them.
func (j *judge) judgedBelow(p *pair) bool {
	a, w := p.acq.Source(), p.w.Source()
	if a == nil || w == nil || !p.acq.SameCall(p.w) {
		return false
	}
	if !slices.Contains(w.Holds, a) {
		return false
	}
	return !w.OpenFor(a)
}

// calledToo reports whether a boundary in a literal that nobody is seen to call came
// up once more, under the same acquisition, where the literal is called after all.
func calledToo(p *pair) bool {
	if !p.w.Detached {
		return false
	}
	w, acq := rootEvent(p.w), rootEvent(p.acq)
	return slices.ContainsFunc(p.sum.Events, func(e *flow.Event) bool {
		return !e.Detached && e.Kind == p.w.Kind && rootEvent(e) == w &&
			slices.ContainsFunc(e.Holds, func(a *flow.Event) bool { return rootEvent(a) == acq })
	})
}

// decide judges one boundary, once.
func (j *judge) decide(p *pair) decision {
	key := [2]*flow.Event{p.acq, p.w}
	if d, ok := j.decided[key]; ok {
		return d
	}
	j.decided[key] = decision{verdict: unproved, guard: "unknown", reason: "it depends on itself"}
	d := j.givenFree(p, j.boundary(p))
	j.decided[key] = d
	return d
}

func (j *judge) boundary(p *pair) decision {
	if d, ok := j.bySession(p); ok {
		return d
	}
	return j.besideLock(p, j.byReceiver(p))
}

// byReceiver asks who receives the write, and what is refused there.
func (j *judge) byReceiver(p *pair) decision {
	if p.w.Decl != nil {
		return j.declared(p)
	}
	c := j.models.FuncKey(p.w.Key)
	if c == nil || c.Sink == nil {
		return decision{
			verdict: unproved, rule: "unprovedwrite", guard: "unknown", receiver: "?",
			reason: "the function does more than is followed; split it", shown: "what follows",
		}
	}
	if f := receivers[c.Sink.Dialect]; f != nil {
		return f(j, p)
	}
	return removal(j.plainBoundary(p, c.Sink), c.Sink)
}

// removal says of an object that is taken away as a whole, and without a condition, that
// this can be done again: what was there is gone as before.
func removal(d decision, s *model.Sink) decision {
	if s.Term != "remove" || d.guard != "none" || d.verdict != refuted {
		return d
	}
	d.guard = "idempotent"
	if d.rule == "unfencedwrite" {
		d.reason = "the object can be removed again, but an obsolete owner's removal comes through"
	}
	return d
}

// receivers decide by the language in which a statement or condition is written.
var receivers map[string]receiver

func init() { // the functions refer to the table
	receivers = map[string]receiver{"sql": sqlDecision}
}

// plainBoundary judges a receiver whose conditions are not read: one that cannot
// refuse is unguarded.
func (j *judge) plainBoundary(p *pair, s *model.Sink) decision {
	if f := byLibrary[s.Lib]; f != nil {
		if d, ok := f(j, p, s); ok {
			return d
		}
	}
	if forms, ok := j.builtBy(p.w, s); ok {
		return j.formsDecision(p, forms)
	}
	if d, ok := j.byProfile(p, s); ok {
		return d
	}
	for kind, f := range boundaries {
		if strings.Contains(s.Boundary, kind) {
			return f(j, p)
		}
	}
	d := decision{receiver: s.Boundary + ":" + s.Lib, guard: "none", shown: j.callName(p.w)}
	if key := j.keyOf(p.w, s); key != s.Lib+":?" && key != s.Lib+":" {
		d.receiver = key
	}
	switch {
	case strings.Contains(s.Boundary, "external"):
		d.verdict, d.rule, d.reason = refuted, "missingidempotency", "the receiver cannot tell a repetition from a new order"
	case strings.Contains(s.Boundary, "queue"), strings.Contains(s.Boundary, "local"), s.Boundary == "cache", s.Boundary == "unknown":
		return decision{}
	case s.Profile != nil && s.Profile.Rejection.Signal == "cannot_reject":
		if u, ok := j.protectedUnit(p); ok {
			u.receiver, u.shown = d.receiver, d.shown
			return u
		}
		d.verdict, d.rule, d.reason = refuted, "unfencedwrite", "the receiver takes every write of this kind"
		if j.readBefore(p, s) {
			d.rule, d.reason = "checkthenact", readBefore
		}
	default:
		d.verdict, d.rule, d.guard, d.reason = unproved, "unprovedwrite", "unknown", "conditions of this receiver are not read"
		d.hidden = d.reason
	}
	return d
}

// boundaries decide by the kind of the boundary, where no statement is written.
var boundaries = map[string]receiver{}

// declared judges a boundary that a directive declares: its receiver compares
// the named parameter.
func (j *judge) declared(p *pair) decision {
	w := p.w.Decl
	d := decision{receiver: resourceName(w.Resource, "table"), shown: j.callName(p.w), guard: "none", resource: resourceName(w.Resource, "table")}
	switch w.Kind {
	case "local", "cache":
		return decision{}
	}
	if w.Fence < 0 || w.Fence >= len(p.w.Args) {
		if w.Idempotency >= 0 && w.Idempotency < len(p.w.Args) {
			return j.declaredKey(p, d)
		}
		if j.atOther(p.w) {
			return j.fencedLater(p, keyDecision(d, keyed{is: absent}, nil))
		}
		d.verdict, d.rule, d.reason = refuted, "unfencedwrite", "its directive names no parameter that the receiver compares"
		return d
	}
	b := j.presented(p, p.w.Args[w.Fence])
	switch c := b.worth(); {
	case j.ownEpoch(p, &b):
		d.verdict, d.guard, d.guarded = proved, "fence", true
		d.reason = "declared: the receiver compares the epoch that it is given"
		return j.rejection(p, d)
	case c == handedIn:
		d.verdict, d.guard, d.reason = waiting, "unknown", "the caller supplies the epoch"
	case tokenRules[c] != "":
		o := originWith(&b, c)
		d.verdict, d.rule, d.reason = refuted, tokenRules[c], "the epoch is "+o.text+", "+cmp.Or(o.worth, worths[c])
	default:
		d.verdict, d.rule, d.guard, d.reason = unproved, "unprovedwrite", "unknown", "it is not known where the epoch comes from: "+originWith(&b, c).reason
	}
	return d
}

func resourceName(name, kind string) string {
	if strings.Contains(name, ":") {
		return name
	}
	if kind == "table" {
		name = fsql.TableName(name)
	}
	return kind + ":" + name
}

// isRead reports whether a statement only reads.
func (j *judge) isRead(w *flow.Event) bool {
	c := j.models.FuncKey(w.Key)
	if c == nil || c.Sink == nil {
		return false
	}
	if c.Sink.Dialect != "sql" {
		return j.onlyGets(w, c.Sink)
	}
	stmt, _ := j.statement(w)
	for _, t := range texts(stmt) {
		if t.none != "" {
			return onlyQueries(c.Sink.Kind)
		}
		for _, dialect := range j.dialectsIn(w.Key, t.s) {
			for _, st := range j.parse(t.s, t.holes, dialect).Statements {
				if !WritesNothing(&st) {
					return false
				}
			}
		}
	}
	return true
}

// callAt is the call that begins at a position of this package.
func (j *judge) callAt(pos token.Pos) *ast.CallExpr {
	if j.calls == nil {
		j.calls = make(map[token.Pos]*ast.CallExpr)
		for _, f := range j.u.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok && j.calls[c.Pos()] == nil {
					j.calls[c.Pos()] = c // the outermost of a chain comes first
				}
				return true
			})
		}
	}
	return j.calls[pos]
}

// exprAt is the called expression at a step, as written: "m.Lock".
func (j *judge) exprAt(s flow.Step, key string) string {
	if text := j.asWritten(s, key); text != "" {
		return text
	}
	return shortKey(key)
}

// stepName is what is called at a step, as written, or by the function's name.
func (j *judge) stepName(s flow.Step) string {
	if text := j.asWritten(s, ""); text != "" {
		return text
	}
	return funcName(s.Func)
}

// lockName names what took a lock: the call as it is written here or, of a statement in
// another package, the function that sends it.
func (j *judge) lockName(acq *flow.Event, s flow.Step) string {
	if text := j.asWritten(s, acq.Key); text != "" {
		return text
	}
	if last := bottomStep(acq); last.Func != "" && (acq.Entry == flow.ByHand || j.statementLock(acq) != nil) {
		return funcName(last.Func)
	}
	return shortKey(acq.Key)
}

// asWritten is the called expression at a step of this package, "" if it is long or not in
// sight. In a chain, that is the step which the key names.
func (j *judge) asWritten(s flow.Step, key string) string {
	c := j.callAt(s.Pos)
	for at := c; at != nil; {
		sel, ok := at.Fun.(*ast.SelectorExpr)
		if !ok {
			break
		}
		if sel.Sel.Name == lastPart(key) {
			c = at
			break
		}
		at, _ = ast.Unparen(sel.X).(*ast.CallExpr)
	}
	if c == nil {
		return ""
	}
	text := types.ExprString(c.Fun)
	if len(text) > 40 || strings.ContainsAny(text, "\n{") {
		return ""
	}
	return text
}

// callName names what a boundary calls.
func (j *judge) callName(w *flow.Event) string {
	if method, ok := strings.CutPrefix(w.Key, flow.LikeClientset); ok {
		return "the call of " + method + " of a Kubernetes client"
	}
	if text := j.asWritten(bottomStep(w), w.Key); strings.HasSuffix(text, "."+lastPart(w.Key)) {
		return "the call of " + text
	}
	key := shortKey(w.Key)
	return "the call of " + strings.Replace(key, ".cmdable.", ".Client.", 1) // embedded in each client of go-redis
}

// shortKey drops the path of "path.Type.Method" up to the package name, which is taken to
// be the last element that is no version ("…/go-redis/v9.Client.Set" is redis.Client.Set).
func shortKey(key string) string {
	i := strings.LastIndexByte(key, '/')
	if i < 0 {
		return key
	}
	name := key[i+1:]
	if version, rest, ok := strings.Cut(name, "."); ok && isVersionElement(version) {
		dir := key[:i]
		name = strings.TrimPrefix(dir[strings.LastIndexByte(dir, '/')+1:], "go-") + "." + rest
	}
	return name
}

// isVersionElement reports whether an element of an import path is a major version.
func isVersionElement(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// funcName is the name of a function as its readers know it.
func funcName(id string) string {
	id = shortKey(plainName(id))
	if i := strings.IndexByte(id, '.'); i >= 0 {
		id = id[i+1:]
	}
	return id
}
