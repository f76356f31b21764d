package flow

import (
	"cmp"

	"github.com/fencelint/fencelint/internal/term"
)

// A store that watches keys refuses all commands of a transaction at once, and tells of it by
// the call that sends them, not by those that queue them.

// sentStarts is how the call that sends queued commands tells that all of them were refused:
// what is asked are those that were queued by the function which it runs, or the sending
// itself. None if it is no such call.
func (f *fn) sentStarts(e *Event) []start {
	if e.Kind != Write {
		return nil
	}
	c := f.a.known.called(e.site.call.Common()).call
	if c == nil || c.Sink == nil || c.Sink.Kind != "batch_flush" || c.Sink.Profile == nil || (e.src == nil) != c.Sink.Callback.IsZero() {
		return nil
	}
	r, results := c.Sink.Profile.Rejection, e.site.call.Common().Signature().Results()
	last := results.Len() - 1
	if r.Symbol == "" || r.Signal != "error" && r.Signal != "cannot_reject" || last < 0 || !isError(results.At(last).Type()) {
		return nil
	}
	tuple := make([]abs, last+1)
	tuple[last] = abs{k: nonNil, sig: true, name: cmp.Or(constantErrors[r.Symbol], r.Symbol)}
	return []start{{tuple: tuple}}
}

// constantErrors are those refusals that the library declares as constants, as code that asks
// for them has them.
var constantErrors = map[string]string{"redis.TxFailedErr": "=redis: transaction failed"}

// queued reports whether the call of an event only puts it into a batch.
func (f *fn) queued(e *Event) bool {
	if f.sinkKind(e) == "batch_queue" {
		return true
	}
	from := unbox(e.Recv)
	if from.Kind != term.Call {
		return false
	}
	c := f.a.known.byKey(from.Str)
	return c != nil && c.Sink != nil && c.Sink.Kind == "builder_start" && c.Sink.GivesCarrier == "batch"
}
