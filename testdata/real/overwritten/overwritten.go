// Package overwritten hears of a refusal, and puts something else in its place.
package overwritten

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

var errStale = errors.New("a newer owner was there")

// Closed has the error of the release in place of the refusal.
func Closed(ctx context.Context, m *concurrency.Mutex, db *sql.DB) (err error) {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { err = m.Unlock(context.WithoutCancel(ctx)) }()
	return changed(db.ExecContext(ctx, `UPDATE pens SET full = true, epoch = $1 WHERE id = 1 AND epoch < $1`, m.Header().Revision)) // want "rejectionignored"
}

// ClosedToo has both.
func ClosedToo(ctx context.Context, m *concurrency.Mutex, db *sql.DB) (err error) {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Unlock(context.WithoutCancel(ctx))) }()
	return changed(db.ExecContext(ctx, `UPDATE folds SET full = true, epoch = $1 WHERE id = 1 AND epoch < $1`, m.Header().Revision))
}

// ClosedIf has the other one only where there is one, or where there was none.
func ClosedIf(ctx context.Context, m *concurrency.Mutex, db *sql.DB) (err error) {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer func() {
		if uerr := m.Unlock(context.WithoutCancel(ctx)); uerr != nil {
			err = uerr
		}
	}()
	stmt, err := db.PrepareContext(ctx, `UPDATE stalls SET full = true, epoch = $1 WHERE id = 1 AND epoch < $1`)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := stmt.Close(); err == nil {
			err = cerr
		}
	}()
	return changed(stmt.ExecContext(ctx, m.Header().Revision))
}

// Translated has another error for the same.
func Translated(ctx context.Context, m *concurrency.Mutex, db *sql.DB) (err error) {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	defer func() { err = plain(err) }()
	return changed(db.ExecContext(ctx, `UPDATE byres SET full = true, epoch = $1 WHERE id = 1 AND epoch < $1`, m.Header().Revision))
}

func plain(err error) error {
	if errors.Is(err, errStale) {
		return errors.New("try again")
	}
	return err
}

// Unread sends it where nobody listens.
func Unread(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	errs := make(chan error, 1)
	errs <- changed(db.ExecContext(ctx, `UPDATE barns SET full = true, epoch = $1 WHERE id = 1 AND epoch < $1`, m.Header().Revision)) // want "rejectionignored"
	return nil
}

// Read listens.
func Read(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	errs := make(chan error, 1)
	errs <- changed(db.ExecContext(ctx, `UPDATE sheds SET full = true, epoch = $1 WHERE id = 1 AND epoch < $1`, m.Header().Revision))
	return <-errs
}

// Acknowledged asks whether the server has answered.
func Acknowledged(ctx context.Context, m *concurrency.Mutex, c *mongo.Collection) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	res, err := c.UpdateOne(ctx, bson.M{"_id": 1, "epoch": bson.M{"$lt": epoch}}, bson.M{"$set": bson.M{"full": true, "epoch": epoch}}) // want "rejectionignored"
	if err != nil {
		return err
	}
	if !res.Acknowledged {
		return errStale
	}
	return nil
}

// Matched asks what it has done, too.
func Matched(ctx context.Context, m *concurrency.Mutex, c *mongo.Collection) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	res, err := c.UpdateOne(ctx, bson.M{"_id": 2, "epoch": bson.M{"$lt": epoch}}, bson.M{"$set": bson.M{"full": true, "epoch": epoch}})
	if err != nil {
		return err
	}
	if !res.Acknowledged || res.MatchedCount == 0 {
		return errStale
	}
	return nil
}

// Named asks which statement it was.
func Named(ctx context.Context, m *concurrency.Mutex, db *pgxpool.Pool) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tag, err := db.Exec(ctx, `UPDATE coops SET full = true, epoch = $1 WHERE id = 1 AND epoch < $1`, m.Header().Revision) // want "rejectionignored"
	if err != nil {
		return err
	}
	if !tag.Update() {
		return errStale
	}
	return nil
}

// Met asks what it met.
func Met(ctx context.Context, m *concurrency.Mutex, db *pgxpool.Pool) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tag, err := db.Exec(ctx, `UPDATE hives SET full = true, epoch = $1 WHERE id = 1 AND epoch < $1`, m.Header().Revision)
	if err != nil {
		return err
	}
	if !tag.Update() || tag.RowsAffected() == 0 {
		return errStale
	}
	return nil
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errStale)
	}
	return nil
}
