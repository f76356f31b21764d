package oracle

import (
	"database/sql"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/harness/servers"
)

// database is a database that this process started, or why there is none.
type database struct {
	dialect fsql.Dialect
	driver  string
	start   func(d *database) (dsn string, err error)

	once   sync.Once
	db     *sql.DB
	why    error
	dir    string          // of a database that is a file
	server *servers.Server // else
}

var (
	postgres = &database{dialect: fsql.Postgres, driver: "pgx", start: startPostgres}
	mariadb  = &database{dialect: fsql.MySQL, driver: "mysql", start: startMariaDB}
	sqlite   = &database{dialect: fsql.SQLite, driver: "sqlite", start: startSQLite}

	databases = []*database{postgres, mariadb, sqlite}
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, d := range databases {
		d.stop()
	}
	os.Exit(code)
}

// open starts the server once and connects; without a server the test is skipped.
func (d *database) open(t testing.TB) *sql.DB {
	t.Helper()
	d.once.Do(func() { d.why = d.connect() })
	if d.why != nil {
		t.Skipf("no %s: %v", d.dialect, d.why)
	}
	return d.db
}

func (d *database) connect() error {
	dsn, err := d.start(d)
	if err != nil {
		return err
	}
	if d.db, err = sql.Open(d.driver, dsn); err != nil {
		return err
	}
	for range 100 {
		if err = d.db.Ping(); err == nil {
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return err
}

func (d *database) stop() {
	if d.db != nil {
		d.db.Close()
	}
	if d.server != nil {
		d.server.Stop()
	}
	if d.dir != "" {
		_ = os.RemoveAll(d.dir)
	}
}

func startPostgres(d *database) (dsn string, err error) {
	if d.server, err = servers.StartPostgres(); err != nil {
		return "", err
	}
	return "postgres://postgres@" + d.server.Addr + "/postgres?sslmode=disable&default_query_exec_mode=simple_protocol", nil
}

func startMariaDB(d *database) (dsn string, err error) {
	if d.server, err = servers.StartMariaDB(); err != nil {
		return "", err
	}
	return "root@tcp(" + d.server.Addr + ")/mysql?interpolateParams=true&clientFoundRows=true", nil
}

func startSQLite(d *database) (dsn string, err error) {
	d.dir, err = os.MkdirTemp("", "fence-sqlite-")
	return filepath.Join(d.dir, "test.db"), err
}
