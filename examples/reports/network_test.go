//go:build unix

package reports_test

import (
	"bytes"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"sync"
	"testing"
	"time"
)

// slow is a way to PostgreSQL that keeps back one message and whatever follows it.
type slow struct {
	url    string // of the database, through this way
	server string
	text   []byte // stands in the message to keep back
	answer chan string

	mu     sync.Mutex
	holder net.Conn // the connection to the server that has something to come
	held   []byte
}

// slowPath opens a way to the database at target. Once a message with text has been
// sent, it takes no new connections, as if the network were down.
func slowPath(t *testing.T, target, text string) *slow {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s := &slow{server: u.Host, text: []byte(text), answer: make(chan string, 1)}
	u.Host = l.Addr().String()
	s.url = u.String()
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go s.connect(client)
		}
	}()
	return s
}

func (s *slow) connect(client net.Conn) {
	defer client.Close()
	if s.kept(nil, nil) {
		return
	}
	server, err := net.Dial("tcp", s.server)
	if err != nil {
		return
	}
	go s.answers(client, server)
	buf := make([]byte, 1<<16)
	for {
		n, err := client.Read(buf)
		kept := s.kept(server, buf[:n])
		if !kept {
			server.Write(buf[:n])
		}
		if err != nil {
			if !kept {
				server.Close()
			}
			return
		}
	}
}

// kept reports whether the connection to server is the one that is kept back, and if so
// keeps data. Without a server it reports whether there is such a connection.
func (s *slow) kept(server net.Conn, data []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if server == nil {
		return s.holder != nil
	}
	if s.holder == nil && bytes.Contains(data, s.text) {
		s.holder = server
	}
	if s.holder != server {
		return false
	}
	s.held = append(s.held, data...)
	return true
}

var completed = regexp.MustCompile(`UPDATE \d+`)

// answers carries what server says to client, who may be gone.
func (s *slow) answers(client, server net.Conn) {
	defer server.Close()
	buf := make([]byte, 1<<16)
	for {
		n, err := server.Read(buf)
		if tag := completed.Find(buf[:n]); tag != nil && s.kept(server, nil) {
			s.answer <- string(tag)
			return
		}
		client.Write(buf[:n])
		if err != nil {
			return
		}
	}
}

// deliver lets the message through at last, and returns what PostgreSQL says to it.
func (s *slow) deliver() string {
	s.mu.Lock()
	server, held := s.holder, s.held
	s.mu.Unlock()
	if server == nil {
		return "nothing: no message was sent"
	}
	server.Write(held)
	select {
	case tag := <-s.answer:
		return tag
	case <-time.After(10 * time.Second):
		return "nothing in ten seconds"
	}
}

// client is one that does not repeat requests by itself, as net/http may do on a
// connection that it uses again.
func client(t *testing.T) *http.Client {
	transport := &http.Transport{DisableKeepAlives: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}
