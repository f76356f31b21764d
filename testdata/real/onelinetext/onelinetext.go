// Package onelinetext builds the text of a query piece by piece, and puts it on one line.
package onelinetext

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"go.etcd.io/etcd/client/v3/concurrency"
)

type wish struct {
	Region, Kind, After string
	Only, Not           bool
	Max                 int
}

// list says what is wanted.
func list(w wish) (string, []any) {
	var args []any
	q := `
		SELECT
			id, name
		FROM
			goods
		WHERE 1=1
	`
	if w.Region != "" {
		args = append(args, w.Region)
		q += fmt.Sprintf(" AND region = $%d", len(args))
	}
	if w.Kind != "" {
		args = append(args, w.Kind)
		q += fmt.Sprintf(" AND kind = $%d", len(args))
	}
	if w.After != "" {
		args = append(args, w.After)
		if w.Only {
			q += fmt.Sprintf(" AND revised_at > $%d", len(args))
		} else {
			q += fmt.Sprintf(" AND created_at > $%d", len(args))
		}
	}
	if w.Only {
		args = append(args, true)
		q += fmt.Sprintf(" AND sold = $%d", len(args))
	}
	if w.Not {
		args = append(args, false)
		q += fmt.Sprintf(" AND sold = $%d", len(args))
	}
	if w.Only {
		q += " ORDER BY revised_at"
	} else {
		q += " ORDER BY created_at"
	}
	if w.Max > 0 {
		q += fmt.Sprintf(" LIMIT %d", w.Max)
	}
	q = strings.ReplaceAll(q, "\n", " ")
	return q, args
}

// Good reads only.
func Good(ctx context.Context, db *sql.DB, s *concurrency.Session, w wish) error {
	m := concurrency.NewMutex(s, "/goods")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	q, args := list(w)
	rows, err := db.QueryContext(ctx, q, args...)
	if err != nil {
		return err
	}
	return rows.Close()
}

// mark is built in the same way.
func mark(w wish) (string, []any) {
	var args []any
	q := `
		UPDATE goods
		SET marked = true
		WHERE 1=1
	`
	if w.Region != "" {
		args = append(args, w.Region)
		q += fmt.Sprintf(" AND region = $%d", len(args))
	}
	if w.Kind != "" {
		args = append(args, w.Kind)
		q += fmt.Sprintf(" AND kind = $%d", len(args))
	}
	if w.Only {
		args = append(args, true)
		q += fmt.Sprintf(" AND sold = $%d", len(args))
	}
	if w.Not {
		args = append(args, false)
		q += fmt.Sprintf(" AND sold = $%d", len(args))
	}
	q += " RETURNING id"
	q = strings.ReplaceAll(q, "\n", " ")
	return q, args
}

// Bad changes rows, and gets them back.
func Bad(ctx context.Context, db *sql.DB, s *concurrency.Session, w wish) error {
	m := concurrency.NewMutex(s, "/goods")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	q, args := mark(w)
	rows, err := db.QueryContext(ctx, q, args...) // want "unfencedwrite"
	if err != nil {
		return err
	}
	return rows.Close()
}
