// Package leftout makes values of which not all fields are set: a statement that is put
// together from them has what this one has, and not what others have.
package leftout

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"fencelint.example/real/leftout/rack"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

// Desk writes cards.
type Desk struct {
	mu *concurrency.Mutex
	db *sql.DB
	t  *table
}

//fencelint:lock correctness
func (d *Desk) take(ctx context.Context) (int64, func(), error) {
	if err := d.mu.Lock(ctx); err != nil {
		return 0, nil, err
	}
	return d.mu.Header().Revision, func() { d.mu.Unlock(context.WithoutCancel(ctx)) }, nil
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

type table struct{ name, guard string }

func plain(name string) *table   { return &table{name: name} }
func guarded(name string) *table { return &table{name: name, guard: " AND fence < $2"} }

func (t *table) put(ctx context.Context, db *sql.DB, id, fence int64) error {
	return one(db.ExecContext(ctx, "UPDATE "+t.name+" SET n = n + 1, fence = $2 WHERE id = $1"+t.guard, id, fence))
}

// BadTable is one without a guard.
func (d *Desk) BadTable(ctx context.Context, id int64) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return plain("cards").put(ctx, d.db, id, fence) // want "tokennotcompared"
}

// NewDesk has one in a field.
func NewDesk(s *concurrency.Session, db *sql.DB) *Desk {
	d := &Desk{mu: concurrency.NewMutex(s, "/leftout"), db: db}
	d.t = plain("slips")
	return d
}

// BadField writes to that.
func (d *Desk) BadField(ctx context.Context, id int64) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.t.put(ctx, d.db, id, fence) // want "tokennotcompared"
}

// GoodTable is one with a guard.
func (d *Desk) GoodTable(ctx context.Context, id int64) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return guarded("notes").put(ctx, d.db, id, fence)
}

// late is a table whose guard is set after it was made.
type late struct{ name, guard string }

func (t *late) strict() { t.guard = " AND fence < $2" }

// GoodLate sets it.
func (d *Desk) GoodLate(ctx context.Context, id int64) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	t := &late{name: "drafts"}
	t.strict()
	return one(d.db.ExecContext(ctx, "UPDATE "+t.name+" SET n = n + 1, fence = $2 WHERE id = $1"+t.guard, id, fence))
}

type write struct {
	guard string
	fence int64
}

type option func(*write)

func newer(fence int64) option { return func(w *write) { w.guard, w.fence = " AND fence < $2", fence } }
func stamp(fence int64) option { return func(w *write) { w.fence = fence } }

func (d *Desk) put(ctx context.Context, table string, id int64, opts ...option) error {
	var w write
	for _, o := range opts {
		o(&w)
	}
	return one(d.db.ExecContext(ctx, "UPDATE "+table+" SET n = n + 1, fence = $2 WHERE id = $1"+w.guard, id, w.fence))
}

// BadOption stamps the row, and no option compares.
func (d *Desk) BadOption(ctx context.Context, id int64) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.put(ctx, "sheets", id, stamp(fence)) // want "tokennotcompared"
}

// GoodOption has one that compares.
func (d *Desk) GoodOption(ctx context.Context, id int64) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.put(ctx, "pages", id, newer(fence))
}

// BadText takes 0 where the text is no number.
func (d *Desk) BadText(ctx context.Context, id int64, saved string) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	fence, _ := strconv.ParseInt(saved, 10, 64)
	return guarded("texts").put(ctx, d.db, id, fence) // want "zerotoken"
}

// GoodText reads what it wrote, which is a number.
func (d *Desk) GoodText(ctx context.Context, id int64) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	again, _ := strconv.ParseInt(strconv.FormatInt(fence, 10), 10, 64)
	return guarded("words").put(ctx, d.db, id, again)
}

// BadRounds numbers the rounds of a loop.
func (d *Desk) BadRounds(ctx context.Context, ids []int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var n int64
	for _, id := range ids {
		n++
		if err := guarded("rounds").put(ctx, d.db, id, n); err != nil { // want "localcounter"
			return err
		}
	}
	return nil
}

// GoodPieces writes each column in three pieces, and the condition behind them.
func (d *Desk) GoodPieces(ctx context.Context, id int64, title, body string) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	b.WriteString("UPDATE leaves SET fence = $2")
	for i, c := range [...]string{"title", "body"} {
		b.WriteString(", ")
		b.WriteString(c)
		b.WriteString(" = $" + strconv.Itoa(i+3))
	}
	b.WriteString(" WHERE id = $1 AND fence < $2")
	return one(d.db.ExecContext(ctx, b.String(), id, fence, title, body))
}

// BadPieces leaves the condition out.
func (d *Desk) BadPieces(ctx context.Context, id int64, title, body string) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var b strings.Builder
	b.WriteString("UPDATE blanks SET fence = $2")
	for i, c := range [...]string{"title", "body"} {
		b.WriteString(", ")
		b.WriteString(c)
		b.WriteString(" = $" + strconv.Itoa(i+3))
	}
	b.WriteString(" WHERE id = $1")
	return one(d.db.ExecContext(ctx, b.String(), id, fence, title, body)) // want "tokennotcompared"
}

// Claimed is a row that a worker has.
type Claimed struct{ ID, Attempt int64 }

func inTx(ctx context.Context, db *sql.DB, fn func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func claim(ctx context.Context, db *sql.DB) (c Claimed, err error) {
	err = inTx(ctx, db, func(tx *sql.Tx) error {
		//fencelint:lock correctness
		return tx.QueryRowContext(ctx, `UPDATE chores SET attempt = attempt + 1, until = now() + interval '1 minute'
			WHERE until < now() RETURNING id, attempt`).Scan(&c.ID, &c.Attempt)
	})
	return c, err
}

// GoodClaim compares with what the literal put into the record.
func GoodClaim(ctx context.Context, db *sql.DB) error {
	c, err := claim(ctx, db)
	if err != nil {
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE chores SET done = true WHERE id = $1 AND attempt = $2`, c.ID, c.Attempt))
}

// BadClaim forgets the attempt.
func BadClaim(ctx context.Context, db *sql.DB) error {
	c, err := claim(ctx, db)
	if err != nil {
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE chores SET late = true WHERE id = $1`, c.ID)) // want "unfencedwrite"
}

// BadRack has no guard, in another package.
func (d *Desk) BadRack(ctx context.Context, id int64) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return rack.Plain("bins").Put(ctx, d.db, id, fence) // want "tokennotcompared"
}

// GoodRack has one.
func (d *Desk) GoodRack(ctx context.Context, id int64) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return rack.Guarded("crates").Put(ctx, d.db, id, fence)
}

// BadStamp gives an option that compares nothing.
func (d *Desk) BadStamp(ctx context.Context, id int64) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return rack.Put(ctx, d.db, "tubs", id, rack.Stamp(fence)) // want "tokennotcompared"
}

// GoodNewer gives one that compares.
func (d *Desk) GoodNewer(ctx context.Context, id int64) error {
	fence, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return rack.Put(ctx, d.db, "vats", id, rack.Newer(fence))
}

// Chief keeps its number behind an atomic pointer, which is written to by nobody else.
type Chief struct {
	mu    *concurrency.Mutex
	db    *sql.DB
	fence atomic.Pointer[int64]
}

// GoodPointer stores the number of its grant.
func (c *Chief) GoodPointer(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := c.mu.Lock(ctx); err != nil {
		return err
	}
	defer c.mu.Unlock(context.WithoutCancel(ctx))
	fence := c.mu.Header().Revision
	c.fence.Store(&fence)
	return guarded("chiefs").put(ctx, c.db, id, *c.fence.Load())
}

// Deputy does so with a clock.
type Deputy struct {
	mu    *concurrency.Mutex
	db    *sql.DB
	fence atomic.Pointer[int64]
}

// BadPointer stores what its clock says.
func (c *Deputy) BadPointer(ctx context.Context, id int64) error {
	//fencelint:lock correctness
	if err := c.mu.Lock(ctx); err != nil {
		return err
	}
	defer c.mu.Unlock(context.WithoutCancel(ctx))
	now := time.Now().UnixNano()
	c.fence.Store(&now)
	return guarded("deputies").put(ctx, c.db, id, *c.fence.Load()) // want "clocktoken"
}
