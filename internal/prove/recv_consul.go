package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

func init() { profiles["consul.cas"] = consulCas }

// consulCas judges a write that compares the index of a key; index 0 means that there
// is no such key.
func consulCas(j *judge, p *pair) decision {
	if strings.HasSuffix(p.w.Key, ".Txn") {
		return consulTxn(j, p)
	}
	s := j.models.FuncKey(p.w.Key).Sink
	if s.Method != "CAS" || len(p.w.Args) == 0 {
		return j.casVerdict(p, decision{}, false)
	}
	d := decision{}
	for _, pair := range term.Settle(p.w.Args[0]).Alternatives() {
		pair = unboxed(pair)
		if pair.Kind == term.Struct && !pair.Open && absentOrZero(fieldNamed(pair, "ModifyIndex")) {
			d = worse(d, createdOnce(fieldNamed(pair, "Key"), "only the first one creates the key"))
			continue
		}
		d = worse(d, j.casVerdict(p, decision{}, false))
	}
	return d
}

func absentOrZero(t *term.Term) bool { return term.IsZero(unboxed(term.Settle(t))) }

// consulTxn judges operations that happen together or not at all: what refuses one of
// them refuses all.
func consulTxn(j *judge, p *pair) decision {
	always, perhaps, hidden := j.sentTogether(p)
	x := consulOperations{j: j, p: p, hidden: hidden}
	for _, op := range always {
		x.note(consulOperation(op))
	}
	for _, op := range always {
		x.add(op, true)
	}
	for _, op := range perhaps {
		x.add(op, false)
	}
	return x.decide()
}

// consulOperations is what the operations of one transaction are worth.
type consulOperations struct {
	j        *judge
	p        *pair
	compared decision   // the best condition
	writes   decision   // the worst of the writes, each by itself
	hidden   *term.Term // an operation that is not known
	retaken  bool       // one of them may lock the key of the lock anew
	absent   []*term.Term
}

// note remembers which keys there must not be yet.
func (x *consulOperations) note(op *term.Term) {
	if verb, _ := term.StringValue(fieldNamed(op, "Verb")); verb == "check-not-exists" {
		x.absent = append(x.absent, unboxed(term.Settle(fieldNamed(op, "Key"))))
	}
}

func (x *consulOperations) decide() decision {
	switch {
	case x.retaken && x.compared.verdict == proved:
		return retakes
	case x.compared.guard == "owner", x.compared.guard == "cas" && x.compared.rule == "":
		return x.compared
	case x.hidden != nil:
		d := notSeen("the operations of the transaction are put together out of sight")
		if x.hidden.Symbolic() {
			d.verdict = waiting
		}
		return d
	case x.writes.verdict == silent || x.writes.verdict == proved:
		return x.writes
	}
	return stronger(x.compared, x.writes)
}

// consulOperation is what an operation does to a key; of another kind of operation it is
// the zero value.
func consulOperation(op *term.Term) *term.Term {
	op = unboxed(term.Settle(op))
	if op.Kind == term.Struct && strings.HasSuffix(op.Str, ".TxnOp") && !op.Open {
		return unboxed(term.Settle(fieldNamed(op, "KV")))
	}
	return op
}

// add looks at one operation, which may not be among those that are sent.
func (x *consulOperations) add(op *term.Term, sure bool) {
	op = consulOperation(op)
	if term.IsZero(op) { // of a node, a service, a check
		x.writes = worse(x.writes, consulPlain)
		return
	}
	verbs, known := operationVerbs(op)
	if !known {
		x.hidden = op
		return
	}
	if len(verbs) > 1 {
		sure = false // what one of them demands the other one may not
	}
	for _, verb := range verbs {
		x.retaken = x.retaken || verb == "lock"
		condition, write := x.meaning(verb, op)
		x.writes = worse(x.writes, write)
		if sure {
			x.compared = stronger(x.compared, condition)
		}
	}
}

// operationVerbs are what an operation may be told to do; not known if one of them is not
// written out.
func operationVerbs(op *term.Term) (verbs []string, known bool) {
	if op.Kind != term.Struct || op.Open {
		return nil, false
	}
	for _, v := range unboxed(term.Settle(fieldNamed(op, "Verb"))).Alternatives() {
		verb, known := term.StringValue(v)
		if !known {
			return nil, false
		}
		verbs = append(verbs, verb)
	}
	return verbs, true
}

var retakes = notInSight("the operation that locks the key takes it again for a session that has lost it and lives")

var consulPlain = unconditional("no operation of the transaction checks the session or an index")

// meaning is what an operation demands of the whole transaction, and what it is worth as
// a write.
func (x *consulOperations) meaning(verb string, op *term.Term) (condition, write decision) {
	field := func(name string) *term.Term { return unboxed(term.Settle(fieldNamed(op, name))) }
	switch verb {
	case "check-session":
		return x.session(field("Key"), field("Session")), decision{}
	case "unlock":
		d := x.session(field("Key"), field("Session"))
		return d, d
	case "lock":
		return retakes, retakes
	case "check-index", "delete-cas", "cas":
		if verb == "cas" && absentOrZero(field("Index")) {
			return decision{}, createdOnce(field("Key"), "only the first one creates the key")
		}
		d := x.j.comparesVersion(x.p, field("Index"))
		if verb == "check-index" {
			return d, decision{}
		}
		return d, d
	case "get", "get-or-empty", "get-tree", "check-not-exists":
		return decision{}, decision{}
	case "set":
		if slices.ContainsFunc(x.absent, field("Key").Equal) {
			return decision{}, createdOnce(field("Key"), "only the first one creates the key")
		}
	}
	return decision{}, consulPlain
}

// session judges an operation that succeeds only while a session holds a key.
func (x *consulOperations) session(key, session *term.Term) decision {
	d := decision{guard: "owner"}
	ofLock, sessionOfLock := consulLock(x.p)
	sameKey := ofLock == nil || ofLock.Equal(key)
	sameSession := sessionOfLock != nil && sessionOfLock.Equal(session)
	switch {
	case x.p.acq.Lib != "consul":
		return notInSight("the session is that of another lock")
	case readBack(session):
		d.verdict, d.rule, d.reason = refuted, "identityreused", "the session is read from the key, and then it is that of whoever holds it"
		return d
	case sameForAll(session):
		d.verdict, d.rule, d.reason = refuted, "identityreused", "the session is the same for each owner"
		return d
	case !sameKey && !handedWhole(key) && !handedWhole(ofLock):
		return notInSight("the operation asks for another key than that of the lock")
	case !sameSession && !x.j.fromCaller(session):
		return notInSight("the session is not known to be that of the lock")
	}
	d.verdict, d.guarded, d.reason = proved, true, "the transaction happens only while the session holds the key"
	d = x.j.rejection(x.p, d)
	switch {
	case d.verdict != proved:
	case !sameSession:
		d.verdict, d.reason = waiting, "the caller supplies the session"
	case !sameKey:
		d.verdict, d.reason = waiting, "the caller supplies the key"
	}
	return d
}

// handedWhole reports whether a text is what a caller hands in, and no part of another one.
func handedWhole(t *term.Term) bool {
	for t.Kind == term.Field && len(t.Args) > 0 {
		t = unboxed(t.Args[0])
	}
	return t.Kind == term.Param || t.Kind == term.Free
}

// readBack reports whether a session was read from the store.
func readBack(session *term.Term) bool {
	return session.Kind == term.Field && strings.HasSuffix(session.Str, ".KVPair.Session") && session.Args[0].Any(func(u *term.Term) bool {
		return u.Kind == term.Call && (strings.HasSuffix(u.Str, ".KV.Get") || strings.HasSuffix(u.Str, ".KV.List"))
	})
}

// consulLock is the key of a lock of Consul and its session; nil what is not in sight.
func consulLock(p *pair) (key, session *term.Term) {
	var from *term.Term
	switch h := p.acq.Hold.Handle; {
	case strings.HasSuffix(p.acq.Key, ".KV.Acquire") && len(p.acq.Args) > 0:
		from = p.acq.Args[0]
	case h != nil && unboxed(h).Kind == term.Call && len(unboxed(h).Args) > 1:
		from = unboxed(h).Args[1]
	}
	if from == nil {
		return nil, nil
	}
	from = unboxed(term.Settle(from))
	if h := p.acq.Hold.Handle; from.Kind != term.Struct {
		if h != nil && lastPart(unboxed(h).Str) == "LockKey" {
			return from, nil
		}
		return nil, nil
	}
	key, session = unboxed(term.Settle(fieldNamed(from, "Key"))), unboxed(term.Settle(fieldNamed(from, "Session")))
	if term.IsZero(session) || session.Kind == term.Unknown {
		session = nil // the library makes one of its own
	}
	return key, session
}
