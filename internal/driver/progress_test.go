package driver

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// screen is what a terminal of one line shows after the text.
func screen(text string) string {
	var line []rune
	at := 0
	for _, c := range text {
		if c == '\r' {
			at = 0
			continue
		}
		for len(line) <= at {
			line = append(line, ' ')
		}
		line[at] = c
		at++
	}
	return strings.TrimRight(string(line), " ")
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := newProgress(&b)
		want := func(s string) {
			t.Helper()
			synctest.Wait()
			if got := screen(b.String()); got != s {
				t.Errorf("shows %q, want %q", got, s)
			}
		}
		time.Sleep(progressDelay - time.Millisecond)
		want("")
		time.Sleep(2 * time.Millisecond)
		want("fencelint: loading packages")
		p.enter("compiling imports")
		time.Sleep(progressEvery)
		want("fencelint: compiling imports")
		p.count(12)
		p.begin("example.com/" + strings.Repeat("long/", 20))
		time.Sleep(progressEvery)
		if got := screen(b.String()); len([]rune(got)) != progressWidth || !strings.HasPrefix(got, "fencelint: 0/12 packages, example.com/long/") {
			t.Errorf("shows %q", got)
		}
		p.end()
		p.begin("b")
		time.Sleep(progressEvery)
		want("fencelint: 1/12 packages, b")
		p.stop()
		want("")
		if !strings.HasSuffix(b.String(), "\r") {
			t.Error("the next line does not begin at the margin")
		}
	})
}

func TestProgressOfAShortRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := newProgress(&b)
		p.count(1)
		time.Sleep(progressDelay / 2)
		p.stop()
		if b.Len() != 0 {
			t.Errorf("a short run shows %q", b.String())
		}
	})
}

// Only a terminal has a line that can be erased.
func TestProgressElsewhere(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for name, w := range map[string]io.Writer{"file": file, "null device": null, "buffer": new(bytes.Buffer)} {
		p := (&Tool{Stderr: w}).startProgress()
		if p != nil {
			t.Errorf("%s: taken for a terminal", name)
		}
		p.enter("x")
		p.count(1)
		p.begin("x")
		p.end()
		p.stop()
	}
}
