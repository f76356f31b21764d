// Package outliveshold reports work that is started under a lock and goes on after its release.
package outliveshold

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule outliveshold.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "outliveshold",
	RawDocumentation: lint.RawDocumentation{
		Title:    "goroutine or callback that writes after the lock was released",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
Under the lock a goroutine, timer or callback is started that reaches a write, and the function goes on
to release the lock without waiting for it. Nobody has to be paused: on an ordinary day the write comes
when the lock is somebody else's.

The release may be a deferred one, or that of the library when a callback returns or a context is
cancelled.

Waiting is \'WaitGroup.Wait\', \'errgroup.Group.Wait\', or one receive from a channel for each goroutine that
sends when it has done its last write, on every way to the release. Goroutines that only renew the lock or
watch it are not meant.

The write keeps a verdict of its own: with a proved guard it will be refused, and the work is lost.`,
		Before: `
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}
defer m.Unlock(context.WithoutCancel(ctx))
for _, id := range albums {
	go archive(ctx, db, id, m.Header().Revision)
}
return nil`,
		After: `
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}
defer m.Unlock(context.WithoutCancel(ctx))
var wg sync.WaitGroup
for _, id := range albums {
	wg.Go(func() { archive(ctx, db, id, m.Header().Revision) })
}
wg.Wait()
return nil`,
	},
	Breaks: `
A  acquires the lock, reads the albums, starts goroutines, returns; the lock is free
B  acquires the lock, rearranges the albums, releases
A's goroutines write what follows from the albums as they were`,
	Accept: `If the write needs no lock, and only its start does:

    //fencelint:accept outliveshold reason="the lock chooses the job; the job is claimed by its own row"`,
	Blind: []string{
		`Work that is handed to a pool, a queue or a library which runs it later is followed only where the model says that it runs.`,
		`That a goroutine sends only after its last write is checked where its body is in sight; else its receive is believed.`,
	},
}
