package asserts

import (
	"context"
	"database/sql"
	"time"

	"fencelint.example/lease/asserts/check"
)

// Helpers that take anything look for an error in it.

func (s *shop) bump(ctx context.Context, version int64) error {
	res, err := s.db.ExecContext(ctx, "UPDATE accounts SET due = due + 1, version = version + 1 WHERE id = 1 AND version = $1", version)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return sql.ErrNoRows
	}
	return nil
}

func orPanic(what string, args ...any) {
	for _, a := range args {
		if err, ok := a.(error); ok {
			panic(what + err.Error())
		}
	}
}

func (s *shop) anythingText(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	check.NoErrorf(s.bump(ctx, version), "row %d", 1)
}

func (s *shop) anythingListed(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	check.Check("row", s.bump(ctx, version))
}

func (s *shop) anythingAmong(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	check.Check("row", 7, s.bump(ctx, version), "x")
}

func (s *shop) anythingAsked(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	check.Expect(s.bump(ctx, version))
}

func (s *shop) anythingOwn(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	orPanic("row", s.bump(ctx, version))
}

func (s *shop) anythingSaid(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	check.OK(s.bump(ctx, version), "row")
}

func (s *shop) anythingYes(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	check.OK(s.bump(ctx, version) == nil, "row")
}

func (s *shop) anythingThat(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	err := s.bump(ctx, version)
	check.Thatf(err == nil, "row %v", err)
}

func (s *shop) anythingNoted(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	check.Warnf(s.bump(ctx, version), "row %d", 1) // want "rejectionignored"
}

func (s *shop) anythingNotedList(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	check.WarnAny("row", s.bump(ctx, version)) // want "rejectionignored"
}

func (s *shop) anythingOther(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	_ = s.bump(ctx, version) // want "rejectionignored"
	check.Check("row", ctx.Err())
}

// A number is no error, whatever it says.
func (s *shop) anythingNumber(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	res, err := s.db.ExecContext(ctx, "UPDATE accounts SET due = due + 1, version = version + 1 WHERE id = 1 AND version = $1", version) // want "rejectionignored"
	check.OnlyErrors(err)
	n, err := res.RowsAffected()
	check.OnlyErrors(n, err)
}

func (s *shop) anythingOwnNumber(ctx context.Context, version int64) {
	//fencelint:lock correctness
	l := check.Must(s.locks.Obtain(ctx, "bills", time.Minute, nil))
	defer l.Release(ctx)
	res, err := s.db.ExecContext(ctx, "UPDATE accounts SET due = due + 1, version = version + 1 WHERE id = 1 AND version = $1", version) // want "rejectionignored"
	orPanic("row", err)
	n, err := res.RowsAffected()
	orPanic("row", n, err)
}
