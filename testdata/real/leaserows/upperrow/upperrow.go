// Package upperrow keeps leases in rows that upper writes.
package upperrow

import (
	"context"
	"time"

	"github.com/upper/db/v4"
)

// Take lets the next owner in when the time of the last one is over.
func Take(ctx context.Context, s db.Session, name, owner string, until time.Time) (bool, error) {
	res, err := s.WithContext(ctx).SQL().Update("task_leases"). // taken
									Set("owner", owner, "expires_at", until).
									Where("name = ? AND expires_at < now()", name).Exec()
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// TakeMap writes the same with conditions of the library.
func TakeMap(ctx context.Context, s db.Session, name, owner string, until time.Time) (bool, error) {
	res, err := s.WithContext(ctx).SQL().Update("task_leases"). // taken
									Set(map[string]any{"owner": owner, "expires_at": until}).
									Where(db.Cond{"name": name, "expires_at <": time.Now()}).Exec()
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Mark is data.
func Mark(ctx context.Context, s db.Session, id int64) error {
	_, err := s.WithContext(ctx).SQL().Update("orders").Set("seen_at", time.Now()).Where("id = ? AND seen_at IS NULL", id).Exec()
	return err
}
