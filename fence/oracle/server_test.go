package oracle

import (
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	fsql "github.com/fencelint/fencelint/fence/sql"
)

// database is a server that this process started, or why there is none.
type database struct {
	dialect fsql.Dialect
	driver  string
	start   func(dir string) (dsn string, err error)

	once sync.Once
	db   *sql.DB
	why  error
	dir  string
	proc *exec.Cmd
}

var (
	postgres = &database{dialect: fsql.Postgres, driver: "pgx"}
	mariadb  = &database{dialect: fsql.MySQL, driver: "mysql"}
	sqlite   = &database{dialect: fsql.SQLite, driver: "sqlite"}

	databases = []*database{postgres, mariadb, sqlite}
)

func TestMain(m *testing.M) {
	postgres.start = postgres.startPostgres
	mariadb.start = mariadb.startMariaDB
	sqlite.start = func(dir string) (string, error) { return filepath.Join(dir, "test.db"), nil }
	code := m.Run()
	for _, d := range databases {
		d.stop()
	}
	os.Exit(code)
}

// open starts the server once and connects; without a server the test is skipped.
func (d *database) open(t testing.TB) *sql.DB {
	t.Helper()
	d.once.Do(func() {
		if d.dir, d.why = os.MkdirTemp("", "fence-"+string(d.dialect)); d.why != nil {
			return
		}
		var dsn string
		if dsn, d.why = d.start(d.dir); d.why != nil {
			return
		}
		if d.db, d.why = sql.Open(d.driver, dsn); d.why != nil {
			return
		}
		for i := 0; i < 100; i++ {
			if d.why = d.db.Ping(); d.why == nil {
				return
			}
			time.Sleep(200 * time.Millisecond)
		}
	})
	if d.why != nil {
		t.Skipf("no %s: %v", d.dialect, d.why)
	}
	return d.db
}

func (d *database) stop() {
	if d.db != nil {
		d.db.Close()
	}
	if d.proc != nil && d.proc.Process != nil {
		sig := syscall.SIGTERM
		if d.driver == "pgx" {
			sig = syscall.SIGINT // fast shutdown
		}
		_ = d.proc.Process.Signal(sig)
		done := make(chan struct{})
		go func() { _ = d.proc.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			_ = d.proc.Process.Kill()
			<-done
		}
	}
	if d.dir != "" {
		_ = os.RemoveAll(d.dir)
	}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// find looks for a program in PATH and in the places where packages put servers.
func find(name string) (string, error) {
	if p, err := exec.LookPath(name); err == nil && name != "initdb" {
		return p, nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) > 0 {
		return found[len(found)-1], nil
	}
	return exec.LookPath(name)
}

// unprivileged makes cmd run as another user: PostgreSQL refuses to run as root.
func unprivileged(cmd *exec.Cmd, dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return err
		}
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	cmd.Dir = dir
	return os.Chown(dir, uid, gid)
}

func (d *database) startPostgres(dir string) (string, error) {
	initdb, err := find("initdb")
	if err != nil {
		return "", err
	}
	server := filepath.Join(filepath.Dir(initdb), "postgres")
	data := filepath.Join(dir, "data")
	init := exec.Command(initdb, "-D", data, "-A", "trust", "-U", "postgres", "-N", "--locale=C", "-E", "UTF8")
	if err := unprivileged(init, dir); err != nil {
		return "", err
	}
	if out, err := init.CombinedOutput(); err != nil {
		return "", fmt.Errorf("initdb: %v: %s", err, out)
	}
	port, err := freePort()
	if err != nil {
		return "", err
	}
	d.proc = exec.Command(server, "-D", data, "-p", strconv.Itoa(port), "-c", "listen_addresses=127.0.0.1", "-k", dir, "-c", "fsync=off",
		"-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "shared_buffers=16MB")
	if err := unprivileged(d.proc, dir); err != nil {
		return "", err
	}
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable&default_query_exec_mode=simple_protocol", port), d.proc.Start()
}

func (d *database) startMariaDB(dir string) (string, error) {
	server, err := find("mariadbd")
	if err != nil {
		return "", err
	}
	install, err := find("mariadb-install-db")
	if err != nil {
		return "", err
	}
	data, sock := filepath.Join(dir, "data"), filepath.Join(dir, "s")
	args := []string{"--no-defaults", "--datadir=" + data}
	if os.Geteuid() == 0 {
		args = append(args, "--user=root")
	}
	init := exec.Command(install, append(args, "--auth-root-authentication-method=normal", "--skip-test-db")...)
	if out, err := init.CombinedOutput(); err != nil {
		return "", fmt.Errorf("mariadb-install-db: %v: %s", err, out)
	}
	port, err := freePort()
	if err != nil {
		return "", err
	}
	d.proc = exec.Command(server, append(args, "--bind-address=127.0.0.1", "--port="+strconv.Itoa(port), "--socket="+sock,
		"--pid-file="+filepath.Join(dir, "pid"), "--skip-name-resolve", "--innodb-buffer-pool-size=16M", "--innodb-flush-log-at-trx-commit=0")...)
	return fmt.Sprintf("root@tcp(127.0.0.1:%d)/mysql?interpolateParams=true&clientFoundRows=true", port), d.proc.Start()
}
