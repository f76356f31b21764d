// Package losssignal reports holders that cannot hear that their lock is lost.
package losssignal

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule losssignal.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "losssignal",
	RawDocumentation: lint.RawDocumentation{
		Title:    "loss of the lock that nobody listens to",
		Severity: lint.SeverityWarning,
		Since:    "0.1.0",
		Text: `
The library tells its holder when the lock is lost, and this holder does not listen. Either

- the signal was handed over and thrown away: the channel that Consul's \'Lock\' returns, the context that
  a leader callback is given, with no \'OnStoppedLeading\' that exits or cancels; or
- it has to be asked for, as \'Session.Done\' in etcd, and the hold is a loop that waits, round after
  round, without ever asking.

Such a holder is not late by a pause; it goes on for as long as it runs.

The rule is narrow on purpose. It speaks only if a write in the hold is not proved: where the receiver
refuses old owners, not to listen costs work and no truth. It leaves short holds alone, libraries that
have no signal (redsync, redislock), and sessions that the caller hands in. And listening is no guard: the
signal itself comes late, a good second in etcd, and a paused process hears nothing.`,
		Before: `
//fencelint:lock correctness
leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
	Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
	Callbacks: leaderelection.LeaderCallbacks{
		OnStartedLeading: func(context.Context) { rebalance(ctx, db) },
		OnStoppedLeading: func() { slog.Info("no longer the leader") },
	},
})`,
		After: `
//fencelint:lock correctness
leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
	Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
	Callbacks: leaderelection.LeaderCallbacks{
		OnStartedLeading: func(leading context.Context) { rebalance(leading, db) },
		OnStoppedLeading: func() { os.Exit(1) },
	},
})`,
	},
	Breaks: `
A  leads; the network between A and the lock service is cut, the database is still in reach
A  is told by the library that it has lost; nobody reads it
B  leads and works
A  works on as well, until somebody restarts it`,
	Accept: `If the hold ends soon by itself, in a way that cannot be seen here:

    //fencelint:accept losssignal reason="each round ends within the lease, see the limit in Plan"`,
	Blind: []string{
		`A signal that is passed to code out of sight counts as heard.`,
		`Whether the work looks at its context often enough is not judged.`,
	},
}
