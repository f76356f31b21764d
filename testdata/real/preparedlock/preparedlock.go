// Package preparedlock prepares its statements when it starts, those that lock as well.
package preparedlock

import (
	"context"
	"database/sql"
	"errors"
)

var errBusy = errors.New("another process sends")

// preparer keeps the first error, so that statements can be prepared in a list.
type preparer struct {
	ctx context.Context
	db  *sql.DB
	err error
}

func (p *preparer) p(text string) *sql.Stmt {
	if p.err != nil {
		return nil
	}
	s, err := p.db.PrepareContext(p.ctx, text)
	if err != nil {
		p.err = err
	}
	return s
}

// Sender sends messages.
type Sender struct {
	db   *sql.DB
	lock *sql.Stmt
	mark *sql.Stmt
}

// NewSender prepares the statements.
func NewSender(ctx context.Context, db *sql.DB) (*Sender, error) {
	p := &preparer{ctx: ctx, db: db}
	return &Sender{
		db:   db,
		lock: p.p("SELECT pg_try_advisory_lock($1)"),
		mark: p.p("UPDATE prepared_messages SET sent = now() WHERE id = $1"),
	}, p.err
}

// Good binds both statements to a transaction of the connection that keeps the lock.
func (s *Sender) Good(ctx context.Context, id int64) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(7)")
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var got bool
	//fencelint:lock correctness
	if err := tx.StmtContext(ctx, s.lock).QueryRowContext(ctx, 7).Scan(&got); err != nil {
		return err
	}
	if !got {
		return errBusy
	}
	if _, err := tx.StmtContext(ctx, s.mark).ExecContext(ctx, id); err != nil {
		return err
	}
	return tx.Commit()
}

// BadPool locks on whatever connection the pool gives, and writes on another.
func (s *Sender) BadPool(ctx context.Context, id int64) error {
	var got bool
	//fencelint:lock correctness
	if err := s.lock.QueryRowContext(ctx, 7).Scan(&got); err != nil { // want "poollock"
		return err
	}
	if !got {
		return errBusy
	}
	_, err := s.mark.ExecContext(ctx, id)
	return err
}

// BadOther writes past the connection that has the lock.
func (s *Sender) BadOther(ctx context.Context, id int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var got bool
	//fencelint:lock correctness
	if err := tx.Stmt(s.lock).QueryRow(7).Scan(&got); err != nil {
		return err
	}
	if !got {
		return errBusy
	}
	_, err = s.mark.ExecContext(ctx, id) // want "unfencedwrite"
	return errors.Join(err, tx.Commit())
}
