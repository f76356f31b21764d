package effects

import (
	"context"
	"database/sql"
	"net/smtp"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/effects/wire"
)

// BadCheapMail calls mail cheap.
func BadCheapMail(ctx context.Context, m *concurrency.Mutex) error {
	//fencelint:lock efficiency
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return smtp.SendMail("relay:25", nil, "a@example.org", []string{"b@example.org"}, nil) // want "efficiencyeffect"
}

// BadCheapParcel writes what the lock of Service protects.
func BadCheapParcel(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock efficiency
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, "UPDATE parcels SET state = 'old' WHERE state = 'ordered'") // want "efficiencyeffect"
	return err
}

// GoodCheap sends under a key, and writes what is nobody's.
func GoodCheap(ctx context.Context, m *concurrency.Mutex, db *sql.DB, api *wire.Client, id string) error {
	//fencelint:lock efficiency
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	if err := api.Call(ctx, "POST", "/bulletins", id, nil); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "DELETE FROM search_log")
	return err
}
