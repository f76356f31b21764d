// Package use refreshes sessions; it sees neither the store nor its locks.
package use

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"fencelint.example/real/nullobject/session"
)

// Refresh tries until it has the lock, and writes in its hold.
func Refresh(ctx context.Context, db *sql.DB, s *session.Session, token string) error {
	for obtained := false; !obtained; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
			//fencelint:lock correctness
			err := s.Obtain(ctx, time.Minute)
			if err != nil && !errors.Is(err, session.ErrTaken) {
				return err
			} else if errors.Is(err, session.ErrTaken) {
				time.Sleep(time.Second)
				continue
			}
			obtained = true
		}
	}
	defer func() {
		if err := s.Release(ctx); err != nil {
			println(err.Error())
		}
	}()
	_, err := db.ExecContext(ctx, "UPDATE sessions SET token = $1, uses = uses + 1 WHERE id = $2", token, s.ID)
	return err
}

// Touch writes after it gave the lock back.
func Touch(ctx context.Context, db *sql.DB, s *session.Session) error {
	//fencelint:lock correctness
	if err := s.Obtain(ctx, time.Minute); err != nil {
		return err
	}
	if err := s.Release(ctx); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "UPDATE sessions SET uses = uses + 1 WHERE id = $1", s.ID)
	return err
}
