// Package loopset builds UPDATE statements whose SET list grows with what has changed: the
// arguments behind it count from the end.
package loopset

import (
	"context"
	"database/sql"
	"strings"

	"go.etcd.io/etcd/client/v3/concurrency"
)

type change struct {
	name string
	size int64
	note *string
}

func lock(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(s, "/locks/loopset")
	//fencelint:lock correctness
	return m, m.Lock(ctx)
}

func exec(ctx context.Context, db *sql.DB, q string, args []any) error {
	res, err := db.ExecContext(ctx, q, args...)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return sql.ErrNoRows
	}
	return nil
}

// GoodLoop has the epoch where the statement asks for it.
func GoodLoop(ctx context.Context, s *concurrency.Session, db *sql.DB, id string, cs []change) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	q, args := "UPDATE looped SET ", []any{}
	for _, c := range cs {
		if c.name != "" {
			q += "name = ?, "
			args = append(args, c.name)
		} else if c.note != nil {
			q += "note = ?, size = ?, "
			args = append(args, *c.note, c.size)
		}
	}
	epoch := m.Header().Revision
	return exec(ctx, db, q+"fence = ? WHERE id = ? AND fence < ?", append(args, epoch, id, epoch))
}

// BadLoop compares with the id, and looks for the row of the epoch.
func BadLoop(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, cs []change) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	q, args := "UPDATE looped SET ", []any{}
	for _, c := range cs {
		if c.name != "" {
			q += "name = ?, "
			args = append(args, c.name)
		} else if c.note != nil {
			q += "note = ?, size = ?, "
			args = append(args, *c.note, c.size)
		}
	}
	epoch := m.Header().Revision
	return exec(ctx, db, q+"fence = ? WHERE id = ? AND fence < ?", append(args, epoch, epoch, id)) // want "equaladmitted"
}

// GoodNames has its names in brackets, and the list in a builder.
func GoodNames(ctx context.Context, s *concurrency.Session, db *sql.DB, id string, cs []change) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	var q strings.Builder
	q.WriteString("UPDATE named_loop SET ")
	args := make([]any, 0, 10)
	for _, c := range cs {
		if c.name != "" {
			q.WriteString("[name] = ?, ")
			args = append(args, c.name)
		} else if c.note != nil {
			q.WriteString("[note] = ?, [size] = ?, ")
			args = append(args, *c.note)
			args = append(args, c.size)
		}
	}
	epoch := m.Header().Revision
	q.WriteString("[fence] = ? WHERE [id] = ? AND [fence] < ?")
	return exec(ctx, db, q.String(), append(args, epoch, id, epoch))
}

// BadNames admits the owner before.
func BadNames(ctx context.Context, s *concurrency.Session, db *sql.DB, id string, cs []change) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	var q strings.Builder
	q.WriteString("UPDATE named_loop SET ")
	args := make([]any, 0, 10)
	for _, c := range cs {
		if c.name != "" {
			q.WriteString("[name] = ?, ")
			args = append(args, c.name)
		} else if c.note != nil {
			q.WriteString("[note] = ?, [size] = ?, ")
			args = append(args, *c.note, c.size)
		}
	}
	epoch := m.Header().Revision
	q.WriteString("[fence] = ? WHERE [id] = ? AND [fence] > ?")
	return exec(ctx, db, q.String(), append(args, epoch, id, epoch)) // want "staleadmitted"
}

// BadRest has a condition that is not read: nobody can say that there is none.
func BadRest(ctx context.Context, s *concurrency.Session, db *sql.DB, id string, rest func() string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	return exec(ctx, db, "UPDATE rest_loop SET note = ? "+rest(), []any{id, m.Header().Revision}) // want "unprovedwrite"
}
