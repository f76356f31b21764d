package prove

import (
	"slices"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// onlyGets reports whether what is sent to etcd is known as a whole and changes nothing: a
// transaction that reads several keys at one revision, or a single operation.
func (j *judge) onlyGets(w *flow.Event, s *model.Sink) bool {
	switch s.Kind {
	case "txn":
		then, known := operations(w.Recv, "Then")
		or, others := operations(w.Recv, "Else")
		return known && others && len(then) > 0 && begun(w.Recv) && allGet(then) && allGet(or)
	case "kv_dynamic":
		op := j.at(s.Input, w)
		return op != nil && allGet([]*term.Term{op})
	}
	return false
}

// begun reports whether a chain of a transaction is in sight from its beginning on.
func begun(t *term.Term) bool {
	for t != nil && t.Kind == term.Call && len(t.Args) > 0 {
		if lastPart(t.Str) == "Txn" {
			return true
		}
		t = t.Args[0]
	}
	return false
}

// etcdDo judges a single operation, which may be a transaction.
func (j *judge) etcdDo(p *pair, op *term.Term) decision {
	d := decision{}
	for _, o := range op.Alternatives() {
		o = unboxed(o)
		switch {
		case o.Kind == term.Call && lastPart(o.Str) == "OpTxn" && len(o.Args) == 3:
			w, q := *p.w, *p
			w.Recv, q.w = asChain(o), &w
			for _, l := range demands(w.Recv) {
				d = worse(d, j.etcdDemands(&q, l))
			}
		case o.Kind == term.Call && (lastPart(o.Str) == "OpPut" || lastPart(o.Str) == "OpDelete"):
			d = worse(d, unconditional("the receiver takes every write of this kind"))
		case o.Kind == term.Call && lastPart(o.Str) == "OpGet":
		case o.Symbolic():
			d = worse(d, decision{verdict: waiting, rule: "unprovedwrite", guard: "unknown", reason: "the caller supplies the operation"})
		default:
			d = worse(d, notInSight("the operation is put together out of sight"))
		}
	}
	return d
}

// asChain is the transaction Txn().If(…).Then(…).Else(…) that an operation of that kind is.
func asChain(op *term.Term) *term.Term {
	t := term.NewCall("Txn", op.Site, 0, term.NewUnknown("the client"))
	for i, step := range []string{"If", "Then", "Else"} {
		t = term.NewCall(step, op.Site, 0, t, op.Args[i])
	}
	return t
}

func allGet(ops []*term.Term) bool {
	for _, op := range ops {
		for _, o := range op.Alternatives() {
			if o.Kind != term.Call || lastPart(o.Str) != "OpGet" {
				return false
			}
		}
	}
	return true
}

// operations lists what a chain Txn().If(…).Then(…).Else(…) does in one of its
// branches, and whether all of it is in sight.
func operations(t *term.Term, branch string) (ops []*term.Term, known bool) {
	known = true
	for t != nil && t.Kind == term.Call && len(t.Args) > 0 {
		if lastPart(t.Str) == branch && len(t.Args) == 2 {
			if l := t.Args[1]; l.Kind == term.List {
				ops, known = append(ops, l.Args...), known && !l.Open
			} else if l.Kind != term.Const {
				known = false
			}
		}
		t = t.Args[0]
	}
	return ops, known
}

// among lists elements that are in a list for certain, in whatever order; whether it has no
// others. One of several lists has for certain what all of them have.
func among(l *term.Term) ([]*term.Term, bool) {
	l = unboxed(l)
	if l.Kind == term.Alt {
		return amongAll(l.Args)
	}
	if l.Kind == term.Op && l.Str == "append" && len(l.Args) == 2 {
		x, all := among(l.Args[0])
		y, rest := among(l.Args[1])
		return append(slices.Clip(x), y...), all && rest
	}
	return elements(l)
}

// amongAll lists the elements that each of several lists has; whether none of the lists has
// others than those in sight.
func amongAll(lists []*term.Term) ([]*term.Term, bool) {
	out, whole := among(lists[0])
	for _, l := range lists[1:] {
		has, all := among(l)
		whole = whole && all
		out = slices.DeleteFunc(slices.Clone(out), func(e *term.Term) bool { return !slices.ContainsFunc(has, e.Equal) })
	}
	return out, whole
}

// demanded is a list of comparisons that a transaction may be made with.
type demanded struct {
	comparisons []*term.Term
	known       bool // it has no others
	handed      bool // a caller supplies some
}

// demands are the lists of comparisons that a transaction may be made with. A list to which a
// loop adds demands what it demanded before the loop, if not more.
func demands(t *term.Term) []demanded {
	cmps, known := comparisons(t)
	arg := stepOf(t, "If")
	if known || arg == nil {
		return []demanded{{cmps, known, !known && t != nil && t.Symbolic()}}
	}
	var out []demanded
	alts := arg.Alternatives()
	for _, l := range alts {
		if len(alts) > 1 && (flow.Grown(l) || l.Equal(term.NewUnknown(term.FromItself))) {
			continue
		}
		more, all := among(l)
		out = append(out, demanded{more, all, !all && listHanded(l)})
	}
	return out
}

// stepOf is what a step of a chain is given, nil if there is no such step.
func stepOf(t *term.Term, step string) *term.Term {
	for ; t != nil && t.Kind == term.Call && len(t.Args) > 0; t = t.Args[0] {
		if lastPart(t.Str) == step && len(t.Args) == 2 {
			return t.Args[1]
		}
	}
	return nil
}

// listHanded reports whether elements of a list are a caller's.
func listHanded(l *term.Term) bool {
	l = unboxed(l)
	switch {
	case l.Kind == term.List:
		return false
	case l.Kind == term.Op && l.Str == "append" && len(l.Args) == 2:
		return listHanded(l.Args[0]) || listHanded(l.Args[1])
	}
	return l.Symbolic()
}

// otherwise judges the branch that runs when the comparisons fail: an obsolete
// owner gets into it.
func otherwise(t *term.Term) (decision, bool) {
	ops, known := operations(t, "Else")
	for _, op := range ops {
		for _, o := range op.Alternatives() {
			known = known && o.Kind == term.Call
			if o.Kind == term.Call && (lastPart(o.Str) == "OpPut" || lastPart(o.Str) == "OpDelete") {
				return decision{verdict: refuted, rule: "unfencedwrite", guard: "none", reason: "the operations of Else are made when the comparison fails"}, true
			}
		}
	}
	if !known {
		return notSeen("the operations of Else, which are made when the comparison fails, are put together out of sight"), true
	}
	return decision{}, false
}

// writesKey reports whether every operation of Then in sight that changes
// something changes the key of a comparison.
func writesKey(t, key *term.Term) bool {
	ops, known := operations(t, "Then")
	if !known {
		return false
	}
	for _, op := range ops {
		for _, o := range op.Alternatives() {
			if o.Kind == term.Call && len(o.Args) > 0 && o.Args[0].Equal(key) {
				return true
			}
		}
	}
	return false
}

// putsKey reports whether one operation of Then, for certain, puts the key of a comparison.
func putsKey(t, key *term.Term) bool {
	ops, _ := operations(t, "Then")
	return slices.ContainsFunc(ops, func(op *term.Term) bool { return puts(unboxed(op), unboxed(key)) })
}

// ownKey reports whether a comparison looks at the key that a lock has made: an
// operand like CreateRevision(m.Key()).
func ownKey(operand, handle *term.Term) bool {
	if handle == nil || len(operand.Args) != 1 {
		return false
	}
	key := operand.Args[0]
	return key.Kind == term.Call && lastPart(key.Str) == "Key" && len(key.Args) == 1 && key.Args[0].Equal(handle)
}
