package editor

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// delay is what gopls waits after an edit before it looks; an editor's default is 1s.
const delay = 50 * time.Millisecond

// guard is what stops an obsolete owner in the statement of postgres.go.
const guard = " AND fence < $2"

// TestLive types in unsaved buffers and waits for findings to come and go.
func TestLive(t *testing.T) {
	command := server(t)
	dir := program(t)
	begin := time.Now()
	c := start(t, dir, exec.Command(command[0], command[1:]...), map[string]any{"diagnosticsDelay": delay.String()})
	in := func(name string) string { return filepath.Join(dir, "settle", "fenced", filepath.FromSlash(name)) }
	main, service, postgres := in("main.go"), in("service/service.go"), in("postgres/postgres.go")
	for _, f := range []string{main, service, postgres, in("wire/wire.go")} {
		c.open(f)
	}

	// In the package that is edited: a lock that nobody has classified.
	text, less := without(t, service, "\t//fencelint:lock correctness\n")
	c.edit(service, less)
	first := c.find(service, "lockclass", 1)
	record(t, "first finding %d ms after the start of the server", first.at.Sub(begin).Milliseconds())
	c.edit(service, text)
	c.find(service, "lockclass", 0)

	// In another package: main joins the lock of service with the statement of postgres,
	// and hears of either only by the facts that come through wire.
	text, less = without(t, postgres, guard)
	c.edit(postgres, less)
	d := c.find(main, "tokennotcompared", 1).list[0]
	textAt(t, main, d.Range.Start.Line, "settler := service.New(session, wire.Store(db))")
	related(t, d, dir)
	c.edit(postgres, text)
	c.find(main, "tokennotcompared", 0)

	latency(t, c, "edit in the same package", service, service, "lockclass", "\t//fencelint:lock correctness\n")
	latency(t, c, "edit two packages away", postgres, main, "tokennotcompared", guard)

	// From code that is on disk and in no buffer.
	c.close(postgres)
	put(t, postgres, less)
	c.saved(postgres)
	c.find(main, "tokennotcompared", 1)
	put(t, postgres, text)
	c.saved(postgres)
	c.find(main, "tokennotcompared", 0)
	memory(t, c)
}

// textAt checks the text of a line of a file.
func textAt(t *testing.T, name string, n int, want string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(string(data), "\n")[n]; !strings.Contains(got, want) {
		t.Errorf("a finding on line %q, want %q", got, want)
	}
}

// related checks that a finding leads to the lock and to the write in the other packages.
func related(t *testing.T, d diagnostic, dir string) {
	t.Helper()
	all := ""
	for _, r := range d.RelatedInformation {
		file, found := strings.CutPrefix(r.Location.URI, uri(dir)+"/")
		if !found {
			t.Errorf("%q is outside of the program: %s", r.Message, r.Location.URI)
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			t.Error(err)
			continue
		}
		lines := strings.Split(string(data), "\n")
		all += fmt.Sprintf("%s: %s\n", file, lines[min(r.Location.Range.Start.Line, len(lines)-1)])
	}
	for _, want := range []string{"mu.Lock(ctx)", "s.db.ExecContext(ctx,"} {
		if !strings.Contains(all, want) {
			t.Errorf("the finding does not lead to %q, but to\n%s", want, all)
		}
	}
}

// rounds is how often an edit is made and taken back.
const rounds = 9

// maxLatency is how long a finding may take above what the editor waits by itself.
const maxLatency = 500 * time.Millisecond

// latency measures from an edit to the finding that follows from it.
func latency(t *testing.T, c *client, what, edited, shown, rule, piece string) {
	t.Helper()
	text, less := without(t, edited, piece)
	var took []time.Duration
	before := cpu(c)
	for i := range 2 * rounds {
		begin := time.Now()
		// A blank line more each time: gopls knows the answer for a text that it has seen.
		news := strings.Repeat("\n", i+1)
		if i%2 == 0 {
			c.edit(edited, less+news)
		} else {
			c.edit(edited, text+news)
		}
		took = append(took, c.find(shown, rule, 1-i%2).at.Sub(begin)-delay)
	}
	used := (cpu(c) - before) / (2 * rounds)
	slices.Sort(took)
	median := took[len(took)/2]
	record(t, "%s: median %d ms, worst %d ms, above the delay of %v; %d ms of CPU time an edit",
		what, median.Milliseconds(), took[len(took)-1].Milliseconds(), delay, used.Milliseconds())
	// On a machine that is busy with something else the wait is not ours.
	if median > maxLatency && used > maxLatency {
		t.Errorf("%s: the median of %v, and %v of CPU time, are more than %v", what, median, used, maxLatency)
	}
	c.edit(edited, text)
	c.find(shown, rule, 0)
}

// cpu is the CPU time that the server has used, 0 where the system does not tell.
func cpu(c *client) time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	var user, system int64
	_, rest, _ := strings.Cut(string(data), ") ")
	if f := strings.Fields(rest); len(f) > 12 {
		fmt.Sscan(f[11]+" "+f[12], &user, &system)
	}
	const tick = 10 * time.Millisecond
	return time.Duration(user+system) * tick
}

func memory(t *testing.T, c *client) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		t.Logf("no memory figures on %s: %v", runtime.GOOS, err)
		return
	}
	for l := range strings.Lines(string(data)) {
		if v, ok := strings.CutPrefix(l, "VmHWM:"); ok {
			record(t, "the server's peak memory: %s", strings.TrimSpace(v))
		}
	}
}

// record logs a figure, and adds it to the file that FENCELINT_REPORT names: go test
// itself shows no logs of tests that pass.
func record(t *testing.T, format string, args ...any) {
	t.Helper()
	t.Logf(format, args...)
	name := os.Getenv("FENCELINT_REPORT")
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "%s: %s\n", t.Name(), fmt.Sprintf(format, args...)); err != nil {
		t.Error(err)
	}
}
