// Package identityreused reports guards that compare an identity which comes again.
package identityreused

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule identityreused.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "identityreused",
	RawDocumentation: lint.RawDocumentation{
		Title:    "guard by an identity that a later acquisition has as well",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
The receiver accepts the write of whoever is named as the owner. That is a sound guard if the name is new
with every acquisition. This one comes again: it is the name of the host or pod, a number of a process, a
setting, a constant, the id of the worker, the name of the lock. When the same worker acquires a second
time, what its earlier self still has under way is signed just as well.

The earlier self need not be the same process: a container is started while the old one is still being
stopped, a request hangs in a proxy, a queue delivers once more.

The rule also stands at the writes of a claim that lets its old owner in again without a new value
(\'… OR owner = $2\'). A random value for each acquisition, stored by the claim, is enough; the host's name
may stand beside it for people.

In etcd the owner is the session: two mutexes of one session and prefix are both granted at once, and
IsOwner is true for both. Where both are seen to be held together, the rule stands at their writes.`,
		Before: `
resp, err := client.Txn(ctx).
	If(clientv3.Compare(clientv3.Value("/leader"), "=", host)).
	Then(clientv3.OpPut("/limits", limits)).
	Commit()`,
		After: `
resp, err := client.Txn(ctx).
	If(m.IsOwner()). // true for this acquisition only
	Then(clientv3.OpPut("/limits", limits)).
	Commit()`,
	},
	Breaks: `
A   on host web-1, is the leader, sends a write; the connection hangs
A   is killed; its session expires
A'  is started on web-1, becomes the leader, writes
    the hanging write of A arrives: the leader is web-1, accepted over that of A'`,
	Accept: `If a name cannot come back while anything of its earlier bearer is under way:

    //fencelint:accept identityreused reason="pod names carry a random suffix and are never used again"`,
	Blind: []string{
		`Two calls that run at once and make a mutex of one shared session are not seen; the register names the assumption, and \'-fencelint.strict\' reports it.`,
		`Whether a value that the caller hands in is fresh is the caller's matter.`,
		`A value from a random source counts as fresh even if it is drawn once and kept for the life of the process, where that is out of sight.`,
	},
}
