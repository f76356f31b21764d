package gaveback

import (
	"context"
	"database/sql"
	"fmt"
	"log"
)

// Journal can be locked; the function gives the lock back.
type Journal interface {
	LockJournal(ctx context.Context) (Journal, func() error, error)
	Append(ctx context.Context, line string) error
}

type pgJournal struct {
	db   *sql.DB
	name string
}

func (j *pgJournal) LockJournal(ctx context.Context) (Journal, func() error, error) {
	conn, err := j.db.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(hashtext($1))", j.name); err != nil { // taken
		conn.Close()
		return nil, nil, err
	}
	return j, func() error {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(hashtext($1))", j.name)
		conn.Close()
		return err
	}, nil
}

func (j *pgJournal) Append(ctx context.Context, line string) error {
	_, err := j.db.ExecContext(ctx, "INSERT INTO journal (name, line) VALUES ($1, $2)", j.name, line)
	return err
}

// Locked runs what it is given under the lock.
func Locked(ctx context.Context, j Journal, do func(Journal) error) error {
	held, release, err := j.LockJournal(ctx) // taken
	if err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	defer func() {
		if err := release(); err != nil {
			log.Print(err)
		}
	}()
	return do(held)
}

// Note is a use of the lock.
func Note(ctx context.Context, db *sql.DB, line string) error {
	return Locked(ctx, &pgJournal{db, "notes"}, func(j Journal) error { return j.Append(ctx, line) }) // taken
}

// Twice calls Note, whose locks are given back.
func Twice(ctx context.Context, db *sql.DB, line string) error {
	if err := Note(ctx, db, line); err != nil {
		return err
	}
	return Note(ctx, db, line)
}
