package cheap

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// GoodPackage has nothing nearer than the package.
func GoodPackage(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu := concurrency.NewMutex(s, "/cheap/package")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, `UPDATE k0_plain SET n = n + 1 WHERE id = $1`, id)
	return err
}
