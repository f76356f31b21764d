// Package inrounds has statements to which loops and tests add, and epochs that are counted or cut out of texts.
package inrounds

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner has taken over")

func write(ctx context.Context, db *sql.DB, epoch int64) error {
	res, err := db.ExecContext(ctx,
		"UPDATE lorries SET load = 3, fence = $1 WHERE id = 7 AND fence < $1", epoch)
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

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// update writes the columns one by one, and then the condition.
func update(columns []string, guard string) string {
	var b strings.Builder
	b.WriteString("UPDATE lorries SET fence = $1")
	for i, c := range columns {
		if i > 0 {
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, ", %s = %d", c, i)
	}
	b.WriteString(" WHERE id = 7")
	if guard != "" {
		b.WriteString(" AND " + guard + " < $1")
	}
	return b.String()
}

// stored writes what it is told to.
func stored(guard string) string {
	var b strings.Builder
	b.WriteString("UPDATE lorries SET load = 4, fence = $1 WHERE id = 7")
	if guard != "" {
		b.WriteString(" AND " + guard + " < $1")
	}
	return b.String()
}

func tag(epoch int64) string { return "epoch=" + strconv.FormatInt(epoch, 10) }

func untag(s string) (int64, error) {
	digits, ok := strings.CutPrefix(s, "epoch=")
	if !ok {
		return 0, errStale
	}
	return strconv.ParseInt(digits, 10, 64)
}

var turns int64

// Told asks for the condition.
func Told(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return changed(db.ExecContext(ctx, stored("fence"), epoch))
}

// NotTold asks for none.
func NotTold(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return changed(db.ExecContext(ctx, stored(""), epoch)) // want "tokennotcompared"
}

// Rounds has the columns added in a loop.
func Rounds(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return changed(db.ExecContext(ctx, update([]string{"load", "axle"}, "fence"), epoch))
}

// RoundsBare has no guard behind them.
func RoundsBare(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return changed(db.ExecContext(ctx, update([]string{"load", "axle"}, ""), epoch)) // want "tokennotcompared"
}

// Tagged reads the number behind a word.
func Tagged(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	n, err := untag(tag(epoch))
	if err != nil {
		return err
	}
	return write(ctx, db, n)
}

// TaggedOther reads another one there.
func TaggedOther(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	n, err := untag(tag(asked))
	if err != nil || epoch == 0 {
		return errors.Join(errStale, err)
	}
	return write(ctx, db, n) // want "clocktoken"
}

// Counted counts in a package variable.
func Counted(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	turns++
	if epoch == 0 {
		return errStale
	}
	return write(ctx, db, turns) // want "localcounter"
}
