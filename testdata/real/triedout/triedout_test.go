package triedout

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

func TestSeat(t *testing.T) {
	s, err := NewSeat(nil, "/seat", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Take(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := s.Leave(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestStool(t *testing.T) {
	s := new(Stool)
	if err := s.Take(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := s.Leave(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestThrone(t *testing.T) {
	s, ctx := new(Throne), context.Background()
	_ = s.Take(ctx)
	defer s.Leave(ctx)
	if _, err := openDB(t).ExecContext(ctx, "UPDATE crowns SET taken = true"); err != nil {
		t.Error(err)
	}
}

func TestOwn(t *testing.T) {
	m, ctx := concurrency.NewMutex(nil, "/own"), context.Background()
	//fencelint:lock correctness
	_ = m.Lock(ctx) // want "acquireignored"
	defer m.Unlock(ctx)
	_, err := openDB(t).ExecContext(ctx, "UPDATE crowns SET taken = true") // want "unfencedwrite"
	if err != nil {
		t.Error(err)
	}
}

func openDB(t *testing.T) *sql.DB {
	db, err := sql.Open("postgres", "")
	if err != nil {
		t.Fatal(err)
	}
	return db
}
