package explain

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
)

// feeder has work to do, which is leased to whoever asks.
type feeder interface {
	LeaseWork(ctx context.Context) (int64, error)
	ReleaseWork(ctx context.Context, id int64) error
	StoreWork(ctx context.Context, id int64) error
}

// rows leases by a name that it was given once.
type rows struct {
	db   *sql.DB
	name string
}

func newRows(db *sql.DB) feeder { return &rows{db: db, name: uuid.NewString()} }

//fencelint:lock correctness
func (r *rows) LeaseWork(ctx context.Context) (id int64, err error) {
	err = r.db.QueryRowContext(ctx, `UPDATE fed SET owner = $1, until = now() + interval '1 minute' WHERE until < now() RETURNING id`, r.name).Scan(&id)
	return id, err
}

func (r *rows) ReleaseWork(ctx context.Context, id int64) error {
	_, err := r.db.ExecContext(ctx, `UPDATE fed SET owner = NULL, until = NULL WHERE id = $1 AND owner = $2`, id, r.name)
	return err
}

func (r *rows) StoreWork(ctx context.Context, id int64) error {
	res, err := r.db.ExecContext(ctx, `UPDATE fed SET done = true WHERE id = $1 AND owner = $2`, id, r.name)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return sql.ErrNoRows
	}
	return nil
}

// sealer has one type, which sends nothing.
type sealer interface {
	Seal(s string) (string, error)
}

type plain struct{}

func (plain) Seal(s string) (string, error) { return "<" + s + ">", nil }

func feed(ctx context.Context, f feeder, s sealer) error {
	id, err := f.LeaseWork(ctx) // who leases by a field
	if err != nil {
		return err
	}
	if _, err := s.Seal("x"); /* sealed */ err != nil {
		return err
	}
	return f.StoreWork(ctx, id)
}
