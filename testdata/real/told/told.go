// Package told gives back records, words and numbers after a write that may be refused.
package told

import (
	"context"
	"database/sql"
	"errors"
	"log"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// item is what is written, and what became of it.
type item struct {
	id    int64
	stale bool
	n     int64
}

//fencelint:lock correctness
func lock(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, error) {
	mu := concurrency.NewMutex(s, "/locks/barrels")
	return mu, mu.Lock(ctx)
}

const q = `UPDATE t SET epoch = $1 WHERE id = $2 AND epoch < $1`

// Made gives back a record that is made whatever became of the write.
func Made(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (*item, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return nil, err
	}
	defer mu.Unlock(ctx)
	_, err = db.ExecContext(ctx, q, mu.Header().Revision, id) // want "rejectionignored"
	if err != nil {
		return nil, err
	}
	return &item{id: id}, nil
}

// Logged only logs the refusal.
func Logged(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (*item, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return nil, err
	}
	defer mu.Unlock(ctx)
	it := &item{id: id}
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id) // want "rejectionignored"
	if err != nil {
		return nil, err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		log.Println("stale")
	}
	return it, nil
}

// LoggedApart gives back the same record from a return of its own.
func LoggedApart(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (*item, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return nil, err
	}
	defer mu.Unlock(ctx)
	it := &item{id: id}
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id) // want "rejectionignored"
	if err != nil {
		return nil, err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		log.Println("stale")
		return it, nil
	}
	return it, nil
}

// Marked gives back a record that says so.
func Marked(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (*item, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return nil, err
	}
	defer mu.Unlock(ctx)
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id)
	if err != nil {
		return nil, err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		return &item{stale: true}, nil
	}
	return &item{id: id}, nil
}

// MarkedLater puts a mark into the record that it gives back.
func MarkedLater(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (*item, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return nil, err
	}
	defer mu.Unlock(ctx)
	it := &item{id: id}
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id)
	if err != nil {
		return nil, err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		it.stale = true
	}
	return it, nil
}

// Number gives back the number of rows in the record.
func Number(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (*item, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return nil, err
	}
	defer mu.Unlock(ctx)
	it := &item{id: id}
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id)
	if err != nil {
		return nil, err
	}
	it.n, err = res.RowsAffected()
	return it, err
}

// Kept keeps the number in a record that nobody reads.
func Kept(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	var it item
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id) // want "rejectionignored"
	if err != nil {
		return err
	}
	it.n, err = res.RowsAffected()
	return err
}

// Read reads it there.
func Read(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	var it item
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id)
	if err != nil {
		return err
	}
	if it.n, err = res.RowsAffected(); err != nil {
		return err
	}
	if it.n == 0 {
		return errStale
	}
	return nil
}

// SameBool gives back the same truth value both times.
func SameBool(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (bool, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return false, err
	}
	defer mu.Unlock(ctx)
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id) // want "rejectionignored"
	if err != nil {
		return false, err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		log.Println("stale")
		return true, nil
	}
	return true, nil
}

func fine(res sql.Result) bool {
	if n, err := res.RowsAffected(); err == nil && n == 0 {
		log.Println("stale")
		return true
	} else if err != nil {
		return false
	}
	return true
}

// SameHelper hands the same truth value on.
func SameHelper(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (bool, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return false, err
	}
	defer mu.Unlock(ctx)
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id) // want "rejectionignored"
	if err != nil {
		return false, err
	}
	return fine(res), nil
}

// AskedHelper asks a function that says yes both times.
func AskedHelper(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id) // want "rejectionignored"
	if err != nil {
		return err
	}
	if !fine(res) {
		return errStale
	}
	return nil
}

func seen(res sql.Result) error {
	if n, err := res.RowsAffected(); err == nil && n == 0 {
		log.Println("stale")
		return nil
	} else if err != nil {
		return err
	}
	return nil
}

// NilHelper hands on the nil that a function gives both times.
func NilHelper(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id) // want "rejectionignored"
	if err != nil {
		return err
	}
	return seen(res)
}

// Bool gives back false.
func Bool(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (bool, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return false, err
	}
	defer mu.Unlock(ctx)
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id)
	if err != nil {
		return false, err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		return false, nil
	}
	return true, nil
}

// Stale gives back true only then.
func Stale(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (stale bool, err error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return false, err
	}
	defer mu.Unlock(ctx)
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id)
	if err != nil {
		return false, err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		return true, nil
	}
	return false, nil
}

// Absent gives back no record only then.
func Absent(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (*item, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return nil, err
	}
	defer mu.Unlock(ctx)
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id)
	if err != nil {
		return nil, err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		return nil, nil
	}
	return &item{id: id}, nil
}

// Code gives back a number of its own.
func Code(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (int, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return 0, err
	}
	defer mu.Unlock(ctx)
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id)
	if err != nil {
		return 0, err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		return 2, nil
	}
	return 1, nil
}

// SameCode gives back the same number both times.
func SameCode(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (int, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return 0, err
	}
	defer mu.Unlock(ctx)
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id) // want "rejectionignored"
	if err != nil {
		return 0, err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		log.Println("stale")
	}
	return 1, nil
}

// Value gives back the record itself.
func Value(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (item, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return item{}, err
	}
	defer mu.Unlock(ctx)
	var it item
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id)
	if err != nil {
		return item{}, err
	}
	if it.n, err = res.RowsAffected(); err != nil {
		return item{}, err
	}
	return it, nil
}

// Counted counts for the log.
func Counted(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	mu, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer mu.Unlock(ctx)
	var st struct{ refused, made int }
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id) // want "rejectionignored"
	if err != nil {
		return err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		st.refused++
	} else {
		st.made++
	}
	log.Println(st.refused, st.made)
	return nil
}

// Word gives back a word of its own.
func Word(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) (string, error) {
	mu, err := lock(ctx, s)
	if err != nil {
		return "", err
	}
	defer mu.Unlock(ctx)
	res, err := db.ExecContext(ctx, q, mu.Header().Revision, id)
	if err != nil {
		return "", err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		return "stale", nil
	}
	return "done", nil
}
