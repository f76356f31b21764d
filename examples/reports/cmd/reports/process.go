//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"fencelint.example/reports/internal/servers"
)

// process is a writer that runs.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// environment tells writers where the servers are.
func environment(pg *servers.Postgres, etcd *servers.Etcd, bank *servers.Bank) []string {
	return append(os.Environ(),
		"REPORTS_POSTGRES="+pg.URL("postgres"),
		"REPORTS_ETCD="+strings.Join(etcd.Endpoints(), ","),
		"REPORTS_BANK="+bank.URL)
}

// start runs this program once more, as a writer.
func (s *story) start(ctx context.Context, kind string, id int64, name string) *process {
	p := &process{}
	if s.err != nil {
		return p
	}
	self, err := os.Executable()
	if err != nil {
		s.err = err
		return p
	}
	cmd := exec.CommandContext(ctx, self, "writer", kind, strconv.FormatInt(id, 10), name)
	cmd.Env, cmd.Stderr = s.env, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		s.err = err
		return p
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.err = err
		return p
	}
	if s.err = cmd.Start(); s.err == nil {
		p.cmd, p.in, p.out = cmd, in, bufio.NewScanner(out)
	}
	return p
}

// hear waits for the next line of a writer and passes it on.
func (s *story) hear(p *process) {
	if s.err != nil {
		return
	}
	if !p.out.Scan() {
		s.err = fmt.Errorf("a writer ended early: %w", p.cmd.Wait())
		return
	}
	s.say("  %s", p.out.Text())
}

// proceed lets a writer finish its work.
func (p *process) proceed() {
	if p.cmd != nil {
		fmt.Fprintln(p.in)
	}
}

// freeze stops a writer where it stands, as a frozen machine would; thaw wakes it up.
func (p *process) freeze() { p.signal(syscall.SIGSTOP) }
func (p *process) thaw()   { p.signal(syscall.SIGCONT) }

func (p *process) signal(s syscall.Signal) {
	if p.cmd != nil {
		p.cmd.Process.Signal(s)
	}
}

// end waits for a writer that has said all, and kills one that has not.
func (p *process) end() {
	if p.cmd == nil {
		return
	}
	p.in.Close()
	p.thaw()
	p.cmd.Wait()
}
