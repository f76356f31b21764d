package awaited

import (
	"context"
	"database/sql"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errOld = errors.New("a newer owner was there")

// task is work that tells when it is done.
type task struct {
	done chan struct{}
	bad  error
}

func (t *task) wait() error {
	<-t.done
	return t.bad
}

// begin starts work.
func begin(f func() error) *task {
	t := &task{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		t.bad = f()
	}()
	return t
}

// later has what it gives, too.
type later[T any] struct {
	v    T
	bad  error
	done chan struct{}
}

func soon[T any](f func() (T, error)) *later[T] {
	l := &later[T]{done: make(chan struct{})}
	go func() {
		l.v, l.bad = f()
		close(l.done)
	}()
	return l
}

func (l *later[T]) get() (T, error) {
	<-l.done
	return l.v, l.bad
}

// lathe turns.
type lathe struct {
	db   *sql.DB
	sess *concurrency.Session
}

func (l *lathe) locked(ctx context.Context, name string, f func(ctx context.Context, epoch int64) error) error {
	m := concurrency.NewMutex(l.sess, "/lathe/"+name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return f(ctx, m.Header().Revision)
}

func (l *lathe) turn(ctx context.Context, epoch, id int64) error {
	res, err := l.db.ExecContext(ctx, `UPDATE legs SET turned = true, epoch = $1 WHERE id = $2 AND epoch < $1`, epoch, id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, errOld)
	}
	return nil
}

// Waits asks the task to wait.
func (l *lathe) Waits(ctx context.Context) error {
	return l.locked(ctx, "waits", func(ctx context.Context, epoch int64) error {
		t := begin(func() error { return l.turn(ctx, epoch, 1) })
		return t.wait()
	})
}

// WaitsHere starts it here, and waits on its channel.
func (l *lathe) WaitsHere(ctx context.Context) error {
	return l.locked(ctx, "waitshere", func(ctx context.Context, epoch int64) error {
		t := &task{done: make(chan struct{})}
		go func() {
			t.bad = l.turn(ctx, epoch, 2)
			close(t.done)
		}()
		<-t.done
		return t.bad
	})
}

// Gets waits for the value.
func (l *lathe) Gets(ctx context.Context) error {
	return l.locked(ctx, "gets", func(ctx context.Context, epoch int64) error {
		f := soon(func() (int, error) { return 1, l.turn(ctx, epoch, 3) })
		_, err := f.get()
		return err
	})
}

// WaitsForOther waits for one of two.
func (l *lathe) WaitsForOther(ctx context.Context) error {
	return l.locked(ctx, "waitsforother", func(ctx context.Context, epoch int64) error {
		a := begin(func() error { return l.turn(ctx, epoch, 4) })
		begin(func() error { return l.turn(ctx, epoch, 5) }) // want "outliveshold"
		return a.wait()
	})
}

// Hurries goes on without.
func (l *lathe) Hurries(ctx context.Context, fast bool) error {
	return l.locked(ctx, "hurries", func(ctx context.Context, epoch int64) error {
		t := begin(func() error { return l.turn(ctx, epoch, 6) }) // want "outliveshold"
		if fast {
			return nil
		}
		return t.wait()
	})
}

func gather(errs <-chan error, n int) (out error) {
	for range n {
		if err := <-errs; err != nil {
			out = err
		}
	}
	return out
}

// Gathers lets a function take the answers.
func (l *lathe) Gathers(ctx context.Context, ids []int64) error {
	return l.locked(ctx, "gathers", func(ctx context.Context, epoch int64) error {
		errs := make(chan error, len(ids))
		for _, id := range ids {
			go func() { errs <- l.turn(ctx, epoch, id) }()
		}
		return gather(errs, len(ids))
	})
}

func first(errs <-chan error) error { return <-errs }

// TakesOne takes one of them.
func (l *lathe) TakesOne(ctx context.Context, ids []int64) error {
	return l.locked(ctx, "takesone", func(ctx context.Context, epoch int64) error {
		errs := make(chan error, len(ids))
		for _, id := range ids {
			go func() { errs <- l.turn(ctx, epoch, id) }() // want "outliveshold"
		}
		return first(errs)
	})
}

var bell = make(chan struct{})

// rings receives from a channel that nobody hands to it.
func rings() { <-bell }

// Listens waits for something else.
func (l *lathe) Listens(ctx context.Context) error {
	return l.locked(ctx, "listens", func(ctx context.Context, epoch int64) error {
		go l.turn(ctx, epoch, 9) // want "outliveshold" "rejectionignored"
		rings()
		return nil
	})
}
