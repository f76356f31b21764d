// Package arrays has its epochs in arrays, and in the records of lists.
package arrays

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner has taken over")

func write(ctx context.Context, db *sql.DB, epoch int64) error {
	res, err := db.ExecContext(ctx,
		"UPDATE looms SET cloth = 3, fence = $1 WHERE id = 7 AND fence < $1", epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// lock takes the lock and gives the epoch that came with it.
func lock(ctx context.Context, m *concurrency.Mutex) (int64, error) {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return 0, err
	}
	return m.Header().Revision, nil
}

type thread struct {
	epoch int64
	dye   string
}

type loom struct {
	pair    [2]int64
	threads []thread
}

func (l *loom) second(v int64) { l.pair[1] = v }

func (l *loom) first() int64 { return l.pair[0] }

func (l *loom) tear(v int64) { l.threads[0].epoch = v }

func (l *loom) dye(s string) { l.threads[0].dye = s }

func fill(pair *[2]int64, v int64) { pair[0] = v }

// Field keeps the epoch in an array that is a field; the other element is no matter.
func Field(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	l := &loom{}
	l.pair[0] = epoch
	l.second(time.Now().UnixNano())
	return write(ctx, db, l.first())
}

// FieldChanged has the element changed.
func FieldChanged(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	l := &loom{pair: [2]int64{0, epoch}}
	l.second(time.Now().UnixNano())
	return write(ctx, db, l.pair[1]) // want "clocktoken"
}

// FieldReplaced puts a new array there.
func FieldReplaced(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	l := &loom{}
	l.pair[0] = time.Now().UnixNano()
	l.pair = [2]int64{epoch, 0}
	return write(ctx, db, l.pair[0])
}

// Local sets another element after the array was made.
func Local(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	pair := [2]int64{epoch, 0}
	pair[1] = time.Now().UnixNano()
	return write(ctx, db, pair[0])
}

// LocalLater sets the element before it is read.
func LocalLater(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	epochs := []int64{0, 0}
	epochs[0] = epoch
	return write(ctx, db, epochs[0])
}

// Sliced changes it by a slice of the array.
func Sliced(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	pair := [2]int64{epoch, 0}
	part := pair[:]
	part[0] = time.Now().UnixNano()
	return write(ctx, db, pair[0]) // want "clocktoken"
}

// Filled gives the address of the array to a function.
func Filled(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	pair := [2]int64{epoch, 0}
	fill(&pair, time.Now().UnixNano())
	return write(ctx, db, pair[0]) // want "clocktoken"
}

// Record sets another field of a record in a list.
func Record(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	threads := []thread{{epoch: epoch}}
	threads[0].dye = "blue"
	return write(ctx, db, threads[0].epoch)
}

// RecordChanged sets that field, where the list is in another record.
func RecordChanged(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	l := &loom{threads: []thread{{epoch: epoch}}}
	l.tear(time.Now().UnixNano())
	return write(ctx, db, l.threads[0].epoch) // want "unprovedwrite"
}

// Cleared takes all out of a map, and puts the epoch in again.
func Cleared(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	epochs := map[string]int64{"loom": 0}
	clear(epochs)
	epochs["loom"] = epoch
	return write(ctx, db, epochs["loom"])
}

// ClearedLast only takes it out.
func ClearedLast(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	epochs := map[string]int64{"loom": epoch}
	clear(epochs)
	return write(ctx, db, epochs["loom"]) // want "zerotoken"
}
