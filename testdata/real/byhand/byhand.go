// Package byhand keeps locks without a library: in rows that say who may work, and
// until when. What looks alike and is none stands beside them: its holder is nobody.
//
//fencelint:lock correctness
package byhand

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// ErrTaken says that another owner has the lock.
var ErrTaken = errors.New("another owner has the lock")

// Leases are rows of a table, one for each task.
type Leases struct{ DB *sql.DB }

// Take lets the next owner in when the time of the last one is over.
func (l *Leases) Take(ctx context.Context, task, owner string, until time.Time) (bool, error) {
	res, err := l.DB.ExecContext(ctx, `INSERT INTO task_leases (task, held_until, held_by) VALUES ($1, $2, $3)
		ON CONFLICT (task) DO UPDATE SET held_until = $2, held_by = $3 WHERE task_leases.held_until < now()`, task, until, owner)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Drop gives the row back.
func (l *Leases) Drop(ctx context.Context, task string) error {
	_, err := l.DB.ExecContext(ctx, `DELETE FROM task_leases WHERE task = $1`, task) // want "unsaferelease"
	return err
}

// Settle works under a lease of Take, and again after it was given back.
func Settle(ctx context.Context, l *Leases, owner string) error {
	ok, err := l.Take(ctx, "settle", owner, time.Now().Add(time.Minute))
	if err != nil {
		return err
	}
	if !ok {
		return ErrTaken
	}
	if _, err := l.DB.ExecContext(ctx, `UPDATE orders SET state = 'settled' WHERE state = 'open'`); err != nil { // want "unfencedwrite"
		return err
	}
	if err := l.Drop(ctx, "settle"); err != nil {
		return err
	}
	_, err = l.DB.ExecContext(ctx, `UPDATE orders SET seen = true`) // want "writeafterrelease"
	return err
}

// Leader is elected by a row that is inserted while nobody has it.
type Leader struct{ DB *sql.DB }

// Elect becomes the leader, or says no.
func (l *Leader) Elect(ctx context.Context, id string) error {
	var since time.Time
	err := l.DB.QueryRowContext(ctx, `INSERT INTO queue_leader (leader_id, elected_at, expires_at)
		VALUES ($1, now(), now() + interval '30 seconds') ON CONFLICT (name) DO NOTHING RETURNING elected_at`, id).Scan(&since)
	if err != nil {
		return err
	}
	_, err = l.DB.ExecContext(ctx, `UPDATE queues SET paused = false`) // want "unfencedwrite"
	return err
}

// Resign is the counterpart of Elect.
func (l *Leader) Resign(ctx context.Context, id string) error {
	_, err := l.DB.ExecContext(ctx, `DELETE FROM queue_leader WHERE name = 'default' AND leader_id = $1`, id)
	return err
}

// Jobs are claimed for a time by the worker that runs them.
type Jobs struct {
	DB    *sql.DB
	Table string
}

// Run claims a job; the table is a setting.
func (j *Jobs) Run(ctx context.Context, id int64, worker string) error {
	res, err := j.DB.ExecContext(ctx, fmt.Sprintf(`UPDATE %s SET locked_by = $1, locked_until = now() + interval '5 minutes'
		WHERE id = $2 AND (locked_until IS NULL OR locked_until < now())`, j.Table), worker, id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrTaken
	}
	_, err = j.DB.ExecContext(ctx, `INSERT INTO mails (job) VALUES ($1)`, id) // want "unfencedwrite"
	return err
}

// Cooldown lets one mail a minute through: nobody owns anything.
func Cooldown(ctx context.Context, db *sql.DB, user int64) error {
	res, err := db.ExecContext(ctx, `UPDATE users SET mailed_at = now() WHERE id = $1 AND mailed_at < now() - interval '1 minute'`, user)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrTaken
	}
	_, err = db.ExecContext(ctx, `INSERT INTO mails (job) VALUES ($1)`, user)
	return err
}

// Seen marks a message, so that it is not worked on twice.
func Seen(ctx context.Context, db *sql.DB, message string) error {
	if _, err := db.ExecContext(ctx, `INSERT INTO seen_messages (id) VALUES ($1)`, message); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE orders SET count = count + 1`)
	return err
}

// Lockers are data, though their name begins with a lock.
type Lockers struct{ DB *sql.DB }

// Rent inserts a row that is there once.
func (l *Lockers) Rent(ctx context.Context, number int, tenant string) error {
	if _, err := l.DB.ExecContext(ctx, `INSERT INTO lockers (number, tenant) VALUES ($1, $2)`, number, tenant); err != nil {
		return err
	}
	_, err := l.DB.ExecContext(ctx, `UPDATE bills SET due = true WHERE tenant = $1`, tenant)
	return err
}

// End deletes it.
func (l *Lockers) End(ctx context.Context, number int) error {
	_, err := l.DB.ExecContext(ctx, `DELETE FROM lockers WHERE number = $1`, number)
	return err
}

// Rename is a compare-and-set on a version, whatever its column is called.
func Rename(ctx context.Context, db *sql.DB, id, version int64, name string) error {
	res, err := db.ExecContext(ctx, `UPDATE products SET name = $1, lock_version = lock_version + 1 WHERE id = $2 AND lock_version = $3`, name, id, version)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrTaken
	}
	_, err = db.ExecContext(ctx, `INSERT INTO renames (id) VALUES ($1)`, id)
	return err
}

// IsTaken tells of an error that it means a lock that is taken.
func IsTaken(err error) bool { return errors.Is(err, ErrTaken) }

// Sweep gives its lease back on each way on which it had it, though it asks of what
// kind the error is before it defers.
func Sweep(ctx context.Context, l *Leases, owner string) error {
	err := l.Must(ctx, "sweep", owner)
	if IsTaken(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer l.Drop(ctx, "sweep")
	_, err = l.DB.ExecContext(ctx, `DELETE FROM carts WHERE left_at < now() - interval '1 day'`) // want "unfencedwrite"
	return err
}

// Must takes the lease or says why not.
func (l *Leases) Must(ctx context.Context, task, owner string) error {
	ok, err := l.Take(ctx, task, owner, time.Now().Add(time.Minute))
	if err != nil {
		return err
	}
	if !ok {
		return ErrTaken
	}
	return nil
}

// Nightly calls Sweep and holds nothing itself.
func Nightly(ctx context.Context, l *Leases, owner string) error {
	if err := Sweep(ctx, l, owner); err != nil {
		return err
	}
	_, err := l.DB.ExecContext(ctx, `UPDATE nights SET done = true`)
	return err
}
