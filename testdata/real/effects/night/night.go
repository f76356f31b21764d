// Package night tidies up what package effects owns.
package night

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/effects"
)

// BadTidy calls it housekeeping.
func BadTidy(ctx context.Context, m *concurrency.Mutex, db *sql.DB, _ *effects.Service) error {
	//fencelint:lock efficiency
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, "DELETE FROM parcels WHERE state = 'old'") // want "efficiencyeffect"
	return err
}

// GoodTidy tidies what nobody owns.
func GoodTidy(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock efficiency
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, "DELETE FROM leaflets WHERE state = 'old'")
	return err
}
