// Command hooks asks records whether they have a hook, as generated code does: most have none.
package main

import (
	"context"
	"database/sql"

	_ "github.com/lib/pq"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Rested is a hook that no record has.
type Rested interface{ Rest() error }

// Woken is one that a record has.
type Woken interface{ Wake() error }

type horse struct {
	Name string
	db   *sql.DB
}

func (h *horse) Wake() error {
	_, err := h.db.Exec("UPDATE horses SET awake = true WHERE name = $1", h.Name)
	return err
}

func rest(h *horse) error {
	var v any = h
	if r, ok := v.(Rested); ok {
		return r.Rest()
	}
	return nil
}

func wake(h *horse) error {
	var v any = h
	if w, ok := v.(Woken); ok {
		return w.Wake()
	}
	return nil
}

func night(ctx context.Context, s *concurrency.Session, h *horse) error {
	m := concurrency.NewMutex(s, "/stable")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return rest(h)
}

func morning(ctx context.Context, s *concurrency.Session, h *horse) error {
	m := concurrency.NewMutex(s, "/stable")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return wake(h) // want "unfencedwrite"
}

func main() {
	client, err := clientv3.New(clientv3.Config{})
	if err != nil {
		panic(err)
	}
	s, err := concurrency.NewSession(client)
	if err != nil {
		panic(err)
	}
	db, err := sql.Open("postgres", "")
	if err != nil {
		panic(err)
	}
	h := &horse{Name: "grane", db: db}
	if err := night(context.Background(), s, h); err != nil {
		panic(err)
	}
	if err := morning(context.Background(), s, h); err != nil {
		panic(err)
	}
}
