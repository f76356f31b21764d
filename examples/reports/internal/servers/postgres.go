//go:build unix

// Package servers starts what the example needs, on loopback and in temporary folders:
// a PostgreSQL, an etcd and a bank. Whoever starts one stops it.
package servers

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// ErrNoPostgres says that the programs of a PostgreSQL server are not installed.
var ErrNoPostgres = errors.New("no PostgreSQL server in /usr/lib/postgresql/*/bin or PATH (Debian: apt-get install postgresql)")

// Postgres is a running server.
type Postgres struct {
	bin, dir string
	port     int
	cmd      *exec.Cmd
	log      bytes.Buffer
	gone     chan struct{} // closed when the server has ended
}

// StartPostgres makes an empty server and waits until it answers.
func StartPostgres(ctx context.Context) (*Postgres, error) {
	bin, err := postgresPrograms()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "reports-postgres-")
	if err != nil {
		return nil, err
	}
	p := &Postgres{bin: bin, dir: dir, gone: make(chan struct{})}
	if err := p.start(ctx); err != nil {
		p.Stop()
		return nil, err
	}
	return p, nil
}

func (p *Postgres) start(ctx context.Context) error {
	account, err := unprivileged()
	if err != nil {
		return err
	}
	if account != nil {
		if err := os.Chown(p.dir, int(account.Uid), int(account.Gid)); err != nil {
			return err
		}
	}
	data := filepath.Join(p.dir, "data")
	initdb := p.program(account, "initdb", "-D", data, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if p.port, err = freePort(); err != nil {
		return err
	}
	p.cmd = p.program(account, "postgres", "-D", data, "-p", strconv.Itoa(p.port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off")
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	if err := p.cmd.Start(); err != nil {
		p.cmd = nil
		return err
	}
	go func() {
		p.cmd.Wait()
		close(p.gone)
	}()
	return p.ready(ctx)
}

// program is one of PostgreSQL's own, run by an account that it accepts.
func (p *Postgres) program(account *syscall.Credential, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.bin, name), args...)
	cmd.Dir = p.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: account}
	return cmd
}

func (p *Postgres) ready(ctx context.Context) error {
	db, err := sql.Open("pgx", p.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		if err = db.PingContext(ctx); err == nil {
			return nil
		}
		select {
		case <-p.gone:
			return fmt.Errorf("postgres ended: %s", p.log.Bytes())
		case <-ctx.Done():
			return fmt.Errorf("postgres does not answer: %w", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// URL says how to connect to one of the server's databases.
func (p *Postgres) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", p.port, database)
}

// Run runs one of PostgreSQL's programs for clients against a database, and returns
// what it prints.
func (p *Postgres) Run(ctx context.Context, input []byte, database, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, name), append(args, "--dbname="+p.URL(database))...)
	cmd.Stdin = bytes.NewReader(input)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", name, err, errs.Bytes())
	}
	return out, nil
}

// Stop ends the server and removes its files.
func (p *Postgres) Stop() {
	if p.cmd != nil {
		p.cmd.Process.Signal(syscall.SIGINT) // end sessions, write nothing half
		select {
		case <-p.gone:
		case <-time.After(10 * time.Second):
			p.cmd.Process.Kill()
			<-p.gone
		}
	}
	os.RemoveAll(p.dir)
}

// postgresPrograms is the folder of the newest server that is installed.
func postgresPrograms() (string, error) {
	best, version := "", -1.0
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	for _, name := range found {
		bin := filepath.Dir(name)
		if v, err := strconv.ParseFloat(filepath.Base(filepath.Dir(bin)), 64); err == nil && v > version {
			best, version = bin, v
		}
	}
	if best != "" {
		return best, nil
	}
	name, err := exec.LookPath("initdb")
	if err != nil {
		return "", ErrNoPostgres
	}
	return filepath.Dir(name), nil
}

// unprivileged is the account that the server runs under if we are root, which it
// refuses to be; else nil.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(err1, err2)
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is neither an account postgres nor nobody")
}

// freePort is one that nobody listens on at the moment.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
