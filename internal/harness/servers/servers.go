//go:build unix

package servers

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Server is a running server.
type Server struct {
	// Addr is where it listens: 127.0.0.1:port.
	Addr string

	dir  string
	cmd  *exec.Cmd
	end  syscall.Signal // asks it to end without waiting for its clients
	done chan struct{}
	stop sync.Once
}

// start makes the directory of a server, has prepare fill it and say what to run, and
// waits until something listens.
func start(name string, end syscall.Signal, prepare func(dir string, port int) (*exec.Cmd, error)) (*Server, error) {
	dir, err := os.MkdirTemp("", "fence-"+name+"-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, end: end, done: make(chan struct{})}
	port, err := freePort()
	if err == nil {
		s.Addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		s.cmd, err = prepare(dir, port)
	}
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	go func() { _ = s.cmd.Wait(); close(s.done) }()
	if err := s.listens(); err != nil {
		s.Stop()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// listens waits until the server takes connections.
func (s *Server) listens() error {
	for range 300 {
		select {
		case <-s.done:
			return errors.New("the server ended")
		case <-time.After(100 * time.Millisecond):
		}
		if conn, err := net.Dial("tcp", s.Addr); err == nil {
			return conn.Close()
		}
	}
	return errors.New("the server does not answer")
}

// Stop ends the server and removes its directory.
func (s *Server) Stop() {
	s.stop.Do(func() {
		_ = s.cmd.Process.Signal(s.end)
		select {
		case <-s.done:
		case <-time.After(20 * time.Second):
			_ = s.cmd.Process.Kill()
			<-s.done
		}
		_ = os.RemoveAll(s.dir)
	})
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// find looks for a program in PATH, and in the places where packages put servers.
func find(name string) (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) > 0 {
		return found[len(found)-1], nil
	}
	return exec.LookPath(name)
}
