// Package placeholders numbers the places of a statement as its arguments come.
package placeholders

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

type book struct {
	db *sql.DB
	m  *concurrency.Mutex
}

func (b *book) exec(ctx context.Context, q string, args []any) error {
	res, err := b.db.ExecContext(ctx, q, args...)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// GoodNote sets a note if there is one; the number of the owner comes last.
func (b *book) GoodNote(ctx context.Context, id int64, title, note string) error {
	//fencelint:lock correctness
	if err := b.m.Lock(ctx); err != nil {
		return err
	}
	defer b.m.Unlock(context.WithoutCancel(ctx))
	sets, args := []string{"title = $2"}, []any{id, title}
	if note != "" {
		args = append(args, note)
		sets = append(sets, "note = $"+strconv.Itoa(len(args)))
	}
	args = append(args, b.m.Header().Revision)
	place := fmt.Sprintf("$%d", len(args))
	sets = append(sets, "last_fence = "+place)
	return b.exec(ctx, "UPDATE books SET "+strings.Join(sets, ", ")+" WHERE id = $1 AND last_fence < "+place, args)
}

// BadNote takes the place before that of the number.
func (b *book) BadNote(ctx context.Context, id int64, title string) error {
	//fencelint:lock correctness
	if err := b.m.Lock(ctx); err != nil {
		return err
	}
	defer b.m.Unlock(context.WithoutCancel(ctx))
	args := []any{id, title}
	args = append(args, b.m.Header().Revision)
	q := fmt.Sprintf("UPDATE pages SET title = $2, last_fence = $%d WHERE id = $1 AND edition < $%d", len(args), len(args)-1)
	return b.exec(ctx, q, args) // want "tokennotcompared"
}
