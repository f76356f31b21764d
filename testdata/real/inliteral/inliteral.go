// Package inliteral takes its locks in function literals, through a wrapper.
package inliteral

import (
	"context"
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
