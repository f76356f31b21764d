package prove

import (
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// Receivers other than SQL statements say what they accept in a text or structure
// of their own. Each is lowered to mutations whose arguments have names; what an
// argument is worth is found in the terms of the call.

// lowered is a write in the algebra of package fence, with the terms behind its
// arguments.
type lowered struct {
	mutation *fence.Mutation
	receiver string
	shown    string // as a message quotes it
	value    func(fence.Arg) *term.Term
	partial  bool // it may store more than is seen
	// ignores says why the caller cannot hear of a refusal, "" if it can.
	ignores string
	table   *term.Term // of a store whose table is a value of the program; nil if the mutation names it
	handed  bool       // part of it comes from a caller that is not seen
	expires bool       // what it writes goes by itself after some time
}

// written names what is written, as "table:name" or by the kind of its store; "" if the
// name is not known.
func (l *lowered) written() string {
	r := l.receiver
	if r == "" {
		r = "table:" + l.mutation.Resource
	}
	if strings.HasSuffix(r, ":") || strings.HasSuffix(r, "?") || strings.ContainsFunc(r, isHole) {
		return ""
	}
	return r
}

// loweredDecision judges a write that was lowered.
func (j *judge) loweredDecision(p *pair, l *lowered) decision {
	bs := j.boundTo(l)
	d := j.guardDecision(p, text{}, l.mutation, bs)
	if d.verdict == proved && d.guard != "create-once" && l.ignores != "" {
		d.verdict, d.rule, d.reason = refuted, "rejectionignored", l.ignores
	}
	if d.verdict == unproved && l.handed && d.guard == "unknown" {
		d.verdict = waiting
	}
	d.receiver, d.shown, d.resource = l.receiver, l.shown, l.written()
	if len(l.mutation.Problems) > 0 {
		d.part = l.mutation.Problems[0].Reason
	}
	return d
}

// boundTo gives the arguments of a lowered write their values.
func (j *judge) boundTo(l *lowered) []bound {
	var out []bound
	for _, a := range mutationArgs(l.mutation) {
		t := l.value(a)
		if t == nil {
			t = term.NewUnknown("an argument that is not found")
		}
		out = append(out, bound{arg: a, term: t, origins: j.origins(t)})
	}
	return out
}

// unreadable is the verdict on a receiver's condition that is not understood.
func unreadable(receiver, shown, reason string, handed bool) decision {
	d := decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown", receiver: receiver, reason: reason, hidden: reason, shown: shown}
	if handed {
		d.verdict = waiting
	}
	return d
}

// answering is the pair as if only the given outcomes could follow a refusal.
func (p *pair) answering(keep func(flow.Outcome) bool) *pair {
	w := *p.w
	w.Outcomes = nil
	for _, o := range p.w.Outcomes {
		if keep(o) {
			w.Outcomes = append(w.Outcomes, o)
		}
	}
	q := *p
	q.w = &w
	return &q
}

// keyName is what a message calls a key: its text up to the first hole.
func (j *judge) keyName(t *term.Term) string {
	if t == nil {
		return "?"
	}
	forms := texts(j.widen(t))
	if len(forms) == 0 || forms[0].none != "" {
		return "?"
	}
	name := forms[0].s
	if i := strings.IndexFunc(name, isHole); i >= 0 {
		name = name[:i]
	}
	return name
}
