package prove

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// profiles decide by the profile of the models: how a receiver refuses.
var profiles map[string]receiver

func init() { // the functions refer to the table
	profiles = map[string]receiver{
		"etcd.txn":   etcdTxn,
		"etcd.stm":   etcdSTM,
		"k8s.update": k8sUpdate,
		"process":    processDecision,
	}
}

// byProfile decides a boundary without a statement.
func (j *judge) byProfile(p *pair, s *model.Sink) (decision, bool) {
	if s.Kind == "batch_flush" && !s.Callback.IsZero() {
		return decision{}, true // the commands inside are the boundaries
	}
	if j.itemsSeen(p, s) {
		return decision{}, true
	}
	if s.Kind == "txn" && s.Condition == "closure" || j.onlyGets(p.w, s) {
		return decision{}, true
	}
	if d, ok := j.watched(p, s); ok {
		return d, true
	}
	if s.Profile == nil {
		return decision{}, false
	}
	f := profiles[s.Profile.Name]
	if f == nil {
		return decision{}, false
	}
	d := f(j, p)
	if d.receiver == "" {
		d.receiver = j.keyOf(p.w, s)
	}
	d.shown = j.callName(p.w)
	return d, true
}

// keyOf names the key that a call writes, up to its first hole.
func (j *judge) keyOf(w *flow.Event, s *model.Sink) string {
	t := j.at(s.Key, w)
	name := "?"
	if t != nil {
		if text := texts(pointee(t)); len(text) == 1 && text[0].none == "" {
			name = clean(strings.TrimFunc(text[0].s, isHole))
		}
	}
	return s.Lib + ":" + name
}

// at is the term at a path of the models, as far as the event carries it.
func (j *judge) at(p model.Path, w *flow.Event) *term.Term {
	var t *term.Term
	switch {
	case p.Root == "recv":
		t = w.Recv
	case p.Root == "arg" && p.Index >= 0 && p.Index < len(w.Args):
		t = w.Args[p.Index]
	case p.Root == "arg" && p.Index == model.LastArg && len(w.Args) > 0:
		t = w.Args[len(w.Args)-1]
	}
	for _, s := range p.Steps {
		if t == nil {
			return nil
		}
		t = fieldNamed(t, s.Name)
	}
	return t
}

// fieldNamed selects a field by its bare name from a struct that is in sight.
func fieldNamed(t *term.Term, name string) *term.Term {
	t = unboxed(t)
	if t.Kind == term.Struct {
		for i, n := range t.Names {
			if lastPart(n) == name {
				return t.Args[i]
			}
		}
		if !t.Open {
			return term.NewConst("zero", "0")
		}
	}
	return term.NewUnknown("a field that is not in sight")
}

// etcdTxn judges a conditional transaction of etcd by its comparisons: all must hold.
func etcdTxn(j *judge, p *pair) decision {
	if s := j.models.FuncKey(p.w.Key).Sink; s.Kind == "kv_dynamic" {
		return j.etcdDo(p, j.at(s.Input, p.w))
	}
	d := decision{}
	for _, l := range demands(p.w.Recv) {
		d = worse(d, j.etcdDemands(p, l))
	}
	return d
}

// etcdDemands judges one list of comparisons.
func (j *judge) etcdDemands(p *pair, l demanded) decision {
	if d, ok := otherwise(p.w.Recv); ok && (!l.handed || d.verdict == refuted) {
		return d
	}
	best := decision{verdict: refuted, rule: "unfencedwrite", guard: "none", reason: "the transaction has no condition on the ownership"}
	for _, c := range l.comparisons {
		d := decision{}
		for _, alt := range c.Alternatives() {
			d = worse(d, j.etcdCompare(p, alt))
		}
		if severity(d) < severity(best) || best.rule == "unfencedwrite" && d.guard != "none" {
			best = d
		}
	}
	if l.handed && best.verdict != proved {
		return decision{verdict: waiting, guard: "unknown", reason: "the caller supplies the conditions"}
	}
	if best.verdict == refuted && best.guard == "none" && !l.known {
		return notSeen("the conditions of the transaction are put together out of sight")
	}
	return best
}

// comparisons lists the comparisons of a chain Txn().If(…).Then(…), and whether
// all of them are in sight.
func comparisons(t *term.Term) ([]*term.Term, bool) {
	var out []*term.Term
	known := true
	for t != nil && t.Kind == term.Call {
		if lastPart(t.Str) == "If" && len(t.Args) == 2 {
			more, all := among(t.Args[1])
			out, known = append(out, more...), known && all
		}
		if len(t.Args) == 0 {
			break
		}
		if lastPart(t.Str) == "Txn" {
			return out, known
		}
		t = t.Args[0]
	}
	return out, false
}

func (j *judge) etcdCompare(p *pair, c *term.Term) decision {
	d := decision{verdict: refuted, rule: "unfencedwrite", guard: "none", reason: "the transaction has no condition on the ownership"}
	if c.Kind != term.Call {
		return d
	}
	c = whetherThere(c)
	if call := j.models.FuncKey(c.Str); call != nil {
		for _, l := range call.Locks {
			if l.Guard == "compare" && len(c.Args) > 0 {
				return j.ownedBy(p, c.Args[0])
			}
		}
	}
	if lastPart(c.Str) != "Compare" || len(c.Args) != 3 || c.Args[0].Kind != term.Call {
		return d
	}
	op, _ := term.StringValue(c.Args[1])
	value := j.presented(p, unboxed(c.Args[2]))
	if own, ok := j.etcdClaimed(p, c.Args[0], op, &value); ok {
		return own
	}
	switch what := lastPart(c.Args[0].Str); {
	case what == "CreateRevision" && op == "=" && j.ownEpoch(p, &value):
		d.verdict, d.rule, d.guard, d.guarded = proved, "", "owner", true
		d.reason = "the transaction happens only while the lock's own key exists"
		return j.twoOwners(p, j.rejection(p, d))
	case (what == "CreateRevision" || what == "Version") && op == "=" && term.IsZero(value.term) &&
		len(c.Args[0].Args) > 0 && writesKey(p.w.Recv, c.Args[0].Args[0]):
		d.verdict, d.rule, d.guard, d.reason = proved, "", "create-once", "only the first one creates the key"
		return d
	case what != "Value" && (op == ">" || op == "!=") && term.IsZero(value.term) && handedKey(c.Args[0]):
		return decision{verdict: waiting, guard: "unknown", reason: "the caller supplies the key that has to be there"}
	case holdsOnlyThere(what, op, value.term) &&
		(ownKey(c.Args[0], p.acq.Hold.Handle) || p.acq.Belief != nil && keyOfLock(c.Args[0])):
		d.verdict, d.rule, d.guard, d.guarded = unproved, "", "owner", true
		d.reason = "the transaction happens only while the session has its key, which a later hold of the session has too"
		return j.rejection(p, d)
	case what == "ModRevision" && op == "<" && j.ownEpoch(p, &value) && len(c.Args[0].Args) > 0 && putsKey(p.w.Recv, c.Args[0].Args[0]):
		d.verdict, d.rule, d.guard, d.guarded = proved, "", "fence", true
		d.reason = "the key was last written before this lock was acquired, and is written now: a write of a newer owner has a later revision"
		return j.rejection(p, d)
	case (what == "CreateRevision" && op == "=" || what == "ModRevision" && op == "<") && tokenRules[value.worth()] != "" && value.worth() != zero:
		o := originWith(&value, value.worth())
		d.rule, d.reason = tokenRules[o.class], "the revision of the key is compared with "+o.text+", "+cmp.Or(o.worth, worths[o.class])
	case what != "Value" && op == "=" && term.IsZero(value.term) && thenSeen(p.w.Recv):
		d.reason = "it is refused only where there is a key that it does not write"
		return d
	case (what == "ModRevision" || what == "Version" || what == "Value" && value.isVersion()) && op == "=":
		d.rule = ""
		return j.casVerdict(p, d, false)
	case what == "Value" && op != "=":
		d.verdict, d.rule, d.guard = refuted, "fencecolumn", "fence"
		d.reason = "etcd compares values byte by byte, so \"9\" is above \"10\""
	}
	return d
}

// holdsOnlyThere reports whether a comparison fails where there is no such key. Of a value it
// does whatever the value is, even an empty one (applyCompare in etcd's server).
func holdsOnlyThere(what, op string, value *term.Term) bool {
	switch {
	case what == "Value":
		return op == "="
	case op == "=":
		return what == "LeaseValue" && !term.IsZero(value)
	}
	return (op == ">" || op == "!=") && term.IsZero(value)
}

// handedKey reports whether a comparison looks at a key that is handed in as a whole.
func handedKey(operand *term.Term) bool {
	return len(operand.Args) == 1 && handedWhole(unboxed(operand.Args[0]))
}

// keyOfLock reports whether a comparison looks at the key that some lock of etcd has made: of
// one that the code only believes to hold it is not known which.
func keyOfLock(operand *term.Term) bool {
	if len(operand.Args) != 1 {
		return false
	}
	key := unboxed(operand.Args[0])
	return key.Kind == term.Call && lastPart(key.Str) == "Key" && strings.Contains(key.Str, "/concurrency.")
}

// thenSeen reports whether all operations of Then are in sight.
func thenSeen(t *term.Term) bool {
	_, known := operations(t, "Then")
	return known
}

// whetherThere is the comparison behind KeyExists and KeyMissing; other ones are left as they
// are.
func whetherThere(c *term.Term) *term.Term {
	op := map[string]string{"KeyExists": ">", "KeyMissing": "="}[lastPart(c.Str)]
	if op == "" || len(c.Args) != 1 || !strings.Contains(c.Str, "clientv3util.") {
		return c
	}
	return term.NewCall("Compare", c.Site, 0, term.NewCall("Version", c.Site, 0, c.Args[0]), term.NewString(op), term.NewConst("int", "0"))
}

func (j *judge) ownedBy(p *pair, handle *term.Term) decision {
	d := decision{verdict: proved, guard: "owner", guarded: true, reason: "the transaction happens only while this lock is held"}
	if otherLock(handle, p.acq.Hold.Handle) && !sameIdentity(handle, p.acq.Hold.Handle) {
		return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown", reason: "the transaction asks for another lock"}
	}
	return j.twoOwners(p, j.rejection(p, d))
}

// readBefore reports whether a decision before the write rests on a read of the
// same key in the hold.
func (j *judge) readBefore(p *pair, s *model.Sink) bool {
	key := j.at(s.Key, p.w)
	if key == nil {
		return false
	}
	return slices.ContainsFunc(p.w.Conds, func(c flow.Cond) bool {
		return c.Term.Any(func(u *term.Term) bool {
			if u.Kind != term.Call {
				return false
			}
			m := j.models.FuncKey(u.Str)
			if m == nil || m.Sink == nil || m.Sink.Boundary != "read" || m.Sink.Lib != s.Lib {
				return false
			}
			i := m.Sink.Key.Index + 1 // the receiver is the first argument of a term
			return m.Sink.Key.Root == "arg" && i < len(u.Args) && u.Args[i].Equal(key) && j.inHold(p, u)
		})
	})
}

// inHold reports whether a call comes after the acquisition, as far as positions
// in one function tell.
func (j *judge) inHold(p *pair, call *term.Term) bool {
	if flow.SiteBefore(call.Site, rootEvent(p.acq).Site) {
		return false
	}
	pos, ok := j.a.CallPos(call.Site)
	return !ok || pos > p.acq.Chain[0].Pos
}

// k8sUpdate judges an update of a Kubernetes object: the server compares the
// resourceVersion that the object carries, unless it is empty.
func k8sUpdate(j *judge, p *pair) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	obj := j.at(s.Value, p.w)
	if obj != nil && unboxed(obj).Kind == term.Struct && !carriesVersion(unboxed(obj)) {
		return decision{verdict: refuted, rule: "unfencedwrite", guard: "none", reason: "the object is made here and carries no resourceVersion, so the server compares nothing"}
	}
	if slices.ContainsFunc(p.w.Args, func(a *term.Term) bool { return a.Kind == term.Iface && a.Str == flow.NoVersion }) {
		return decision{verdict: refuted, rule: "unfencedwrite", guard: "none", reason: "the resourceVersion is taken out of the object, so the server compares nothing"}
	}
	reread := slices.ContainsFunc(p.w.Args, func(a *term.Term) bool { return a.Kind == term.Iface && a.Str == flow.ReadHere })
	return j.casVerdict(p, decision{}, reread)
}

// carriesVersion reports whether a resourceVersion is set somewhere in an object.
func carriesVersion(obj *term.Term) bool {
	return obj.Open || obj.Any(func(u *term.Term) bool {
		for i, n := range u.Names {
			if s, ok := term.StringValue(unboxed(u.Args[i])); lastPart(n) == "ResourceVersion" && !(ok && s == "") {
				return true
			}
		}
		return u.Kind == term.Unknown
	})
}
