// Package encoded writes its epochs as bytes and in errors, and reads them again.
package encoded

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"os"
	"reflect"
	"strconv"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner has taken over")

func write(ctx context.Context, db *sql.DB, epoch int64) error {
	res, err := db.ExecContext(ctx,
		"UPDATE trams SET load = 3, fence = $1 WHERE id = 7 AND fence < $1", epoch)
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

func encode(epoch int64) []byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(epoch))
	return b[:]
}

func decode(b []byte) int64 { return int64(binary.BigEndian.Uint64(b)) }

// held tells which epoch holds the lock.
type held struct{ epoch int64 }

func (h *held) Error() string { return "held" }

func report(epoch int64) error {
	if epoch < 0 {
		return errStale
	}
	return fmt.Errorf("tram 7: %w", &held{epoch: epoch})
}

func forward(err error) error { return err }

// Encoded goes through bytes.
func Encoded(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return write(ctx, db, decode(encode(epoch)))
}

// EncodedOther takes the bytes of another number.
func EncodedOther(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	if epoch == 0 {
		return errStale
	}
	return write(ctx, db, decode(encode(asked))) // want "clocktoken"
}

// Appended appends to no bytes.
func Appended(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := binary.LittleEndian.AppendUint64(nil, uint64(epoch))
	return write(ctx, db, int64(binary.LittleEndian.Uint64(b)))
}

// OtherWay reads the bytes the other way.
func OtherWay(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := make([]byte, 8)
	binary.LittleEndian.PutUint64(b, uint64(epoch))
	return write(ctx, db, int64(binary.BigEndian.Uint64(b))) // want "unprovedwrite"
}

// Overwritten puts another number into the bytes.
func Overwritten(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	b := make([]byte, 8)
	binary.BigEndian.PutUint64(b, uint64(epoch))
	binary.BigEndian.PutUint64(b, uint64(asked))
	return write(ctx, db, decode(b)) // want "unprovedwrite"
}

// Narrowed leaves out half of the bytes.
func Narrowed(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := make([]byte, 4)
	binary.BigEndian.PutUint32(b, uint32(epoch))
	return write(ctx, db, int64(binary.BigEndian.Uint32(b))) // want "fencecolumn"
}

// Digits reads some of the digits.
func Digits(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	digits := strconv.FormatInt(epoch, 10)
	n, err := strconv.ParseInt(digits[:3], 10, 64)
	if err != nil {
		return err
	}
	return write(ctx, db, n) // want "unprovedwrite"
}

// Reported finds the epoch in an error.
func Reported(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	var h *held
	if err := report(epoch); !errors.As(err, &h) {
		return err
	}
	return write(ctx, db, h.epoch)
}

// ReportedOther finds another number there.
func ReportedOther(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	asked := time.Now().UnixNano()
	var h *held
	if err := report(asked); !errors.As(err, &h) || epoch == 0 {
		return err
	}
	return write(ctx, db, h.epoch) // want "clocktoken"
}

// Forwarded finds it in an error that may be any.
func Forwarded(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	var h *held
	if err := forward(ctx.Err()); !errors.As(err, &h) || epoch == 0 {
		return err
	}
	return write(ctx, db, h.epoch) // want "unprovedwrite"
}

// Printed has the number looked at.
func Printed(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	log.Printf("%p %s", &epoch, reflect.TypeOf(&epoch))
	fmt.Println(&epoch)
	return write(ctx, db, epoch)
}

// Scanned has the number scanned into.
func Scanned(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	if _, err := fmt.Sscan(os.Getenv("EPOCH"), &epoch); err != nil {
		return err
	}
	return write(ctx, db, epoch) // want "opaquetoken"
}
