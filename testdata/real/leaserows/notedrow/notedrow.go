// Package notedrow notes in rows of letters who sends them. Which rows are free was found
// out before, or is left to whoever clears the notes of senders that are gone.
package notedrow

import (
	"context"
	"database/sql"
	"time"
)

// Letters is a table of letters that are to be sent.
type Letters struct{ db *sql.DB }

// Take notes the sender in all that is waiting.
func (l *Letters) Take(ctx context.Context, sender string, now time.Time) error {
	_, err := l.db.ExecContext(ctx, `UPDATE letters SET locked_by = $1, locked_on = $2 WHERE state = $3`, sender, now, "waiting") // taken
	return err
}

// Drop takes the note out.
func (l *Letters) Drop(ctx context.Context, sender string) error {
	_, err := l.db.ExecContext(ctx, `UPDATE letters SET locked_by = NULL, locked_on = NULL WHERE locked_by = $1`, sender)
	return err
}

// Add writes a letter: a record that can be locked, and is not locked by this.
func (l *Letters) Add(ctx context.Context, id int64, to, text string, lockedBy *string, lockedOn *time.Time) error {
	_, err := l.db.ExecContext(ctx, `INSERT INTO letters (id, receiver, body, created_on, locked_by, locked_on, sent_on) VALUES ($1, $2, $3, $4, $5, $6, NULL)`,
		id, to, text, time.Now(), lockedBy, lockedOn)
	return err
}

// Save writes what has become of a letter, and with it whatever is noted there.
func (l *Letters) Save(ctx context.Context, id int64, text string, lockedBy *string, lockedOn *time.Time) error {
	_, err := l.db.ExecContext(ctx, `UPDATE letters SET body = $1, locked_by = $2, locked_on = $3 WHERE id = $4`, text, lockedBy, lockedOn, id)
	return err
}

// Rename changes how leases are told apart, and takes none.
func Rename(ctx context.Context, db *sql.DB, from, to string) error {
	_, err := db.ExecContext(ctx, `UPDATE letter_leases SET lease_type = $1 WHERE lease_type = $2`, to, from)
	return err
}
