package translated

import (
	"context"

	"fencelint.example/real/translated/dbx"
)

// Functions of another package rewrite the text.

func (a *app) goodOther(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, dbx.ToQuestion("UPDATE t14 SET f = $1, v = 1 WHERE id = $2 AND f < $3"), n, 1, n))
}

func (a *app) goodNumbered(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, dbx.ToDollar("UPDATE t15 SET f = ?, v = 1 WHERE id = ? AND f < ?"), n, 1, n))
}

func (a *app) badNumbered(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, dbx.ToDollar("UPDATE t16 SET f = ?, v = 1 WHERE id = ? AND f <> ?"), n, 1, n)) // want "staleadmitted"
}

func (a *app) goodOtherBytes(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, dbx.ToBytes("UPDATE t17 SET f = ?, v = 1 WHERE id = ? AND f < ?"), n, 1, n))
}

func (a *app) goodOtherFormat(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, dbx.ToFormat("UPDATE t17 SET f = ?, v = 1 WHERE id = ? AND f < ?"), n, 1, n))
}

func (a *app) badOtherFormat(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, dbx.ToFormat("UPDATE t17 SET f = ?, v = 1 WHERE id = ? AND f > ?"), n, 1, n)) // want "staleadmitted"
}

func (a *app) badOtherFewer(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, dbx.ToFewer("UPDATE t18 SET f = ?, v = 1 WHERE id = ? AND f < ?"), n, 1, n)) // want "tokennotcompared"
}

func (a *app) goodOtherUpper(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, dbx.ToUpper("UPDATE t19 SET f = ?, v = 1 WHERE id = ? AND f < ?"), n, 1, n))
}

func (a *app) badOtherTwice(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, dbx.ToTwice("UPDATE t20 SET f = ?, v = 1 WHERE id = ? AND f < ?"), n, 1, n)) // want "unprovedwrite"
}

func (a *app) badOtherLong(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, dbx.ToShort("UPDATE t21 SET f = ?, v = 1 WHERE id = ? AND f < ?"), n, 1, n)) // want "unprovedwrite"
}
