package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
)

// Reading is what is found out about one write that stands alone: the token is
// assumed to be an epoch that was issued with the grant, and the refusal to be noticed.
type Reading struct {
	Mutation *fence.Mutation
	Tokens   []fence.Arg // the arguments taken for the token
	Why      string      // why they are, "" if none is
	Proof    fence.Verdict
	Guard    string // as in the register
	Verdict  string // proved, refuted, unproved
	Rule     string // rule that a correctness lock would get, "" for none
	Reason   string
}

// ReadWrite judges a write by itself. Without tokens it looks for an argument that
// the write both compares and stores. learn, if there is one, adds what else is known.
func ReadWrite(m *fence.Mutation, tokens []fence.Arg, learn func(*fence.Mutation, *fence.Verdict)) Reading {
	r := Reading{Mutation: m, Tokens: tokens, Why: "as given"}
	if len(tokens) == 0 {
		r.Tokens, r.Why = tokenOf(m)
	}
	r.Proof = fence.Prove(m, func(a fence.Arg) bool { return slices.Contains(r.Tokens, a) })
	r.Proof.Assumptions = distinct(r.Proof.Assumptions)
	if learn != nil {
		learn(m, &r.Proof)
	}
	if r.Proof.Compared || r.Proof.StoredToken {
		r.fenced()
	} else {
		r.unfenced()
	}
	return r
}

// distinct drops what an assumption of a write that this one depends on repeats.
func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// fenced judges a write that mentions the token.
func (r *Reading) fenced() {
	own := make(map[fence.Arg]*bound)
	for _, a := range r.Tokens {
		own[a] = &bound{arg: a, origins: one(origin{class: epoch})}
	}
	rule, reason := fault(r.Mutation, &r.Proof, own, &flow.LockClass{})
	if rule == "" {
		_, rule, reason = withoutTrace(r.Mutation, &r.Proof)
	}
	switch rule {
	case "":
		r.Verdict, r.Guard, r.Reason = string(proved), "fence", refusedBelow(r.Proof.Column)
	case "unprovedwrite":
		r.Verdict, r.Guard, r.Rule, r.Reason = string(unproved), "unknown", rule, reason
	case "tokennotcompared":
		r.Verdict, r.Guard, r.Rule, r.Reason = string(refuted), "none", rule, reason
	default:
		r.Verdict, r.Guard, r.Rule, r.Reason = string(refuted), "fence", rule, reason
	}
}

func refusedBelow(column string) string {
	return "an epoch below " + column + " is refused in the statement that writes"
}

// unfenced judges a write without a token.
func (r *Reading) unfenced() {
	m := r.Mutation
	switch {
	case len(m.Problems) > 0:
		r.Verdict, r.Guard, r.Rule, r.Reason = string(unproved), "unknown", "unprovedwrite", m.Problems[0].Reason
	case (m.Kind == fence.Insert || m.InsertPath == fence.Only) && m.OnConflict == "nothing":
		r.Verdict, r.Guard, r.Reason = string(proved), "create-once", "only the first insert of a key is accepted, if the key is the same for every attempt"
	case movesVersion(&r.Proof):
		d := casWorth("", decision{}, false)
		r.Verdict, r.Guard, r.Reason = string(d.verdict), "cas", d.reason
	default:
		r.Verdict, r.Guard, r.Rule, r.Reason = string(refuted), "none", "unfencedwrite", "nothing in the statement refuses an obsolete owner"
	}
}

// tokenOf finds the arguments that a write treats as a token: compared by order and
// stored in the same column, else compared or stored where the column's name says so.
func tokenOf(m *fence.Mutation) ([]fence.Arg, string) {
	type choice struct {
		args []fence.Arg
		why  string
		rank int
	}
	var best choice
	for _, a := range mutationArgs(m) {
		v := fence.Prove(m, func(b fence.Arg) bool { return a == b })
		named := fenceWords.MatchString(v.Column)
		c := choice{args: []fence.Arg{a}}
		switch other, twin := twinOf(&v, a); {
		case v.Compared && slices.Contains(v.SetArgs, a):
			c.why, c.rank = "it is both compared with "+v.Column+" and stored there", 5
		case v.Compared && twin:
			c.args, c.why, c.rank = []fence.Arg{other, a}, "one is compared with "+v.Column+" and the other stored there; they are taken for one value", 5
		case v.Compared && v.StoredToken:
			c.why, c.rank = "it is both compared and stored", 4
		case v.Compared && ordered(&v) && named:
			c.why, c.rank = "it is compared with "+v.Column, 3
		case v.StoredToken && !movesVersion(&v) && slices.ContainsFunc(v.StoredIn, fenceWords.MatchString):
			c.why, c.rank = "it is stored in "+strings.Join(v.StoredIn, ", "), 2
		}
		if ordered(&v) && c.rank >= 4 {
			c.rank += 2
		}
		if c.rank > best.rank {
			best = c
		}
	}
	slices.Sort(best.args)
	return best.args, best.why
}

// movesVersion reports whether a write compares a version for equality and moves it.
func movesVersion(v *fence.Verdict) bool {
	return slices.ContainsFunc(v.Cas, func(c fence.Cas) bool { return c.Moved })
}

// twinOf is the placeholder without a name that is stored in the column with which
// another such one is compared: the program binds one value twice.
func twinOf(v *fence.Verdict, a fence.Arg) (fence.Arg, bool) {
	if len(v.SetArgs) != 1 || !ordered(v) || a[0] != '?' || v.SetArgs[0][0] != '?' {
		return "", false
	}
	return v.SetArgs[0], v.SetArgs[0] != a
}

// Ordering is what becomes of a write for one order of stored fence and token.
type Ordering struct {
	Stored string `json:"stored"` // greater, equal, less, null: the stored fence
	Answer string `json:"answer"` // accepted, refused, unknown
}

// Orderings is the table behind a verdict.
func Orderings(v *fence.Verdict) []Ordering {
	return []Ordering{
		{"greater", answers[v.Less]}, {"equal", answers[v.Equal]}, {"less", answers[v.Greater]}, {"null", answers[v.Null]},
	}
}

var answers = map[fence.Admission]string{fence.Admitted: "accepted", fence.Never: "refused", fence.Undecided: "unknown"}

// Advance says in words what an accepted write makes of the stored fence.
func Advance(v *fence.Verdict) string { return advanceWords[v.Advances] }

var advanceWords = map[string]string{
	"yes": "becomes the token", "keeps": "stays as it is", "absent": "is not stored by this statement",
	"regress": "may fall", "other": "is set to something else", "unknown": "is not known", "na": "goes away with the row",
}
