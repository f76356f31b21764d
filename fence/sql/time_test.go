package sql

import (
	"cmp"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fencelint/fencelint/fence"
)

// timed are all statements of the tables, with their dialects and tokens.
func timed(t *testing.T) []expectation {
	t.Helper()
	var out []expectation
	for file, at := range map[string]struct{ dialect, text, token int }{"testdata/corpus.tsv": {0, 2, 1}, "testdata/judged.tsv": {1, 2, 3}} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
			if line[0] == '#' || f[0] == "id" || len(f) < 4 {
				continue
			}
			d := Dialect(f[at.dialect])
			out = append(out, expectation{f[at.text], cmp.Or(shortDialect[string(d)], d), strings.Fields(f[at.token])})
		}
	}
	return out
}

type expectation struct {
	text    string
	dialect Dialect
	tokens  []string
}

// TestTime: reading and proving a statement takes at most 100 µs, at the median. Of each
// the best of several runs counts, so that a busy machine does not matter.
func TestTime(t *testing.T) {
	all := timed(t)
	took := make([]time.Duration, len(all))
	for i, x := range all {
		text, holes := Marked(x.text)
		token := func(a fence.Arg) bool { return slices.Contains(x.tokens, string(a)) }
		for n := range 20 {
			start := time.Now()
			for _, st := range Parse(text, holes, x.dialect).Statements {
				for _, m := range st.Mutations {
					fence.Prove(m, token)
				}
			}
			if d := time.Since(start); n == 0 || d < took[i] {
				took[i] = d
			}
		}
	}
	slices.Sort(took)
	at := func(part int) time.Duration { return took[(len(took)-1)*part/100] }
	t.Logf("%d statements: median %v, 90 %% %v, 99 %% %v, longest %v", len(took), at(50), at(90), at(99), at(100))
	if at(50) > 100*time.Microsecond {
		t.Errorf("the median is above 100 µs")
	}
}

var initLine = regexp.MustCompile(`init github\.com/fencelint/fencelint/(\S+) @\S+ ms, (\S+) ms clock`)

// TestStart: what the proof adds to the start of each process, before it is asked
// anything, takes at most a millisecond.
func TestStart(t *testing.T) {
	best := -1.0
	for range 5 {
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		sum := 0.0
		for _, m := range initLine.FindAllStringSubmatch(string(out), -1) {
			ms, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += ms
		}
		if best < 0 || sum < best {
			best = sum
		}
	}
	t.Logf("initialisation of the packages that are linked here: %.3f ms", best)
	if best > 1 {
		t.Errorf("more than a millisecond")
	}
}
