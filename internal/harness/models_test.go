package harness

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/harness/kit"
)

// houseClient is a lock service of one's own, in a module that no model covers, and
// houseApp a program that fences its write with what the client gives.
const (
	houseClient = `package lock

import (
	"context"
	"net"
	"time"
)

type Client struct{ conn net.Conn }

type Lease struct{ epoch int64 }

func Dial(addr string) (*Client, error) {
	conn, err := net.Dial("tcp", addr)
	return &Client{conn}, err
}

func (c *Client) Acquire(ctx context.Context, key string, ttl time.Duration) (*Lease, error) {
	_, err := c.conn.Write([]byte(key))
	return &Lease{}, err
}

func (l *Lease) Epoch() int64                      { return l.epoch }
func (l *Lease) Lost() <-chan struct{}             { return nil }
func (l *Lease) Release(ctx context.Context) error { return nil }
`
	houseApp = `package main

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"toy.example/house/lock"
)

func settle(ctx context.Context, c *lock.Client, db *sql.DB) error {
	//fencelint:lock correctness
	l, err := c.Acquire(ctx, "till", time.Minute)
	if err != nil {
		return err
	}
	defer l.Release(ctx)
	res, err := db.ExecContext(ctx, "UPDATE tills SET open = false, fence = $1 WHERE id = 1 AND fence < $1", l.Epoch())
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("stale"), err)
	}
	return nil
}

func main() { _ = settle(context.Background(), nil, nil) }
`
)

// TestDraftLeadsToAProof: before there is a model nothing is known of the lock; the draft
// makes it a lock whose number proves nothing; the answers of a person make it a fence.
func TestDraftLeadsToAProof(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "house/go.mod", "module toy.example/house\n\ngo 1.26\n")
	writeFile(t, dir, "house/lock/lock.go", houseClient)
	writeFile(t, dir, "app/go.mod", "module toy.example/app\n\ngo 1.26\n\nrequire toy.example/house v0.0.0\n\nreplace toy.example/house => ../house\n")
	writeFile(t, dir, "app/main.go", houseApp)
	run := func(command string) string {
		cmd := exec.Command("bash", "-c", "cd app && "+strings.ReplaceAll(command, "fencelint ", kit.Tool(t)+" "))
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for _, c := range []struct{ command, want, not string }{
		{"fencelint ./...", "no lock that fencelint knows", ""},
		{"fencelint models add toy.example/house/lock >fencelint.yaml", "drafted rows about locks: 5, about writes: 0", "there is a"},
		{"fencelint models check ./...", "places that match nothing: 0", ""},
		{"fencelint ./...", "(opaquetoken)", ""},
		{"sed -i.old 's/class: opaque/class: epoch/; s/durability: unknown/durability: consensus/' fencelint.yaml; fencelint ./...; echo code $?", "code 0", "main.go"},
		{"fencelint register ./...", "proved", "refuted"},
	} {
		if got := run(c.command); !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s\ngot\n%s\nwant %q, not %q", c.command, got, c.want, c.not)
		}
	}
}
