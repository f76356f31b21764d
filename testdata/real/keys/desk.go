// Package keys brings an idempotency key to an effect in each way that a value can go,
// once a key that is the same for each attempt and owner and once one that is not.
package keys

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Desk takes the lock and sends orders.
type Desk struct {
	mu     *concurrency.Mutex
	db     *sql.DB
	hc     *http.Client
	worker string
}

// Charge is what is ordered.
type Charge struct {
	ID    string `json:"id"`
	Key   string `json:"key"`
	Cents int64  `json:"cents"`
}

//fencelint:lock correctness
func (d *Desk) take(ctx context.Context) (func(), error) {
	if err := d.mu.Lock(ctx); err != nil {
		return nil, err
	}
	return func() { d.mu.Unlock(context.WithoutCancel(ctx)) }, nil
}

// send orders once for each key.
func (d *Desk) send(ctx context.Context, key string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://pay.example/charges", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", key)
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (d *Desk) settle(ctx context.Context, id, state string) error {
	res, err := d.db.ExecContext(ctx,
		`UPDATE charges SET state = $3, fence = $2 WHERE id = $1 AND fence < $2`, id, d.mu.Header().Revision, state)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}
