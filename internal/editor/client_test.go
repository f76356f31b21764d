package editor

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// frame is one message of the protocol, in either direction.
type frame struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// diagnostic is what the tests want to know of one.
type diagnostic struct {
	Range struct {
		Start struct{ Line, Character int }
	}
	Source, Message    string
	RelatedInformation []struct {
		Location struct {
			URI   string
			Range struct {
				Start struct{ Line int }
			}
		}
		Message string
	}
}

// published are the last diagnostics of a file, and when they came.
type published struct {
	list []diagnostic
	at   time.Time
}

// client is an editor that only types.
type client struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	write sync.Mutex

	mu      sync.Mutex
	changed chan struct{} // closed at the next message that the tests wait for
	last    map[string]published
	answers map[string]frame
	nextID  int
	version map[string]int
	fault   error
}

// start runs a server in dir and says hello.
func start(t *testing.T, dir string, cmd *exec.Cmd, settings map[string]any) *client {
	t.Helper()
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	cmd.Dir, cmd.Stderr = dir, t.Output()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	c := &client{
		t: t, cmd: cmd, in: in, changed: make(chan struct{}),
		last: make(map[string]published), answers: make(map[string]frame), version: make(map[string]int),
	}
	go c.read(bufio.NewReader(out))
	c.call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": uri(dir), "initializationOptions": settings,
		"workspaceFolders": []any{map[string]string{"uri": uri(dir), "name": "test"}},
		"capabilities": map[string]any{"textDocument": map[string]any{
			"publishDiagnostics": map[string]any{"relatedInformation": true},
		}},
	})
	c.notify("initialized", struct{}{})
	t.Cleanup(c.stop)
	return c
}

func (c *client) stop() {
	kill := time.AfterFunc(20*time.Second, func() { c.cmd.Process.Kill() })
	defer kill.Stop()
	c.call("shutdown", nil)
	c.notify("exit", nil)
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("the server ended with %v", err)
	}
}

func (c *client) send(f frame) {
	data, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		frame
	}{"2.0", f})
	if err == nil {
		c.write.Lock()
		_, err = fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(data), data)
		c.write.Unlock()
	}
	if err != nil {
		c.mu.Lock()
		c.fault = errors.Join(c.fault, err)
		c.mu.Unlock()
	}
}

func (c *client) notify(method string, params any) {
	data, err := json.Marshal(params)
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(frame{Method: method, Params: data})
}

// call asks the server and waits for the answer.
func (c *client) call(method string, params any) json.RawMessage {
	c.t.Helper()
	data, err := json.Marshal(params)
	if err != nil {
		c.t.Fatal(err)
	}
	c.nextID++
	id := strconv.Itoa(c.nextID)
	c.send(frame{ID: json.RawMessage(id), Method: method, Params: data})
	var answer frame
	c.wait("an answer to "+method, func() (ok bool) {
		answer, ok = c.answers[id]
		return ok
	})
	if len(answer.Error) > 0 {
		c.t.Fatalf("%s: %s", method, answer.Error)
	}
	return answer.Result
}

// patience is how long a server may be busy on a loaded machine.
const patience = 3 * time.Minute

// wait waits until ok, which is called with c.mu held, returns true.
func (c *client) wait(what string, ok func() bool) {
	c.t.Helper()
	timeout := time.After(patience)
	for {
		c.mu.Lock()
		done, changed, fault := ok(), c.changed, c.fault
		c.mu.Unlock()
		if done {
			return
		}
		if fault != nil {
			c.t.Fatalf("waiting for %s: %v", what, fault)
		}
		select {
		case <-changed:
		case <-timeout:
			c.t.Fatalf("no %s in %v; what the server said last: %v", what, patience, c.last)
		}
	}
}

// read takes what the server says, until it ends.
func (c *client) read(r *bufio.Reader) {
	for {
		f, err := readFrame(r)
		c.mu.Lock()
		switch {
		case err != nil:
			c.fault = errors.Join(c.fault, err)
		case f.Method == "":
			c.answers[string(f.ID)] = f
		case f.Method == "textDocument/publishDiagnostics":
			var p struct {
				URI         string
				Diagnostics []diagnostic
			}
			c.fault = errors.Join(c.fault, json.Unmarshal(f.Params, &p))
			c.last[p.URI] = published{p.Diagnostics, time.Now()}
		}
		close(c.changed)
		c.changed = make(chan struct{})
		c.mu.Unlock()
		if err != nil {
			return
		}
		if f.Method != "" && len(f.ID) > 0 { // the server asks; this editor has no opinions
			c.send(frame{ID: f.ID, Result: json.RawMessage("null")})
		}
	}
}

func readFrame(r *bufio.Reader) (f frame, err error) {
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return f, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return f, err
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(r, data); err != nil {
		return f, err
	}
	return f, json.Unmarshal(data, &f)
}

func uri(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// open shows a file, as it is on disk.
func (c *client) open(path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		c.t.Fatal(err)
	}
	c.version[path] = 1
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uri(path), "languageId": "go", "version": 1, "text": string(data),
	}})
}

// edit gives the buffer of an open file another text; the file stays as it is.
func (c *client) edit(path, text string) {
	c.version[path]++
	c.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": uri(path), "version": c.version[path]},
		"contentChanges": []any{map[string]string{"text": text}},
	})
}

func (c *client) close(path string) {
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]string{"uri": uri(path)}})
}

// saved says that a file has changed on disk.
func (c *client) saved(path string) {
	const changed = 2
	c.notify("workspace/didChangeWatchedFiles", map[string]any{
		"changes": []any{map[string]any{"uri": uri(path), "type": changed}},
	})
}

// find waits until the rule has reported n findings in the file, and returns them.
func (c *client) find(path, rule string, n int) published {
	c.t.Helper()
	var found published
	c.wait(fmt.Sprintf("%d × %s in %s", n, rule, filepath.Base(path)), func() bool {
		p, ok := c.last[uri(path)]
		found = published{at: p.at}
		for _, d := range p.list {
			if d.Source == rule {
				found.list = append(found.list, d)
			}
		}
		return ok && len(found.list) == n
	})
	return found
}
