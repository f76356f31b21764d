package keys

import (
	"context"
	"net/http"
	"strconv"
)

// post sends an order as the options say.
func (d *Desk) post(ctx context.Context, opts ...func(*http.Request)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://pay.example/orders", nil)
	if err != nil {
		return err
	}
	for _, o := range opts {
		o(req)
	}
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func withHeader(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// GoodOption sets the key in an option.
func (d *Desk) GoodOption(ctx context.Context, c Charge) error {
	done, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	return d.post(ctx, withHeader("Idempotency-Key", c.ID), withHeader("X-Epoch", strconv.FormatInt(d.mu.Header().Revision, 10)))
}

// BadOption sends the number of the owner, and no key.
func (d *Desk) BadOption(ctx context.Context) error {
	done, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	return d.post(ctx, withHeader("X-Epoch", strconv.FormatInt(d.mu.Header().Revision, 10))) // want "unenforcedheader"
}

// BadLiteral has it in a literal.
func (d *Desk) BadLiteral(ctx context.Context) error {
	done, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer done()
	return d.post(ctx, func(r *http.Request) { // want "unenforcedheader"
		r.Header.Set("X-Epoch", strconv.FormatInt(d.mu.Header().Revision, 10))
	})
}
