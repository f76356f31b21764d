// Package asserts leaves it to functions of another package to end the program, or to tell,
// where a lock was not acquired or a statement was refused.
package asserts

import (
	"context"
	"database/sql"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"

	"fencelint.example/lease/asserts/check"
)

type shop struct {
	locks *redislock.Client
	rdb   *redis.Client
	db    *sql.DB
}

func (s *shop) bill(ctx context.Context) {
	s.db.ExecContext(ctx, "INSERT INTO bills (day) VALUES (current_date) ON CONFLICT DO NOTHING")
}

func (s *shop) panics(ctx context.Context) {
	//fencelint:lock correctness
	l, err := s.locks.Obtain(ctx, "bills", time.Minute, nil)
	check.PanicIf(err != nil, err)
	defer l.Release(ctx)
	s.bill(ctx)
}

func (s *shop) expects(ctx context.Context) {
	//fencelint:lock correctness
	l, err := s.locks.Obtain(ctx, "bills", time.Minute, nil)
	check.NoError(err)
	defer l.Release(ctx)
	s.bill(ctx)
}

func (s *shop) must(ctx context.Context) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	s.bill(ctx)
}

func (s *shop) exits(ctx context.Context) {
	//fencelint:lock correctness
	l, err := s.locks.Obtain(ctx, "bills", time.Minute, nil)
	check.ExitOn(err)
	defer l.Release(ctx)
	s.bill(ctx)
}

func (s *shop) tells(ctx context.Context) {
	//fencelint:lock correctness
	l, err := s.locks.Obtain(ctx, "bills", time.Minute, nil)
	if check.Failed(err) {
		return
	}
	defer l.Release(ctx)
	s.bill(ctx)
}

// The telling is heard, and the work is done all the same.
func (s *shop) toldForNothing(ctx context.Context) {
	//fencelint:lock correctness
	l, err := s.locks.Obtain(ctx, "bills", time.Minute, nil) // want "acquireignored"
	if check.Failed(err) {
		l = nil
	}
	_ = l
	s.bill(ctx)
}

func (s *shop) notes(ctx context.Context) {
	//fencelint:lock correctness
	l, err := s.locks.Obtain(ctx, "bills", time.Minute, nil) // want "acquireignored"
	check.Note(err)
	_ = l
	s.bill(ctx)
}

// The key is the caller's own word for it; only the reply says who has it.
func (s *shop) asksTheReply(ctx context.Context) {
	//fencelint:lock correctness
	got, err := s.rdb.SetNX(ctx, "lock:bills", "me", time.Minute).Result()
	check.NoError(err)
	check.That(got, "somebody else bills")
	s.bill(ctx)
}

func (s *shop) forgetsTheReply(ctx context.Context) {
	//fencelint:lock correctness
	_, err := s.rdb.SetNX(ctx, "lock:bills", "me", time.Minute).Result() // want "acquireignored"
	check.NoError(err)
	s.bill(ctx)
}

// A refusal that ends the program is heard.
func (s *shop) refused(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	res, err := s.db.ExecContext(ctx, "UPDATE accounts SET due = due + 1, version = version + 1 WHERE id = 1 AND version = $1", version)
	check.NoError(err)
	n := check.Must(res.RowsAffected())
	check.That(n == 1, "somebody else was faster")
	s.bill(ctx)
}

// One that is only noted is lost.
func (s *shop) refusedInVain(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	res, err := s.db.ExecContext(ctx, "UPDATE accounts SET due = due + 1, version = version + 1 WHERE id = 1 AND version = $1", version) // want "rejectionignored"
	check.NoError(err)
	n := check.Must(res.RowsAffected())
	if n != 1 {
		check.Note(sql.ErrNoRows)
	}
	s.bill(ctx)
}

// The panic is caught, and nobody hears of it.
func (s *shop) caught(ctx context.Context, version int64) {
	defer func() { _ = recover() }()
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	res, err := s.db.ExecContext(ctx, "UPDATE accounts SET due = due + 1, version = version + 1 WHERE id = 1 AND version = $1", version) // want "rejectionignored"
	check.NoError(err)
	n := check.Must(res.RowsAffected())
	check.That(n == 1, "somebody else was faster")
}
