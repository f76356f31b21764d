// Package night works by night, under a lease that another package keeps.
package night

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/meeting/keys"
	"github.com/google/uuid"
)

var errStale = errors.New("another owner has taken over")

// Count counts what was sent.
func Count(ctx context.Context, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	epoch, err := keys.Take(ctx, db, "night", me)
	if err != nil {
		return err
	}
	defer keys.Drop(context.WithoutCancel(ctx), db, "night", me)
	res, err := db.ExecContext(ctx, "UPDATE counts SET n = n + 1, epoch = $1 WHERE id = 1 AND epoch < $1", epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return nil
}
