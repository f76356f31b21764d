package oracle

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
)

// race is one statement of a stale owner (epoch 41) that waits behind the open
// transaction of the new one (epoch 42).
type race struct {
	name, stale string
	before      string // statement in the stale owner's transaction, before
	locks       string // the table that before locks
	admitted    bool
}

var races = []race{
	{name: "guard on the row", stale: "UPDATE jobs SET payload = 'stale', last_fence = $1 WHERE id = 1 AND last_fence <= $1"},
	{name: "EXISTS on another table", stale: "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND EXISTS (SELECT 1 FROM locks WHERE name = 1 AND epoch = $1)", admitted: true},
	{name: "scalar subquery", stale: "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND (SELECT epoch FROM locks WHERE name = 1) <= $1", admitted: true},
	{name: "IN subquery", stale: "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND $1 IN (SELECT epoch FROM locks WHERE name = 1)", admitted: true},
	{name: "join", stale: "UPDATE jobs SET payload = 'stale' FROM locks l WHERE jobs.id = 1 AND l.name = jobs.id AND l.epoch = $1", admitted: true},
	{name: "EXISTS with FOR SHARE", stale: "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND EXISTS (SELECT 1 FROM locks WHERE name = 1 AND epoch = $1 FOR SHARE)"},
	{name: "CTE with FOR SHARE", stale: "WITH l AS (SELECT 1 FROM locks WHERE name = 1 AND epoch = $1 FOR SHARE) UPDATE jobs SET payload = 'stale' FROM l WHERE jobs.id = 1"},
	{name: "CTE with FOR UPDATE", stale: "WITH l AS (SELECT epoch FROM locks WHERE name = 1 FOR UPDATE) UPDATE jobs SET payload = 'stale' FROM l WHERE jobs.id = 1 AND l.epoch <= $1"},
	{name: "CTE that advances the fence", stale: "WITH g AS (UPDATE locks SET epoch = $1 WHERE name = 1 AND epoch <= $1 RETURNING name) UPDATE jobs SET payload = 'stale' FROM g WHERE jobs.id = g.name"},
	{name: "CTE that advances, EXISTS", stale: "WITH g AS (UPDATE locks SET epoch = $1 WHERE name = 1 AND epoch <= $1 RETURNING 1) UPDATE jobs SET payload = 'stale' WHERE id = 1 AND EXISTS (SELECT 1 FROM g)"},
	{name: "CTE that advances, not required", stale: "WITH g AS (UPDATE locks SET epoch = $1 WHERE name = 1 AND epoch <= $1 RETURNING 1) UPDATE jobs SET payload = 'stale' WHERE id = 1", admitted: true},
	{name: "CTE that meets its row whatever the token", stale: "WITH g AS (UPDATE locks SET epoch = GREATEST(epoch, $1) WHERE name = 1 RETURNING 1) UPDATE jobs SET payload = 'stale' WHERE id = 1 AND EXISTS (SELECT 1 FROM g)", admitted: true},
	{name: "CTE that advances, by its value", stale: "WITH g AS (UPDATE locks SET epoch = $1 WHERE name = 1 AND epoch <= $1 RETURNING name) UPDATE jobs SET payload = 'stale' WHERE id = (SELECT name FROM g)"},
	{name: "CTE that advances, counted", stale: "WITH g AS (UPDATE locks SET epoch = $1 WHERE name = 1 AND epoch <= $1 RETURNING 1) DELETE FROM jobs WHERE id = 1 AND (SELECT count(*) FROM g) = 1"},
	{name: "column by column", stale: "UPDATE jobs SET payload = CASE WHEN last_fence <= $1 THEN 'stale' ELSE payload END, last_fence = GREATEST(last_fence, $1) WHERE id = 1"},
	{name: "upsert, column by column", stale: "INSERT INTO jobs AS j (id, last_fence, payload) VALUES (1, $1, 'stale') ON CONFLICT (id) DO UPDATE SET payload = CASE WHEN j.last_fence <= EXCLUDED.last_fence THEN EXCLUDED.payload ELSE j.payload END, last_fence = GREATEST(j.last_fence, EXCLUDED.last_fence)"},
	{name: "row value", stale: "UPDATE jobs SET (payload, last_fence) = ROW('stale', $1) WHERE (id, last_fence) <= (1, $1) AND id = 1 AND last_fence <= $1"},
	{name: "UPDATE FROM values", stale: "UPDATE jobs SET payload = v.p, last_fence = v.f FROM (VALUES ($1::bigint, 'stale')) AS v(f, p) WHERE jobs.id = 1 AND jobs.last_fence <= v.f"},
	{name: "MERGE with the fence in ON", stale: "MERGE INTO jobs t USING (SELECT 1 AS id, $1::bigint AS fence) s ON t.id = s.id AND t.last_fence <= s.fence WHEN MATCHED THEN UPDATE SET payload = 'stale', last_fence = s.fence"},
	{name: "INSERT SELECT NOT EXISTS", stale: "INSERT INTO results (job, epoch, payload) SELECT 1, $1, 'stale' WHERE NOT EXISTS (SELECT 1 FROM results r WHERE r.job = 1 AND r.epoch >= $1)", admitted: true},
	{name: "INSERT behind a gate", stale: "WITH g AS (UPDATE locks SET epoch = $1 WHERE name = 1 AND epoch <= $1 RETURNING 1) INSERT INTO results (job, epoch, payload) SELECT 1, $1, 'stale' FROM g"},
	{name: "upsert with a guard", stale: "INSERT INTO jobs (id, last_fence, payload) VALUES (1, $1, 'stale') ON CONFLICT (id) DO UPDATE SET payload = EXCLUDED.payload, last_fence = EXCLUDED.last_fence WHERE jobs.last_fence < EXCLUDED.last_fence"},
	{name: "upsert without a guard", stale: "INSERT INTO jobs (id, last_fence, payload) VALUES (1, $1, 'stale') ON CONFLICT (id) DO UPDATE SET payload = EXCLUDED.payload, last_fence = EXCLUDED.last_fence", admitted: true},
	{name: "delete with a guard", stale: "DELETE FROM jobs WHERE id = 1 AND last_fence <= $1"},
	{name: "MERGE with a guard", stale: "MERGE INTO jobs t USING (SELECT 1 AS id, $1::bigint AS fence) s ON t.id = s.id WHEN MATCHED AND t.last_fence <= s.fence THEN UPDATE SET payload = 'stale', last_fence = s.fence"},
	{name: "same table by another name", stale: "UPDATE jobs SET payload = 'stale' FROM jobs k WHERE k.id = jobs.id AND jobs.id = 1 AND k.last_fence <= $1", admitted: true},
	{name: "IN over the same table with a lock", stale: "UPDATE jobs SET payload = 'stale' WHERE id IN (SELECT id FROM jobs WHERE id = 1 AND last_fence <= $1 FOR UPDATE)"},
	{name: "NOT EXISTS with FOR SHARE", stale: "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND NOT EXISTS (SELECT 1 FROM locks WHERE name = 1 AND epoch > $1 FOR SHARE)", admitted: true},
	{name: "no row found, with a lock", stale: "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND (SELECT epoch FROM locks WHERE epoch > $1 FOR SHARE) IS NULL", admitted: true},
	{name: "scalar with a lock", stale: "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND (SELECT epoch FROM locks WHERE name = 1 FOR SHARE) <= $1"},
	{name: "lock on another table of the join", stale: "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND EXISTS (SELECT 1 FROM locks l JOIN other o ON o.name = l.name WHERE l.epoch = $1 FOR SHARE OF o)", admitted: true},
	{name: "FOR KEY SHARE", stale: "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND EXISTS (SELECT 1 FROM locks WHERE name = 1 AND epoch = $1 FOR KEY SHARE)", admitted: true},
	{name: "fence in the condition of a derived table", stale: "UPDATE jobs SET payload = 'stale' FROM (SELECT name FROM locks WHERE epoch <= $1) l WHERE jobs.id = l.name", admitted: true},
	{name: "row locked before", before: "SELECT epoch FROM locks WHERE name = 1 FOR SHARE", locks: "locks", stale: "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND (SELECT epoch FROM locks WHERE name = 1) <= $1"},
}

// newOwner are the statements of the transaction that the stale owner meets.
var newOwner = []string{
	"UPDATE locks SET epoch = 42 WHERE name = 1",
	"UPDATE jobs SET payload = 'new', last_fence = 42 WHERE id = 1",
	"INSERT INTO results (job, epoch, payload) VALUES (1, 42, 'new')",
}

func setUpRace(t *testing.T, db *sql.DB) {
	run(t, db, "DROP TABLE IF EXISTS jobs, locks, results, other",
		"CREATE TABLE other (name int PRIMARY KEY)", "INSERT INTO other VALUES (1)",
		"CREATE TABLE jobs (id int PRIMARY KEY, last_fence bigint NOT NULL, payload text)",
		"CREATE TABLE locks (name int PRIMARY KEY, epoch bigint NOT NULL)",
		"CREATE TABLE results (job int, epoch bigint, payload text)",
		"INSERT INTO jobs VALUES (1, 41, 'old')", "INSERT INTO locks VALUES (1, 41)")
}

// play lets both owners run and tells whether the stale one changed anything.
func (r *race) play(t *testing.T, db *sql.DB) bool {
	setUpRace(t, db)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	owner, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range newOwner {
		if _, err := owner.ExecContext(ctx, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	done := make(chan error, 1)
	go func() { done <- r.staleOwner(ctx, db) }()
	waits(ctx, db, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'", done)
	if err := owner.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatalf("%s: %v", r.stale, err)
	}
	var n int
	q := "SELECT (SELECT count(*) FROM jobs WHERE payload = 'stale') + (SELECT count(*) FROM results WHERE payload = 'stale') + (SELECT 1 - count(*) FROM jobs)"
	if err := db.QueryRowContext(ctx, q).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n > 0
}

// waits comes back when the other session waits for a lock, which query counts, or is
// done without.
func waits(ctx context.Context, db *sql.DB, query string, done chan error) {
	for range 400 {
		var n int
		if err := db.QueryRowContext(ctx, query).Scan(&n); err == nil && n > 0 || len(done) > 0 {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
}

func (r *race) staleOwner(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if r.before != "" {
		if _, err := tx.ExecContext(ctx, r.before); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, r.stale, int64(41)); err != nil {
		return err
	}
	return tx.Commit()
}

// TestRaces: what the prover calls proof must hold in the race; what it does
// not call proof is admitted there, or the case says why not.
func TestRaces(t *testing.T) {
	db := postgres.open(t)
	for _, r := range races {
		t.Run(r.name, func(t *testing.T) {
			proved := fence.Yes
			for _, m := range fsql.Parse(r.stale, nil, fsql.Postgres).Statements[0].Mutations {
				if r.locks != "" {
					m = m.Lock(r.locks)
				}
				if v := fence.Prove(m, func(a fence.Arg) bool { return a == "$1" }); v.RejectsStale != fence.Yes {
					proved = v.RejectsStale
				}
			}
			real := r.play(t, db)
			t.Logf("stale write admitted: %v, proved: %v: %s", real, proved, strings.TrimSpace(r.stale))
			if real != r.admitted {
				t.Errorf("admitted %v, expected %v", real, r.admitted)
			}
			if real && proved == fence.Yes {
				t.Error("proved, but the stale write was admitted")
			}
			if !real && proved != fence.Yes {
				t.Error("rejected, but not proved")
			}
		})
	}
}
