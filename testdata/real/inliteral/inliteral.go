// Package inliteral takes its locks in function literals, through a wrapper.
package inliteral

import (
	"context"
	"database/sql"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Gate is locked by its methods.
type Gate struct{ mu *concurrency.Mutex }

// Close waits for the gate.
func (g *Gate) Close(ctx context.Context) error { return g.mu.Lock(ctx) }

// Open gives it back.
func (g *Gate) Open(ctx context.Context) error { return g.mu.Unlock(ctx) }

// Once has a class.
func Once(ctx context.Context, g *Gate) error {
	//fencelint:lock efficiency
	if err := g.Close(ctx); err != nil {
		return err
	}
	return g.Open(ctx)
}

// Beside has none in the goroutine that it starts.
func Beside(ctx context.Context, g *Gate) {
	go func() {
		if err := g.Close(ctx); err != nil { // want "lockclass"
			return
		}
		time.Sleep(time.Second)
		_ = g.Open(ctx)
	}()
}

type door struct {
	gate *Gate
	shut bool
}

// Collect has a list that grows on two ways of one loop, and asks what it put there.
func Collect(doors []door) int {
	var kept []door
	for _, d := range doors {
		if d.shut {
			kept = append(kept, d)
		} else {
			kept = append(kept, door{gate: d.gate})
		}
	}
	n := 0
	for _, d := range kept {
		if d.shut {
			n++
		}
	}
	return n
}

// Ledger is written in the hold of a literal that runs at once.
type Ledger interface {
	Pay(ctx context.Context, month string) error
}

type sqlLedger struct{ db *sql.DB }

// NewLedger keeps the ledger in a database.
func NewLedger(db *sql.DB) Ledger { return &sqlLedger{db} }

func (l *sqlLedger) Pay(ctx context.Context, month string) error {
	_, err := l.db.ExecContext(ctx, "UPDATE dues SET paid = true WHERE month = $1", month)
	return err
}

// Settle claims the month first, and does the rest without the lock.
func Settle(ctx context.Context, mu *concurrency.Mutex, l Ledger) error {
	claimed, err := func() (bool, error) {
		//fencelint:lock correctness
		if err := mu.Lock(ctx); err != nil {
			return false, err
		}
		defer mu.Unlock(ctx)
		if err := l.Pay(ctx, "may"); err != nil { // want "unfencedwrite"
			return false, err
		}
		return true, nil
	}()
	if err != nil || !claimed {
		return err
	}
	time.Sleep(time.Second)
	return nil
}
