package field

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("someone else sits there by now")

// Strict is a desk whose writes carry the number of whoever sits there.
type Strict struct {
	db      *sql.DB
	session *concurrency.Session
	name    string

	mu    *concurrency.Mutex
	epoch int64
}

// NewStrict returns a desk that nobody sits at.
func NewStrict(s *concurrency.Session, db *sql.DB, name string) *Strict {
	return &Strict{db: db, session: s, name: name}
}

// Sit waits for the desk.
func (d *Strict) Sit(ctx context.Context) error {
	mu := concurrency.NewMutex(d.session, "/locks/desk/"+d.name)
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	d.mu, d.epoch = mu, mu.Header().Revision
	return nil
}

// Sign writes at the desk.
func (d *Strict) Sign(ctx context.Context, paper int64) error {
	res, err := d.db.ExecContext(ctx,
		`UPDATE papers SET signed = true, epoch = $2 WHERE id = $1 AND epoch < $2`, paper, d.epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// Leave frees the desk.
func (d *Strict) Leave(ctx context.Context) error { return d.mu.Unlock(ctx) }

// GoodSign sits down, signs and leaves.
func GoodSign(ctx context.Context, d *Strict, paper int64) error {
	if err := d.Sit(ctx); err != nil {
		return err
	}
	defer d.Leave(context.WithoutCancel(ctx))
	return d.Sign(ctx, paper)
}
