// Package volatiletoken reports fences that are fed with a number which does not
// stand for one tenure.
package volatiletoken

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule volatiletoken.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "volatiletoken",
	RawDocumentation: lint.RawDocumentation{
		Title:    "fence compared with a number that moves within a tenure or falls after it",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The number comes from the lock service and looks like a fencing token, but it is not bound to one owner.
It moves while one owner is in office, or the next owner may hold a smaller one. The usual ones, and what
to take instead:

- \'Election.Header().Revision\' in etcd, which every \'Proclaim\' moves: \'Election.Rev()\';
- \'ModifyIndex\' of a key in Consul: \'LockIndex\', if the same answer names your session as the holder;
- the \'resourceVersion\' of a Lease in Kubernetes, which every renewal moves: \'leaseTransitions\', if the
  same answer names you as the holder;
- the revision of a later \'Update\' in NATS: the revision that \'Create\' returned;
- the record version of pglock, which moves with each heartbeat: there is no good one;
- a counter with an expiry, or a count of rows: one that is never reset.

The header of an etcd mutex is a good token. The header of an election is not; they only look alike.`,
		Before: `
if err := election.Proclaim(ctx, address); err != nil {
	return err
}
res, err := db.ExecContext(ctx,
	"UPDATE clusters SET members = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, election.Header().Revision, members)`,
		After: `
if err := election.Proclaim(ctx, address); err != nil {
	return err
}
res, err := db.ExecContext(ctx,
	"UPDATE clusters SET members = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2",
	id, election.Rev(), members)`,
	},
	Breaks: `
A  wins the election; Rev is 20
B  queues behind A at revision 22
A  proclaims a new value: its header says 27; A is paused, its session expires
B  leads, its header says 22, and writes with it: last_fence = 22
A  wakes up and writes with 27: 22 < 27, accepted; B is refused from here on`,
	Accept: `There is nearly always a better number beside it. If there is none, and this one can be shown to
stand still:

    //fencelint:accept volatiletoken reason="nothing but an acquisition ever changes this key"`,
	Blind: []string{
		`An expiry or reset of a counter by another program is not seen.`,
		`Numbers of a library without a model are of unknown origin: unprovedwrite.`,
	},
}
