// Package alias has its epochs under several names: what is written under one of them is
// read under another.
package alias

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("another owner has taken over")

func write(ctx context.Context, db *sql.DB, epoch any) error {
	res, err := db.ExecContext(ctx,
		"UPDATE ferries SET cargo = 3, fence = $1 WHERE id = 7 AND fence < $1", epoch)
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

type berth struct {
	epoch int64
	name  string
}

type ferry struct {
	args  []any
	notes map[string]any
	ports map[string]string
	at    *int64
	berth *berth
}

func (f *ferry) arg(v any)            { f.args[0] = v }
func (f *ferry) note(k string, v any) { f.notes[k] = v }
func (f *ferry) set(v int64)          { *f.at = v }
func (f *ferry) call(port string)     { f.ports["next"] = port }
func (f *ferry) first() any           { return f.args[0] }
func (f *ferry) noted() any           { return f.notes["epoch"] }

func moored(b *berth) *ferry { return &ferry{berth: b} }

func (f *ferry) unmoor() { f.berth.epoch = time.Now().UnixNano() }

func same(p *int64) *int64 { return p }

// List keeps its arguments in a field.
func List(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	f := &ferry{args: []any{epoch}, ports: map[string]string{}}
	f.call("north")
	f.ports["last"] = "south"
	return write(ctx, db, f.first())
}

// ListChanged changes one there.
func ListChanged(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	f := &ferry{args: []any{epoch}}
	f.args[0] = time.Now().UnixNano()
	return write(ctx, db, f.first()) // want "clocktoken"
}

// ListOutside has it changed by a method, and reads it under the name that it had first.
func ListOutside(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	args := []any{epoch}
	f := &ferry{args: args}
	f.arg(time.Now().UnixNano())
	return write(ctx, db, args[0]) // want "clocktoken"
}

// Map puts another entry into a map in a field.
func Map(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	f := &ferry{notes: map[string]any{"epoch": epoch}}
	f.note("cargo", 3)
	return write(ctx, db, f.noted())
}

// MapChanged puts it in place of the epoch.
func MapChanged(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	f := &ferry{notes: map[string]any{"epoch": epoch}}
	f.note("epoch", time.Now().UnixNano())
	return write(ctx, db, f.noted()) // want "clocktoken"
}

// Pointer keeps the address of the epoch in a field.
func Pointer(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	f := &ferry{at: &epoch}
	return write(ctx, db, *f.at)
}

// PointerChanged has it changed there.
func PointerChanged(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	f := &ferry{at: &epoch}
	f.set(time.Now().UnixNano())
	return write(ctx, db, epoch) // want "clocktoken"
}

// OtherPointer changes another number.
func OtherPointer(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	var now int64
	f := &ferry{at: &now}
	f.set(time.Now().UnixNano())
	return write(ctx, db, epoch)
}

// Given has the address given back.
func Given(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	return write(ctx, db, *same(&epoch))
}

// GivenChanged writes by the address that it was given back.
func GivenChanged(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	*same(&epoch) = time.Now().UnixNano()
	return write(ctx, db, epoch) // want "clocktoken"
}

// Sent has it come out of a channel.
func Sent(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	addrs := make(chan *int64, 1)
	addrs <- &epoch
	*<-addrs = time.Now().UnixNano()
	return write(ctx, db, epoch) // want "clocktoken"
}

// Record is moored by a function that keeps it in another record.
func Record(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := &berth{epoch: epoch}
	f := moored(b)
	f.berth.name = "east"
	return write(ctx, db, b.epoch)
}

// RecordChanged has that one changed.
func RecordChanged(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := &berth{epoch: epoch}
	f := moored(b)
	f.unmoor()
	return write(ctx, db, b.epoch) // want "clocktoken"
}

var last *berth

func remember(b *berth) { last = b }

func forget() { last.epoch = time.Now().UnixNano() }

// Remembered keeps the record in a variable of the package.
func Remembered(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := &berth{epoch: epoch}
	remember(b)
	return write(ctx, db, b.epoch)
}

// Forgotten has it changed from there.
func Forgotten(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := &berth{epoch: epoch}
	remember(b)
	forget()
	return write(ctx, db, b.epoch) // want "clocktoken"
}

// Unremembered has another one changed.
func Unremembered(ctx context.Context, m *concurrency.Mutex, db *sql.DB) error {
	epoch, err := lock(ctx, m)
	if err != nil {
		return err
	}
	b := &berth{epoch: epoch}
	forget()
	return write(ctx, db, b.epoch)
}
