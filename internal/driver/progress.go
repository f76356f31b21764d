package driver

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/fencelint/fencelint/internal/rule"
)

const (
	progressDelay = 2 * time.Second        // shorter runs show nothing
	progressEvery = 200 * time.Millisecond // between two looks
	progressWidth = 79                     // a line that wraps cannot be erased
)

// progress is one line on a terminal about a run that takes long. It is erased when the
// run ends. A nil progress shows nothing.
type progress struct {
	w    io.Writer
	quit chan struct{}
	over sync.WaitGroup

	mu          sync.Mutex
	phase       string // what is done, as long as there is nothing to count
	done, total int
	current     string // package that was begun last

	shown string // line on the terminal, "" if there is none; used by run alone
}

// startProgress shows progress on standard error if that is a terminal.
func (t *Tool) startProgress() *progress {
	if f, ok := t.Stderr.(*os.File); !ok || !isTerminal(f) {
		return nil
	}
	return newProgress(t.Stderr)
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, quit: make(chan struct{}), phase: "loading packages"}
	p.over.Go(p.run)
	return p
}

// isTerminal takes every character device but the null device for a terminal.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

func (p *progress) run() {
	wait := time.NewTimer(progressDelay)
	defer wait.Stop()
	for {
		select {
		case <-p.quit:
			p.show("")
			return
		case <-wait.C:
			p.show(p.line())
			wait.Reset(progressEvery)
		}
	}
}

func (p *progress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.total == 0 {
		return "fencelint: " + p.phase
	}
	return fmt.Sprintf("fencelint: %d/%d packages, %s", p.done, p.total, p.current)
}

// show puts the line in the place of the last one.
func (p *progress) show(line string) {
	line = rule.Printable(line)
	if r := []rune(line); len(r) > progressWidth {
		line = string(r[:progressWidth-1]) + "…"
	}
	if line == p.shown {
		return
	}
	rest := strings.Repeat(" ", max(0, utf8.RuneCountInString(p.shown)-utf8.RuneCountInString(line)))
	p.shown = line
	if line == "" {
		rest += "\r"
	}
	fmt.Fprint(p.w, "\r"+line+rest)
}

// enter begins a phase in which nothing is counted.
func (p *progress) enter(phase string) {
	if p != nil {
		p.mu.Lock()
		p.phase = phase
		p.mu.Unlock()
	}
}

// count begins the phase in which packages are counted.
func (p *progress) count(total int) {
	if p != nil {
		p.mu.Lock()
		p.total = total
		p.mu.Unlock()
	}
}

func (p *progress) begin(pkg string) {
	if p != nil {
		p.mu.Lock()
		p.current = pkg
		p.mu.Unlock()
	}
}

func (p *progress) end() {
	if p != nil {
		p.mu.Lock()
		p.done++
		p.mu.Unlock()
	}
}

// stop erases the line and returns when it is gone.
func (p *progress) stop() {
	if p != nil {
		close(p.quit)
		p.over.Wait()
	}
}
