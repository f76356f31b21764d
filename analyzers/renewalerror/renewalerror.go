// Package renewalerror reports failed renewals of which the work does not hear.
package renewalerror

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule renewalerror.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "renewalerror",
	RawDocumentation: lint.RawDocumentation{
		Title:    "failed renewal of a lease of which the work does not hear",
		Severity: lint.SeverityWarning,
		Since:    "0.1.0",
		Text: `
A renewal that fails is the lock service's way to say that the lease is gone. Here the answer goes to a
log, or into a \'continue\', or it ends the goroutine that renews and nothing else. The work under the lock
is not told, and has from now on no lease at all, not even for a short time.

The failure must come back to the work: returned by it, through a context that is cancelled, a channel
that is closed or sent to and that the work reads, or by ending the process. Some libraries answer with
\'false\' and no error; that is a failure too.

The writes are judged apart from this. With a proved guard the work is in vain, without one it is harm.`,
		Before: `
go func() {
	for range ticker.C {
		if err := lock.Refresh(ctx, time.Minute, nil); err != nil {
			slog.Warn("lease lost", "err", err)
			return
		}
	}
}()
return transcode(ctx, db, film)`,
		After: `
ctx, cancel := context.WithCancelCause(ctx)
defer cancel(nil)
go func() {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := lock.Refresh(ctx, time.Minute, nil); err != nil {
				cancel(err)
				return
			}
		}
	}
}()
return transcode(ctx, db, film)`,
	},
	Breaks: `
A  obtains the lock, renews it every twenty seconds, works
A  is paused for two minutes; the lease expires
B  obtains the lock and works
A  wakes up; its renewal fails, the goroutine says so in the log and ends
A  works on for an hour beside B`,
	Accept: `If the work cannot be stopped half-way and its writes are guarded:

    //fencelint:accept renewalerror reason="the encoder cannot be interrupted; its result is fenced"`,
	Blind: []string{
		`Whether the work looks at the context or channel between two steps is not followed into code out of sight.`,
		`Renewals that a library does by itself are its own matter; see losssignal.`,
	},
}
