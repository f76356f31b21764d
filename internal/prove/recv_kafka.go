package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

func init() {
	profiles["kafka.plain"] = kafkaMessage
	profiles["kafka.txn"] = kafkaCommit
}

// kafkaMessage judges a message. One that belongs to a transaction leaves with its
// commit.
func kafkaMessage(j *judge, p *pair) decision {
	if slices.ContainsFunc(p.sum.Events, func(e *flow.Event) bool { return j.commits(e, p) }) {
		return decision{}
	}
	return effectDecision(j, p)
}

// commits reports whether an event ends the transaction of a producer in the same hold.
func (j *judge) commits(e *flow.Event, p *pair) bool {
	_, s := j.kindOf(e)
	return s != nil && s.Profile != nil && s.Profile.Name == "kafka.txn" && slices.Contains(e.Holds, p.acq) &&
		e.Recv != nil && p.w.Recv != nil && unboxed(e.Recv).Equal(unboxed(p.w.Recv))
}

// kafkaCommit judges the end of a transaction. The broker refuses a producer once a later
// one has begun under the same transactional id; that the later one is that of the newer
// owner nobody sees to.
func kafkaCommit(j *judge, p *pair) decision {
	d := decision{receiver: "queue:" + j.models.FuncKey(p.w.Key).Sink.Lib, shown: j.callName(p.w)}
	for _, a := range p.w.Args {
		if a.Kind == term.Const && a.Typ == "bool" && a.Str == "false" {
			return decision{} // it is aborted
		}
	}
	if id := transactionalID(p.w.Recv); id != nil {
		if k := j.stability(id); k.is == fleeting {
			d.verdict, d.rule, d.guard = refuted, "unstableidempotency", "none"
			d.reason = "its transactional id is " + k.why + ", so that the broker refuses nobody for the sake of it"
			return d
		}
	}
	d.verdict, d.rule, d.guard = unproved, "unprovedwrite", "unknown"
	d.reason = "the broker refuses the older producer of a transactional id, and an obsolete owner that begins its producer late has the newer one"
	return d
}

// transactionalID is the id that a producer was made with, nil if it is not in sight.
func transactionalID(producer *term.Term) *term.Term {
	var id *term.Term
	if producer == nil {
		return nil
	}
	producer.Any(func(u *term.Term) bool {
		switch {
		case u.Kind == term.Call && strings.HasSuffix(u.Str, "/kgo.TransactionalID") && len(u.Args) == 1:
			id = u.Args[0]
		case u.Kind == term.Struct:
			for i, n := range u.Names {
				if key, ok := term.KeyedString(n); ok && key == "transactional.id" {
					id = u.Args[i]
				}
			}
		}
		return id != nil
	})
	return id
}
