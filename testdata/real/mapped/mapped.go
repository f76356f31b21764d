// Package mapped keeps tokens and statements in maps and lists that are changed by other
// functions of the standard library, or under keys that are not known.
package mapped

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Mill grinds.
type Mill struct {
	mu *concurrency.Mutex
	db *sql.DB
}

//fencelint:lock correctness
func (m *Mill) take(ctx context.Context) (int64, func(), error) {
	if err := m.mu.Lock(ctx); err != nil {
		return 0, nil, err
	}
	return m.mu.Header().Revision, func() { m.mu.Unlock(context.WithoutCancel(ctx)) }, nil
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

const grind = `UPDATE sacks SET ground = true, epoch = $2 WHERE id = $1 AND epoch < $2`

// BadAnyKey puts another number under a key that may be the one that is read.
func (m *Mill) BadAnyKey(ctx context.Context, id int64, key string) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	epochs := map[string]int64{"grind": epoch}
	epochs[key] = time.Now().Unix()
	return one(m.db.ExecContext(ctx, grind, id, epochs["grind"])) // want "clocktoken"
}

// GoodAnyKey puts it there before.
func (m *Mill) GoodAnyKey(ctx context.Context, id int64, key string) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	epochs := map[string]int64{}
	epochs[key] = time.Now().Unix()
	epochs["grind"] = epoch
	return one(m.db.ExecContext(ctx, grind, id, epochs["grind"]))
}

// BadAnyText does so with a statement.
func (m *Mill) BadAnyText(ctx context.Context, id int64, key string) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	texts := map[string]string{"grind": `UPDATE husks SET ground = true, epoch = $2 WHERE id = $1 AND epoch < $2`}
	texts[key] = `UPDATE husks SET ground = true, epoch = $2 WHERE id = $1`
	return one(m.db.ExecContext(ctx, texts["grind"], id, epoch)) // want "tokennotcompared"
}

// BadCopy copies a map over it.
func (m *Mill) BadCopy(ctx context.Context, id int64, given map[string]int64) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	epochs := map[string]int64{"grind": epoch}
	maps.Copy(epochs, given)
	return one(m.db.ExecContext(ctx, grind, id, epochs["grind"])) // want "unprovedwrite"
}

// GoodCopy copies a map of which the entries are known.
func (m *Mill) GoodCopy(ctx context.Context, id int64) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	epochs := map[string]int64{"sift": 4}
	maps.Copy(epochs, map[string]int64{"grind": epoch})
	return one(m.db.ExecContext(ctx, grind, id, epochs["grind"]))
}

var texts = map[string]string{"grind": `UPDATE bran SET ground = true, epoch = $2 WHERE id = $1 AND epoch < $2`}

// BadClone copies over a copy.
func (m *Mill) BadClone(ctx context.Context, id int64, given map[string]string) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	mine := maps.Clone(texts)
	maps.Copy(mine, given)
	return one(m.db.ExecContext(ctx, mine["grind"], id, epoch)) // want "unprovedwrite"
}

// BadDeleted takes entries out.
func (m *Mill) BadDeleted(ctx context.Context, id int64) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	epochs := map[string]int64{"grind": epoch}
	maps.DeleteFunc(epochs, func(k string, _ int64) bool { return strings.HasPrefix(k, "g") })
	return one(m.db.ExecContext(ctx, grind, id, epochs["grind"])) // want "zerotoken"
}

// BadRemoved moves the elements of a list.
func (m *Mill) BadRemoved(ctx context.Context, id int64) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	numbers := []int64{epoch, time.Now().Unix(), 7}
	_ = slices.Delete(numbers, 0, 1)
	return one(m.db.ExecContext(ctx, grind, id, numbers[0])) // want "unprovedwrite"
}

// GoodInserted puts a condition in front of another one.
func (m *Mill) GoodInserted(ctx context.Context, id int64) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	conds := slices.Concat(slices.Insert([]string{"id = $1"}, 0, "epoch < $2"), []string{"NOT ground"})
	return one(m.db.ExecContext(ctx, `UPDATE sacks SET ground = true, epoch = $2 WHERE `+strings.Join(conds, " AND "), id, epoch))
}

type stone struct{ epoch int64 }

// BadThrough changes the record under a key that is not known.
func (m *Mill) BadThrough(ctx context.Context, id int64, key string) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	stones := map[string]*stone{"a": {epoch: epoch}, "b": {}}
	stones[key].epoch = time.Now().Unix()
	return one(m.db.ExecContext(ctx, grind, id, stones["a"].epoch)) // want "clocktoken"
}

// held keeps the numbers of several.
type held struct {
	sync.Mutex
	epochs map[int64]int64
}

func (h *held) put(id, epoch int64) {
	h.Lock()
	defer h.Unlock()
	if h.epochs == nil {
		h.epochs = make(map[int64]int64)
	}
	h.epochs[id] = epoch
}

func (h *held) get(id int64) (int64, bool) {
	h.Lock()
	defer h.Unlock()
	e, ok := h.epochs[id]
	return e, ok
}

// GoodHeld reads it back under the same key.
func (m *Mill) GoodHeld(ctx context.Context, id int64) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var h held
	h.put(id, epoch)
	mine, ok := h.get(id)
	if !ok {
		return errStale
	}
	return one(m.db.ExecContext(ctx, grind, id, mine))
}

// BadHeld puts a time there as well.
func (m *Mill) BadHeld(ctx context.Context, id int64) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	h := &held{}
	h.put(id, epoch)
	h.put(id, time.Now().Unix())
	mine, _ := h.get(id)
	return one(m.db.ExecContext(ctx, grind, id, mine)) // want "clocktoken"
}

// GoodOr takes the number that is there.
func (m *Mill) GoodOr(ctx context.Context, id int64) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(m.db.ExecContext(ctx, grind, id, cmp.Or(0, epoch)))
}

// BadOr takes a time if there is one.
func (m *Mill) BadOr(ctx context.Context, id int64) error {
	epoch, release, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(m.db.ExecContext(ctx, grind, id, cmp.Or(time.Now().Unix(), epoch))) // want "clocktoken"
}
