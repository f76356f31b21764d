// Package unfenced writes reports under a lock, and trusts the lock alone.
package unfenced

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"

	"fencelint.example/reports/payment"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Writer writes one report at a time.
type Writer struct {
	Session *concurrency.Session
	DB      *sql.DB
	Bank    payment.Bank
}

// Write renders report id, stores it and pays its author.
func (w Writer) Write(ctx context.Context, id int64, render func(context.Context) (string, error)) error {
	mu := concurrency.NewMutex(w.Session, fmt.Sprintf("/locks/report/%d", id))
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	body, err := render(ctx)
	if err != nil {
		return err
	}
	// A pause here that is longer than the lease is all it takes.
	if _, err := w.DB.ExecContext(ctx, `UPDATE report_result SET body = $2 WHERE id = $1`, id, body); err != nil {
		return err
	}
	return w.Bank.Pay(ctx, rand.Text(), payment.Fee)
}
