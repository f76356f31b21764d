package prove

import (
	"github.com/fencelint/fencelint/internal/flow"
)

// verdict of one boundary under one hold.
type verdict string

// The verdicts.
const (
	proved   verdict = "proved"
	refuted  verdict = "refuted"
	unproved verdict = "unproved"
	silent   verdict = "" // no boundary after all: a read, a claim
	waiting  verdict = "waiting"
)

// decision is what was found out about one boundary in one hold.
type decision struct {
	verdict  verdict
	rule     string // rule that reports it, "" for none
	guard    string
	receiver string
	reason   string // in a few words, for the register
	shown    string // the statement, shortened
	source   string // of the epoch that is stored, "" if it has none or several
	words    string // the template of the message, "" for that of the rule
	column   string
	// elsewhere says that column is in another table than the one written.
	elsewhere bool
	seen      *seen // with Options.Trace
	// compared is the comparison in the program on which a guard rests, nil for one at the
	// receiver.
	compared *flow.Cond
	hidden   string // why nothing that decides is known of what is sent, "" if it is
	part     string // why only a part of it is known, "" if all is
	// resource and guarded are what other writes of the program are compared with.
	resource string
	guarded  bool
	unseen   bool   // a refused write leaves the row as it is, and meets it all the same
	strict   bool   // the same epoch changes nothing a second time
	again    bool   // and yet its own owner is not refused
	row      string // the row that is written, as far as the statement names it
	alone    string // why no other owner writes that row, "" if others may
	fixed    bool   // each round of a loop writes that same row
	inserts  bool   // a row that is missing is inserted, whatever the epoch
}

// rank orders the rules by precedence: where several fit, the first is reported.
var rank = func() map[string]int {
	order := []string{
		"poollock", "txlock", "checknotfence", "checkthenact", "crosstablefence", "unenforcedheader",
		"tokennotcompared", "tokenmismatch", "fencenotadvanced", "fencecolumn", "staleadmitted", "nulladmitted",
		"equaladmitted",
		"opaquetoken", "clocktoken", "volatiletoken", "unboundcounter", "localcounter", "untrustedtoken",
		"mixedtokens", "zerotoken",
		"identityreused", "casnotfence", "bypasswrite", "notactivated", "repeatedepoch", "rejectionignored",
		"effectbeforefence", "ambiguousoutcome", "unstableidempotency", "missingidempotency", "unprovedwrite",
		"unfencedwrite",
	}
	m := make(map[string]int, len(order))
	for i, r := range order {
		m[r] = i + 1
	}
	return m
}()

// worse gives the decision that counts where a boundary can have several forms:
// a refuted one before an unproved one before a proved one, and among equals the
// rule that comes first.
func worse(a, b decision) decision {
	if severity(b) != severity(a) {
		if severity(b) > severity(a) {
			return b
		}
		return a
	}
	if a.rule != "" && b.rule != "" && rank[b.rule] < rank[a.rule] {
		return b
	}
	return a
}

func severity(d decision) int {
	switch d.verdict {
	case refuted:
		return 4
	case unproved:
		return 3
	case waiting:
		return 2
	case proved:
		return 1
	}
	return 0
}

// receivers decide boundaries, by the model's language of the statement.
type receiver func(j *judge, p *pair) decision

// pair is a boundary with the hold in which it stands.
type pair struct {
	sum *flow.Summary
	acq *flow.Event
	w   *flow.Event
}

func (p *pair) class() *flow.LockClass {
	if p.acq.Hold.Lock == nil {
		return &flow.LockClass{}
	}
	return p.acq.Hold.Lock
}
