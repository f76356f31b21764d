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

// crossTable are statements of a stale owner whose guard is in another table.
var crossTable = []struct{ name, text string }{
	{"own row", "UPDATE jobs SET payload = 'stale', last_fence = 41 WHERE id = 1 AND last_fence <= ?"},
	{"EXISTS", "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND EXISTS (SELECT 1 FROM locks WHERE name = 1 AND epoch = ?)"},
	{"scalar", "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND (SELECT epoch FROM locks WHERE name = 1) <= ?"},
	{"IN", "UPDATE jobs SET payload = 'stale' WHERE id = 1 AND id IN (SELECT name FROM locks WHERE epoch <= ?)"},
}

// playSecond lets the stale owner's statement meet the open transaction of the
// new owner and tells whether it changed the row. Waiting in vain or losing a
// conflict is a refusal. waiting counts the sessions that wait for a lock, where the
// database tells.
func playSecond(t *testing.T, db *sql.DB, begin, text, waiting string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for _, s := range []string{"DROP TABLE IF EXISTS jobs", "DROP TABLE IF EXISTS locks",
		"CREATE TABLE jobs (id INTEGER PRIMARY KEY, last_fence BIGINT NOT NULL, payload VARCHAR(20))",
		"CREATE TABLE locks (name INTEGER PRIMARY KEY, epoch BIGINT NOT NULL)",
		"INSERT INTO jobs VALUES (1, 41, 'old')", "INSERT INTO locks VALUES (1, 41)"} {
		if _, err := db.ExecContext(ctx, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	conn := func(setup ...string) *sql.Conn {
		c, err := db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range setup {
			if _, err := c.ExecContext(ctx, s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
		return c
	}
	owner := conn(strings.Split(begin, ";")...)
	defer owner.Close()
	for _, s := range newOwner[:2] {
		if _, err := owner.ExecContext(ctx, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	stale := conn(strings.Split(begin, ";")[:strings.Count(begin, ";")]...)
	defer stale.Close()
	done := make(chan error, 1)
	go func() {
		_, err := stale.ExecContext(ctx, text, int64(41))
		done <- err
	}()
	if waiting == "" {
		time.Sleep(400 * time.Millisecond)
	} else {
		waits(ctx, db, waiting, done)
	}
	if _, err := owner.ExecContext(ctx, "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Logf("refused: %v", err)
	}
	var payload string
	if err := db.QueryRowContext(ctx, "SELECT payload FROM jobs").Scan(&payload); err != nil {
		t.Fatal(err)
	}
	return payload == "stale"
}

// TestRacesSQLite: writers of SQLite exclude each other, so a guard in another
// table is read and obeyed in one step.
func TestRacesSQLite(t *testing.T) {
	db := sqlite.open(t)
	for _, r := range crossTable {
		t.Run(r.name, func(t *testing.T) {
			v := fence.Prove(fsql.Parse(r.text, nil, fsql.SQLite).Statements[0].Mutations[0], func(fence.Arg) bool { return true })
			if admitted := playSecond(t, db, "PRAGMA busy_timeout = 10000;BEGIN IMMEDIATE", r.text, ""); admitted || v.RejectsStale != fence.Yes {
				t.Errorf("admitted %v, proved %v", admitted, v.RejectsStale)
			}
		})
	}
}

// TestRacesMariaDB shows that there the answer depends on the isolation level,
// which a statement does not tell: no proof.
func TestRacesMariaDB(t *testing.T) {
	db := mariadb.open(t)
	if _, err := db.Exec("CREATE DATABASE IF NOT EXISTS race"); err != nil {
		t.Fatal(err)
	}
	for _, level := range []string{"READ COMMITTED", "REPEATABLE READ"} {
		for _, r := range crossTable {
			t.Run(level+" "+r.name, func(t *testing.T) {
				v := fence.Prove(fsql.Parse(r.text, nil, fsql.MySQL).Statements[0].Mutations[0], func(fence.Arg) bool { return true })
				admitted := playSecond(t, db, "SET SESSION TRANSACTION ISOLATION LEVEL "+level+";BEGIN", r.text, "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'")
				t.Logf("admitted %v, proved %v", admitted, v.RejectsStale)
				if admitted && v.RejectsStale == fence.Yes {
					t.Error("proved, but the stale write was admitted")
				}
			})
		}
	}
}
