package prove

import (
	"regexp"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// sqlDecision decides a statement of SQL.
func sqlDecision(j *judge, p *pair) decision {
	stmt, args := j.statement(p.w)
	d := decision{}
	for _, t := range texts(stmt) {
		d = worse(d, j.textDecision(p, t, args))
	}
	return d
}

// statement finds the text and the bind arguments of a write.
func (j *judge) statement(w *flow.Event) (stmt, args *term.Term) {
	s := j.models.FuncKey(w.Key).Sink
	if s.Args >= 0 && s.Args < len(w.Args) {
		args = w.Args[s.Args]
	}
	if s.Stmt >= 0 && s.Stmt < len(w.Args) {
		if text, vals, ok := takenOut(w.Args[s.Stmt], args); ok {
			return j.widen(text), vals
		}
		return j.widen(w.Args[s.Stmt]), args
	}
	if w.Recv != nil {
		return j.prepared(j.widen(w.Recv)), args
	}
	return term.NewUnknown("not an argument of the call"), args
}

// prepared is the text that a prepared statement was made from.
func (j *judge) prepared(t *term.Term) *term.Term {
	var out []*term.Term
	for _, a := range t.Alternatives() {
		out = append(out, j.preparedFrom(a))
	}
	return term.NewAlt(out...)
}

func (j *judge) preparedFrom(t *term.Term) *term.Term {
	if t.Kind == term.Call {
		if c := j.models.FuncKey(t.Str); c != nil && c.Sink != nil {
			switch i := c.Sink.Stmt + 1; { // the receiver is the first argument of a term
			case c.Sink.Kind == "prepare" && i < len(t.Args):
				return j.widen(t.Args[i])
			case c.Sink.Kind == "stmt" && len(t.Args) > 1:
				return j.prepared(j.widen(t.Args[len(t.Args)-1]))
			}
		}
	}
	if t.Symbolic() {
		return t
	}
	return term.NewUnknown("that of a prepared statement made elsewhere")
}

// widen puts in place of fields that nobody set on the way what any code of the
// package stores in them.
func (j *judge) widen(t *term.Term) *term.Term {
	s := &term.Subst{Field: func(name string, base *term.Term) *term.Term {
		f := term.NewField(name, base)
		if f.Kind != term.Field {
			return f
		}
		if vals := j.a.FieldValues(name); len(vals) > 0 {
			return term.NewAlt(vals...)
		}
		return f
	}}
	return s.Apply(t)
}

func (j *judge) textDecision(p *pair, t text, args *term.Term) decision {
	if t.none != "" {
		return j.noText(p, t)
	}
	d := decision{}
	for _, dialect := range dialectsOf(t.s) {
		script := fsql.Parse(t.s, t.holes, dialect)
		d = worse(d, j.scriptDecision(p, t, script, args))
	}
	return d
}

// noText: nothing is known of the statement. A query is taken for a read unless
// its text says otherwise.
func (j *judge) noText(p *pair, t text) decision {
	if d, ok := j.protectedUnit(p); ok && d.verdict == proved {
		d.receiver, d.shown = "table:?", j.callName(p.w)
		return d
	}
	if t.handed {
		return decision{verdict: waiting, rule: "unprovedwrite", guard: "unknown", receiver: "table:?", reason: "the caller supplies the statement", shown: j.callName(p.w)}
	}
	if k := j.models.FuncKey(p.w.Key).Sink.Kind; k == "query" || k == "query_row" {
		return decision{}
	}
	return decision{
		verdict: unproved, rule: "unprovedwrite", guard: "unknown", receiver: "table:?",
		reason: t.none, shown: j.callName(p.w),
	}
}

// dialectsOf tells by the placeholders which dialects a statement may be in.
func dialectsOf(s string) []fsql.Dialect {
	switch {
	case strings.Contains(s, "$1"), strings.Contains(s, "$2"):
		return []fsql.Dialect{"postgres"}
	case strings.Contains(s, "@p"):
		return []fsql.Dialect{"sqlserver"}
	case strings.Contains(s, "?"):
		return []fsql.Dialect{"mysql", "sqlite"}
	case strings.Contains(s, ":1"):
		return []fsql.Dialect{"oracle"}
	}
	return []fsql.Dialect{"postgres"}
}

func (j *judge) scriptDecision(p *pair, t text, script *fsql.Script, args *term.Term) decision {
	d := decision{}
	if len(script.Problems) > 0 && len(script.Statements) == 0 {
		return j.unread(p, t, script.Problems[0].Reason)
	}
	for i := range script.Statements {
		st := &script.Statements[i]
		switch {
		case len(st.Mutations) > 0:
			for _, m := range st.Mutations {
				d = worse(d, j.mutationDecision(p, t, m, args))
			}
		case !st.Read && !harmless[st.Kind]:
			reason := "the statement is not understood"
			if len(st.Problems) > 0 {
				reason = st.Problems[0].Reason
			}
			d = worse(d, j.unread(p, t, reason))
		}
	}
	return d
}

// harmless lists kinds of statements that write no data.
var harmless = map[string]bool{"select": true, "set": true, "begin": true, "commit": true, "rollback": true, "lock": true, "ddl": true}

func (j *judge) unread(p *pair, t text, reason string) decision {
	if t.handed {
		return decision{verdict: waiting, rule: "unprovedwrite", guard: "unknown", receiver: "table:?", reason: "the caller supplies part of the statement", shown: t.shown()}
	}
	return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown", receiver: "table:?", reason: reason, shown: t.shown()}
}

// bound is an argument of a statement with what is known of its value.
type bound struct {
	arg     fence.Arg
	term    *term.Term
	origins []origin
}

// worth is the class of an argument: that of all its origins, or the worst.
func (b *bound) worth() class {
	c := class("")
	for _, o := range b.origins {
		if c == "" || classRank(o.class) > classRank(c) {
			c = o.class
		}
	}
	return c
}

// classRank orders classes from the best to the worst; what a caller supplies
// comes last, since nothing can be said before it is known.
func classRank(c class) int {
	order := []class{epoch, epochReread, constant, stored, volatile, unbound, opaque, clock, local, untrusted, zero, unknownFrom, handedIn}
	return slices.Index(order, c)
}

// bind gives the arguments of a mutation their values.
func (j *judge) bind(params []fence.Arg, args *term.Term) []bound {
	var out []bound
	for _, a := range params {
		t := j.argument(a, args)
		out = append(out, bound{arg: a, term: t, origins: j.origins(t)})
	}
	return out
}

func unboxed(t *term.Term) *term.Term {
	for t.Kind == term.Iface {
		t = t.Args[0]
	}
	return t
}

// mutationArgs lists the arguments that guard and assignments mention.
func mutationArgs(m *fence.Mutation) []fence.Arg {
	out := fence.CondArgs(m.Guard)
	for _, s := range m.Set {
		out = append(out, fence.Args(s.Value)...)
	}
	for _, s := range m.InsertRow {
		out = append(out, fence.Args(s.Value)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (j *judge) mutationDecision(p *pair, t text, m *fence.Mutation, args *term.Term) decision {
	bs := j.bind(mutationArgs(m), args)
	d := j.guardDecision(p, t, m, bs)
	d.resource = "table:" + m.Resource
	d.receiver, d.shown = d.resource, t.shown()
	if d.verdict != proved && d.verdict != waiting && t.handed && len(m.Problems) > 0 {
		d.verdict, d.guard, d.rule, d.reason = waiting, "unknown", "unprovedwrite", m.Problems[0].Reason
	}
	return d
}

// guardDecision: first with the numbers of this lock as tokens, then with
// whatever else the statement compares.
func (j *judge) guardDecision(p *pair, t text, m *fence.Mutation, bs []bound) decision {
	if d, ok := j.ownerDecision(p, m, bs); ok {
		return d
	}
	own := map[fence.Arg]*bound{}
	for i := range bs {
		if j.ownEpoch(p, &bs[i]) {
			own[bs[i].arg] = &bs[i]
		}
	}
	if len(own) > 0 {
		v := fence.Prove(m, func(a fence.Arg) bool { return own[a] != nil })
		if v.Compared || v.StoredToken {
			return j.fenceDecision(p, m, &v, own, bs)
		}
	}
	if d, ok := j.otherToken(p, m, bs); ok {
		return d
	}
	if d, ok := j.sqlCas(p, m, bs); ok {
		return d
	}
	if len(m.Problems) > 0 && m.Guard != nil && mayHideGuard(m) {
		return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown", reason: m.Problems[0].Reason}
	}
	return j.unguarded(p, m)
}

// mayHideGuard reports whether what was not understood can be a condition.
func mayHideGuard(m *fence.Mutation) bool { return len(m.Problems) > 0 }

// ownEpoch reports whether the argument is a number that the coordinator issued
// with a grant of this lock, on every path.
func (j *judge) ownEpoch(p *pair, b *bound) bool {
	some := false
	for _, o := range b.origins {
		switch o.class {
		case epoch, epochReread:
			if otherLock(o.handle, p.acq.Hold.Handle) {
				return false
			}
			some = true
		case zero: // judged as zerotoken
		default:
			return false
		}
	}
	return some
}

// otherLock reports whether two lock handles are certainly different ones.
func otherLock(a, b *term.Term) bool {
	if a == nil || b == nil {
		return false
	}
	for _, x := range a.Alternatives() {
		for _, y := range b.Alternatives() {
			x, y = unboxed(x), unboxed(y)
			if apart(x, y) {
				continue
			}
			if x.Equal(y) || x.Kind != term.Call || y.Kind != term.Call || x.Site == y.Site {
				return false
			}
		}
	}
	return true
}

// fenceDecision judges a statement that mentions the epoch.
func (j *judge) fenceDecision(p *pair, m *fence.Mutation, v *fence.Verdict, own map[fence.Arg]*bound, bs []bound) decision {
	d := decision{guard: "fence", column: v.Column, trace: traceOf(v)}
	if rule, reason := fault(m, v, own, p.class()); rule != "" {
		d.verdict, d.rule, d.reason = refuted, rule, reason
		if rule == "unprovedwrite" {
			d.verdict, d.guard = unproved, "unknown"
		}
		if rule == "tokennotcompared" {
			d.guard = "none"
			if u := j.unguarded(p, m); u.verdict == proved || u.verdict == waiting || u.rule == "checkthenact" {
				return u
			}
		}
		return d
	}
	d.verdict, d.guarded = proved, true
	d.strict, d.row = v.AdmitsEqual == fence.No && v.Replay == nil, rowOfStatement(m, v, bs)
	d.reason = "an epoch below " + v.Column + " is refused in the statement that writes"
	if durability := durabilityOf(own); durability == "async-replica" {
		d.reason += ", provided that the coordinator never loses a number in a failover"
	}
	return j.rejection(p, d)
}

func durabilityOf(own map[fence.Arg]*bound) string {
	for _, b := range own {
		for _, o := range b.origins {
			if o.durability == "async-replica" {
				return o.durability
			}
		}
	}
	return ""
}

// fault names the first rule that a compared or stored epoch breaks, "" for none.
func fault(m *fence.Mutation, v *fence.Verdict, own map[fence.Arg]*bound, lock *flow.LockClass) (rule, reason string) {
	for _, f := range faults {
		if r := f.found(m, v, own, lock); r != "" {
			return f.rule, r
		}
	}
	return "", ""
}

// faults are the tests of a fence, in the order in which one is reported.
var faults = []struct {
	rule  string
	found func(*fence.Mutation, *fence.Verdict, map[fence.Arg]*bound, *flow.LockClass) string
}{
	{"crosstablefence", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		for _, o := range v.Others {
			if v.RejectsStale != fence.Yes && !o.Locked {
				return "the epoch is compared in table " + o.Table + ", whose row is not locked"
			}
		}
		return ""
	}},
	{"unprovedwrite", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if v.RejectsStale == fence.Unknown && (v.Compared || len(v.Problems) > 0) {
			return firstOf(v.Problems, "the condition cannot be decided")
		}
		return ""
	}},
	{"tokennotcompared", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if !v.Compared && v.StoredToken {
			return "the epoch is stored, but nothing compares it"
		}
		return ""
	}},
	{"fencecolumn", func(_ *fence.Mutation, v *fence.Verdict, own map[fence.Arg]*bound, _ *flow.LockClass) string {
		if len(v.Casts) > 0 {
			return "the comparison is made as " + v.Casts[0]
		}
		for _, a := range v.GuardArgs {
			if b := own[a]; b != nil {
				for _, o := range b.origins {
					if o.narrow != "" {
						return "the epoch is narrowed to " + o.narrow
					}
				}
			}
		}
		return ""
	}},
	{"staleadmitted", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if v.RejectsStale == fence.No {
			return "an epoch below " + v.Column + " passes the condition"
		}
		return ""
	}},
	{"tokenmismatch", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if (v.Advances == "other" || v.Advances == "regress") && len(v.SetArgs) > 0 && !sameArgs(v.GuardArgs, v.SetArgs) {
			return "the condition compares one value and " + v.Column + " is set to another"
		}
		return ""
	}},
	{"fencenotadvanced", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if advances(v) || v.StoredToken {
			return ""
		}
		return "the epoch is compared with " + v.Column + " and never stored in it"
	}},
	{"staleadmitted", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if advances(v) {
			return ""
		}
		return "the epoch is compared with " + v.Column + ", but stored elsewhere: nobody moves what it is compared with"
	}},
	{"nulladmitted", func(m *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if v.ZeroToken == fence.Admitted || v.NullToken == fence.Admitted {
			return "a token of zero or NULL passes whatever " + v.Column + " holds"
		}
		if v.NullRule == "bypasses" && m.InsertPath == fence.Closed {
			return "a row whose " + v.Column + " is NULL takes any epoch"
		}
		return ""
	}},
	{"equaladmitted", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, lock *flow.LockClass) string {
		if v.AdmitsEqual == fence.Yes && v.Replay == nil && lock.Replay == "" && v.Advances != "na" {
			return "a repeated delivery under the same epoch passes again"
		}
		return ""
	}},
	{"zerotoken", func(_ *fence.Mutation, v *fence.Verdict, own map[fence.Arg]*bound, _ *flow.LockClass) string {
		for _, a := range v.GuardArgs {
			if b := own[a]; b != nil && slices.ContainsFunc(b.origins, func(o origin) bool { return o.class == zero }) {
				return "on one path the epoch is never set"
			}
		}
		return ""
	}},
	{"mixedtokens", func(_ *fence.Mutation, v *fence.Verdict, own map[fence.Arg]*bound, _ *flow.LockClass) string {
		source := ""
		for _, a := range append(slices.Clone(v.GuardArgs), v.SetArgs...) {
			if own[a] == nil {
				continue
			}
			for _, o := range own[a].origins {
				if o.source != "" && source != "" && o.source != source {
					return "numbers of " + source + " and of " + o.source + " meet in one column"
				}
				source = o.source
			}
		}
		return ""
	}},
}

func advances(v *fence.Verdict) bool {
	return v.Advances == "yes" || v.Advances == "na" || pinned(v)
}

// pinned reports whether a write is accepted only where the stored fence is the epoch
// already: nothing is left to store, and whoever stores a larger one shuts it out.
func pinned(v *fence.Verdict) bool {
	kept := v.Advances == "absent" || v.Advances == "keeps"
	return kept && v.Less == fence.Never && v.Greater == fence.Never && v.Null == fence.Never
}

func sameArgs(a, b []fence.Arg) bool {
	for _, x := range b {
		if !slices.Contains(a, x) {
			return false
		}
	}
	return true
}

func firstOf(s []string, otherwise string) string {
	if len(s) > 0 {
		return s[0]
	}
	return otherwise
}

func traceOf(v *fence.Verdict) []string {
	return []string{
		"token below stored fence: " + v.Less.String(),
		"token equal to stored fence: " + v.Equal.String(),
		"token above stored fence: " + v.Greater.String(),
		"no stored fence: " + v.Null.String(),
		"new fence: " + v.Advances,
	}
}

// tokenRules says which rule reports a fence fed from a class that is none.
var tokenRules = map[class]string{
	clock: "clocktoken", volatile: "volatiletoken", unbound: "unboundcounter", opaque: "opaquetoken",
	local: "localcounter", untrusted: "untrustedtoken", zero: "zerotoken",
}

// otherToken judges an ordered comparison with a value that is not this lock's
// epoch. What a caller supplies is the caller's obligation.
func (j *judge) otherToken(p *pair, m *fence.Mutation, bs []bound) (decision, bool) {
	found, d := false, decision{}
	for i := range bs {
		b := &bs[i]
		v := fence.Prove(m, func(a fence.Arg) bool { return a == b.arg })
		if !v.Compared || !ordered(&v) || !v.StoredToken && !fenceWords.MatchString(v.Column) {
			continue // a condition on data
		}
		found = true
		d = worse(d, j.foreignToken(p, b, &v))
	}
	return d, found
}

// fenceWords are in the names of columns that are meant as fences. They only tell
// which comparison with an unknown value is asked about.
var fenceWords = regexp.MustCompile(`(?i)fence|fencing|epoch|token|term|lease|lock|owner|claim|generation|revision|version|range|seq|turn|attempt|ballot`)

func ordered(v *fence.Verdict) bool {
	return slices.ContainsFunc(v.Ops, fence.Op.Ordered)
}

func (j *judge) foreignToken(p *pair, b *bound, v *fence.Verdict) decision {
	c := b.worth()
	d := decision{guard: "none", column: v.Column, trace: traceOf(v)}
	o := originWith(b, c)
	switch rule := tokenRules[c]; {
	case rule != "":
		d.verdict, d.rule = refuted, rule
		d.reason = v.Column + " is compared with " + o.text + ", " + worths[c]
	case c == handedIn:
		d.verdict, d.guard, d.reason = waiting, "unknown", "the caller supplies what is compared with "+v.Column
	case c == unknownFrom || c == epoch || c == epochReread:
		d.verdict, d.rule, d.guard = unproved, "unprovedwrite", "unknown"
		d.reason = "it is not known where the value compared with " + v.Column + " comes from: " + o.reason
		if c == epoch || c == epochReread {
			d.reason = "the value compared with " + v.Column + " is the number of another lock"
		}
	default:
		return decision{} // a condition on data
	}
	return d
}

func originWith(b *bound, c class) origin {
	for _, o := range b.origins {
		if o.class == c {
			return o
		}
	}
	return origin{}
}

// worths says of a class, in words, why it is no fence.
var worths = map[class]string{
	clock:     "which is a clock reading: clocks of two owners need not agree",
	volatile:  "which may move within one tenure or fall for a later owner",
	unbound:   "which anybody can draw at any time: a stale owner gets a fresh one",
	opaque:    "which has no order",
	local:     "which is counted in this process alone",
	untrusted: "which comes in from outside: whoever sends a large one is the newest owner",
	zero:      "which is never set",
}

// unguarded judges a statement without any guard of its own.
func (j *judge) unguarded(p *pair, m *fence.Mutation) decision {
	if d, ok := j.protectedUnit(p); ok {
		if d.verdict == proved && j.takesBack(p, m) {
			return decision{verdict: refuted, rule: "nulladmitted", guard: "none",
				reason: "it sets the fence that was just compared to something that is no epoch, and any epoch passes after it"}
		}
		return d
	}
	if (m.Kind == fence.Insert || m.InsertPath == fence.Only) && m.OnConflict == "nothing" {
		if d, ok := j.onceByKey(p, m); ok {
			return d
		}
		return decision{verdict: proved, guard: "create-once", reason: "only the first insert of a key is accepted"}
	}
	if d, ok := j.lockedCompare(p, m); ok {
		return d
	}
	d := decision{verdict: refuted, rule: "unfencedwrite", guard: "none", reason: "nothing in the statement refuses an obsolete owner"}
	if m.Guard == nil || !j.comparesToken(p, m) {
		if reason := j.checkedBefore(p, m.Resource); reason != "" {
			d.rule, d.reason = "checkthenact", reason
			return d
		}
	}
	v := fence.Prove(m, func(fence.Arg) bool { return false })
	if v.Monotone && m.Kind != fence.Delete {
		d.guard, d.reason = "idempotent", "the statement can be repeated, but an obsolete owner's comes through"
	}
	return d
}

// protectedUnit: an earlier statement of the same transaction compares the epoch,
// and its refusal stops this one.
func (j *judge) protectedUnit(p *pair) (decision, bool) {
	sent := j.sender(p)
	if !j.isTx(sent) {
		return decision{}, false
	}
	for _, w := range sent.After {
		if !sameUnit(w, sent) {
			continue
		}
		d := j.decide(&pair{sum: p.sum, acq: p.acq, w: w})
		switch {
		case d.verdict == proved && d.guard == "fence":
			d.reason = "an earlier statement of the same transaction refuses obsolete owners"
			d.guarded, d.strict, d.row = true, false, ""
			return d, true
		case d.verdict == waiting:
			return decision{verdict: waiting, guard: "unknown", reason: d.reason}, true
		}
	}
	return decision{}, false
}

func (j *judge) isTx(w *flow.Event) bool {
	c := j.models.FuncKey(w.Key)
	if c == nil || c.Sink == nil || w.Recv == nil {
		return false
	}
	if c.Sink.Carrier == "tx" || unitOf(w) != unboxed(w.Recv) {
		return true
	}
	return w.Recv.Kind == term.Iface && strings.HasSuffix(w.Recv.Str, ".Tx")
}

// sameUnit reports whether two writes go through one transaction value.
func sameUnit(a, b *flow.Event) bool {
	return a.Recv != nil && b.Recv != nil && unitOf(a).Equal(unitOf(b))
}

// scripts reads the statement of a write in each form and dialect that it can have.
func (j *judge) scripts(w *flow.Event) []*fsql.Script {
	c := j.models.FuncKey(w.Key)
	if c == nil || c.Sink == nil || c.Sink.Dialect != "sql" {
		return nil
	}
	stmt, _ := j.statement(w)
	var out []*fsql.Script
	for _, t := range texts(stmt) {
		if t.none == "" {
			for _, dialect := range dialectsOf(t.s) {
				out = append(out, fsql.Parse(t.s, t.holes, dialect))
			}
		}
	}
	return out
}

// tables lists the tables that a write changes.
func (j *judge) tables(w *flow.Event) []string {
	var out []string
	for _, s := range j.scripts(w) {
		for _, st := range s.Statements {
			for _, m := range st.Mutations {
				if !slices.Contains(out, m.Resource) {
					out = append(out, m.Resource)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// locksRows reports whether a statement locks the rows that it reads.
func (j *judge) locksRows(w *flow.Event) bool {
	for _, s := range j.scripts(w) {
		for _, st := range s.Statements {
			if st.RowLock != "" && len(st.Mutations) == 0 {
				return true
			}
		}
	}
	return false
}
