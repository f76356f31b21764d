// Package roomy computes numbers of a token that leave room below it.
package roomy

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/doug-martin/goqu/v9"
	"github.com/go-zookeeper/zk"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// GoodRoom fills the room below with what is not larger.
func GoodRoom(ctx context.Context, s *concurrency.Session, db *sql.DB, id, step int64) error {
	m := concurrency.NewMutex(s, "/locks/room")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n := m.Header().Revision<<8 | step&0xff
	return one(db.ExecContext(ctx, `UPDATE rooms SET v = v + 1, fence = $2 WHERE id = $1 AND fence < $2`, id, n))
}

// BadRoom fills it with more than it holds.
func BadRoom(ctx context.Context, s *concurrency.Session, db *sql.DB, id, step int64) error {
	m := concurrency.NewMutex(s, "/locks/crowd")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n := m.Header().Revision<<4 | step&0xff
	return one(db.ExecContext(ctx, `UPDATE crowds SET v = v + 1, fence = $2 WHERE id = $1 AND fence < $2`, id, n)) // want "unprovedwrite"
}

// BadFar moves it up so far that the upper bits are soon lost.
func BadFar(ctx context.Context, s *concurrency.Session, db *sql.DB, id, step int64) error {
	m := concurrency.NewMutex(s, "/locks/far")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n := m.Header().Revision<<40 | step&0xff
	return one(db.ExecContext(ctx, `UPDATE peaks SET v = v + 1, fence = $2 WHERE id = $1 AND fence < $2`, id, n)) // want "unprovedwrite"
}

// BadFarther leaves the room below it empty.
func BadFarther(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/locks/farther")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n := m.Header().Revision << 40
	return one(db.ExecContext(ctx, `UPDATE crests SET v = v + 1, fence = $2 WHERE id = $1 AND fence < $2`, id, n)) // want "unprovedwrite"
}

// BadTimes does so by a factor.
func BadTimes(ctx context.Context, s *concurrency.Session, db *sql.DB, id, step int64) error {
	m := concurrency.NewMutex(s, "/locks/times")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n := m.Header().Revision*(1<<40) + step&0xff
	return one(db.ExecContext(ctx, `UPDATE tops SET v = v + 1, fence = $2 WHERE id = $1 AND fence < $2`, id, n)) // want "unprovedwrite"
}

// BadClock moves the time up.
func BadClock(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/locks/hour")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	n := time.Now().UnixMilli()<<10 | 7
	return one(db.ExecContext(ctx, `UPDATE hours SET v = v + 1, fence = $2 WHERE id = $1 AND fence < $2`, id, n)) // want "clocktoken"
}

func turn(path string) (int64, error) {
	return strconv.ParseInt(path[strings.LastIndexByte(path, '-')+1:], 10, 64)
}

// Turns writes while its node is the first one.
type Turns struct {
	c  *zk.Conn
	db *sql.DB
}

func (t *Turns) first(dir, node string) error {
	kids, _, err := t.c.Children(dir)
	if err != nil {
		return err
	}
	for _, k := range kids {
		if k[strings.LastIndexByte(k, '-'):] < node[strings.LastIndexByte(node, '-'):] {
			return errors.New("not yet")
		}
	}
	return nil
}

// Good cuts the number off in a function of its own.
func (t *Turns) Good(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	node, err := t.c.CreateProtectedEphemeralSequential("/turns/n-", nil, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	defer t.c.Delete(node, -1)
	n, err := turn(node)
	if err != nil {
		return err
	}
	if err := t.first("/turns", node); err != nil {
		return err
	}
	return one(t.db.ExecContext(ctx, `UPDATE turns SET v = v + 1, fence = $2 WHERE id = $1 AND fence < $2`, id, n))
}

// Bad compares it in the wrong direction.
func (t *Turns) Bad(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	node, err := t.c.CreateProtectedEphemeralSequential("/back/n-", nil, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	defer t.c.Delete(node, -1)
	n, err := turn(node)
	if err != nil {
		return err
	}
	if err := t.first("/back", node); err != nil {
		return err
	}
	return one(t.db.ExecContext(ctx, `UPDATE back SET v = v + 1, fence = $2 WHERE id = $1 AND fence > $2`, id, n)) // want "staleadmitted"
}

// GoodRecord stores a column only if it is given.
func GoodRecord(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64, reason string) error {
	m := concurrency.NewMutex(s, "/locks/record")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rec := goqu.Record{"capped": true, "fence": m.Header().Revision}
	if reason != "" {
		rec["reason"] = reason
	}
	return one(db.Update("wells").Set(rec).Where(goqu.C("id").Eq(id), goqu.C("fence").Lt(m.Header().Revision)).Executor().ExecContext(ctx))
}

// BadRecord stores the epoch only sometimes.
func BadRecord(ctx context.Context, s *concurrency.Session, db *goqu.Database, id int64, keep bool) error {
	m := concurrency.NewMutex(s, "/locks/records")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rec := goqu.Record{"capped": true}
	if !keep {
		rec["fence"] = m.Header().Revision
	}
	return one(db.Update("pits").Set(rec).Where(goqu.C("id").Eq(id), goqu.C("fence").Lt(m.Header().Revision)).Executor().ExecContext(ctx)) // want "unprovedwrite|fencenotadvanced|tokenmismatch"
}
