//go:build unix

package reports_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"fencelint.example/reports"
	"fencelint.example/reports/fenced"
	"fencelint.example/reports/internal/servers"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// report is the number of the only report in a test's database.
const report = 7

var (
	postgres  *servers.Postgres // nil if there is none on this machine
	etcd      *servers.Etcd
	scratch   string // a folder that is removed at the end
	databases atomic.Int64
)

func TestMain(m *testing.M) { os.Exit(withServers(m)) }

func withServers(m *testing.M) int {
	ctx := context.Background()
	var err error
	if scratch, err = os.MkdirTemp("", "reports-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(scratch)
	pg, err := servers.StartPostgres(ctx)
	switch {
	case err == nil:
		postgres = pg
		defer pg.Stop()
	case !errors.Is(err, servers.ErrNoPostgres):
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if etcd, err = servers.StartEtcd(ctx, 1); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer etcd.Stop()
	return m.Run()
}

// database makes an empty database with the one report, and returns its name too.
func database(t *testing.T) (*sql.DB, string) {
	t.Helper()
	if postgres == nil {
		t.Skip(servers.ErrNoPostgres)
	}
	name := fmt.Sprintf("test%d", databases.Add(1))
	root := open(t, "postgres")
	if _, err := root.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	db := open(t, name)
	if err := reports.Create(t.Context(), db, report); err != nil {
		t.Fatal(err)
	}
	return db, name
}

func open(t *testing.T, database string) *sql.DB {
	t.Helper()
	return openURL(t, postgres.URL(database))
}

func openURL(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// session opens a session of its own connection to etcd, under a name that no other
// test locks.
func session(t *testing.T, ttl int, endpoints ...string) *concurrency.Session {
	t.Helper()
	cli, err := servers.Dial(endpoints...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cli.Close() })
	s, err := concurrency.NewSession(cli, concurrency.WithTTL(ttl))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// writer is what both kinds of writers do.
type writer interface {
	Write(ctx context.Context, id int64, render func(context.Context) (string, error)) error
}

// attempt is a call of Write that waits in the middle of its work.
type attempt struct {
	rendering chan struct{} // closed when the lock is held
	proceed   chan struct{} // closed when the work may be finished
	result    chan error
}

// begin starts to write body and returns when the lock is held.
func begin(t *testing.T, ctx context.Context, w writer, body string) *attempt {
	t.Helper()
	a := &attempt{make(chan struct{}), make(chan struct{}), make(chan error, 1)}
	go func() {
		a.result <- w.Write(ctx, report, func(context.Context) (string, error) {
			close(a.rendering)
			<-a.proceed
			return body, nil
		})
	}()
	select {
	case <-a.rendering:
	case err := <-a.result:
		t.Fatalf("%s does not get as far as its work: %v", body, err)
	}
	return a
}

// finish lets an attempt go on and returns how it ended.
func (a *attempt) finish() error {
	close(a.proceed)
	return <-a.result
}

// write writes body without a pause.
func write(ctx context.Context, w writer, body string) error {
	return w.Write(ctx, report, func(context.Context) (string, error) { return body, nil })
}

func fencedWriter(s *concurrency.Session, db *sql.DB) writer {
	return fenced.Writer{Session: s, Store: fenced.Store{DB: db}}
}

// revoke ends the lease of a session while its owner does not look.
func revoke(t *testing.T, s *concurrency.Session) {
	t.Helper()
	if _, err := s.Client().Revoke(t.Context(), clientv3.LeaseID(s.Lease())); err != nil {
		t.Fatal(err)
	}
}

func wantBody(t *testing.T, db *sql.DB, want string) {
	t.Helper()
	got, err := reports.Body(t.Context(), db, report)
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(got) != want {
		t.Errorf("the report reads %q, want %q", got, want)
	}
}

func wantRefused(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, fenced.ErrRefused) {
		t.Errorf("%s: %v, want a refusal", what, err)
	}
}
