// Command cmd puts the store and what uses it together.
package main // want "unfencedwrite"

import (
	"context"
	"database/sql"
	"errors"

	"fencelint.example/real/nullobject/store"
	"fencelint.example/real/nullobject/use"
)

type app struct {
	sessions store.Store
	db       *sql.DB
}

func (a *app) serve(ctx context.Context, id int64) error {
	s, err := a.sessions.Load(ctx, id)
	if err != nil {
		return err
	}
	return errors.Join(use.Refresh(ctx, a.db, s, "next"), use.Touch(ctx, a.db, s))
}

func main() {
	a := &app{sessions: store.New(nil)}
	a.serve(context.Background(), 1)
}
