// Package claimonce takes rows under values that are made once, for all claims or for one.
package claimonce

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/google/uuid"
)

var errStale = errors.New("a newer owner was there")

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// worker takes jobs.
type worker struct {
	db *sql.DB
	id string
}

func newWorker(db *sql.DB) *worker { return &worker{db: db, id: uuid.NewString()} }

// Run takes a job under the value that the worker has for all of its jobs: whoever makes
// workers answers for it.
func (w *worker) Run(ctx context.Context, job int64) error {
	//fencelint:lock correctness
	if err := one(w.db.ExecContext(ctx, "UPDATE jobs SET owner = $1, until = now() + interval '30 seconds' WHERE id = $2 AND until < now()", w.id, job)); err != nil {
		return err
	}
	return one(w.db.ExecContext(ctx, "UPDATE jobs SET done = true WHERE id = $1 AND owner = $2", job, w.id))
}

var process = uuid.NewString()

// RunProcess takes one under the value of the process.
func RunProcess(ctx context.Context, db *sql.DB, job int64) error {
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, "UPDATE tasks SET owner = $1, until = now() + interval '30 seconds' WHERE id = $2 AND until < now()", process, job)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, "UPDATE tasks SET done = true WHERE id = $1 AND owner = $2", job, process)) // want "identityreused"
}

// RunFresh takes one under a value of its own.
func RunFresh(ctx context.Context, db *sql.DB, job int64) error {
	claim := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, "UPDATE works SET owner = $1, until = now() + interval '30 seconds' WHERE id = $2 AND until < now()", claim, job)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, "UPDATE works SET done = true WHERE id = $1 AND owner = $2", job, claim))
}

// holder keeps its value for one job.
type holder struct {
	db    *sql.DB
	claim string
}

// Run takes a job under a new value.
func (h *holder) Run(ctx context.Context, job int64) error {
	h.claim = uuid.NewString()
	//fencelint:lock correctness
	if err := one(h.db.ExecContext(ctx, "UPDATE parts SET owner = $1, until = now() + interval '30 seconds' WHERE id = $2 AND until < now()", h.claim, job)); err != nil {
		return err
	}
	return one(h.db.ExecContext(ctx, "UPDATE parts SET done = true WHERE id = $1 AND owner = $2", job, h.claim))
}

// nameOf is the host and the process, and something that no other process has.
func nameOf() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s-%d-%s", host, os.Getpid(), salt())
}

// salt is drawn; where nothing can be drawn, the time has to do.
func salt() string {
	b := make([]byte, 4)
	if _, err := rand.Read(b); err != nil {
		return strconv.FormatInt(time.Now().UnixNano(), 16)
	}
	return hex.EncodeToString(b)
}

// RunSalted takes a job under such a name.
func RunSalted(ctx context.Context, db *sql.DB, job int64) error {
	name := nameOf()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, "UPDATE loads SET owner = $1, until = now() + interval '30 seconds' WHERE id = $2 AND until < now()", name, job)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, "UPDATE loads SET done = true WHERE id = $1 AND owner = $2", job, name))
}

// RunHost takes one under what each process of the host can have again.
func RunHost(ctx context.Context, db *sql.DB, job int64) error {
	host, _ := os.Hostname()
	name := fmt.Sprintf("%s-%d", host, os.Getpid())
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, "UPDATE hauls SET owner = $1, until = now() + interval '30 seconds' WHERE id = $2 AND until < now()", name, job)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, "UPDATE hauls SET done = true WHERE id = $1 AND owner = $2", job, name)) // want "identityreused"
}

// labelled has the value in a map.
type labelled struct{ labels map[string]string }

func (l *labelled) rename(name string) { l.labels["owner"] = name }

func (l *labelled) note(text string) { l.labels["note"] = text }

// RunLabelled takes a job under a value in a map of which another entry is changed.
func RunLabelled(ctx context.Context, db *sql.DB, job int64) error {
	l := &labelled{labels: map[string]string{"owner": uuid.NewString()}}
	l.note("worker-7")
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, "UPDATE carts SET owner = $1, until = now() + interval '30 seconds' WHERE id = $2 AND until < now()", l.labels["owner"], job)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, "UPDATE carts SET done = true WHERE id = $1 AND owner = $2", job, l.labels["owner"]))
}

// RunRenamed takes one under a value that a method has changed there.
func RunRenamed(ctx context.Context, db *sql.DB, job int64) error {
	l := &labelled{labels: map[string]string{"owner": uuid.NewString()}}
	l.rename("worker-7")
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, "UPDATE vans SET owner = $1, until = now() + interval '30 seconds' WHERE id = $2 AND until < now()", l.labels["owner"], job)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, "UPDATE vans SET done = true WHERE id = $1 AND owner = $2", job, l.labels["owner"])) // want "identityreused"
}
