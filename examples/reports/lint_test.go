//go:build unix

package reports_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestFindings: what fencelint reports about this module is what the other tests show to
// go wrong, and nothing else.
func TestFindings(t *testing.T) {
	var findings []struct {
		File string
		Line int
		Rule string
	}
	decode(t, fencelint(t, 1, "-o", "json", "./..."), &findings)
	var got []string
	for _, f := range findings {
		got = append(got, place(f.File, f.Line)+" "+f.Rule)
	}
	want := []string{
		line(t, "fenced/repair.go", "s.DB.ExecContext(") + " bypasswrite",
		line(t, "unfenced/unfenced.go", "w.DB.ExecContext(") + " unfencedwrite",
		line(t, "unfenced/unfenced.go", "w.Bank.Pay(") + " unstableidempotency",
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("fencelint reports\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// TestRegister: both writes of the fenced writer are proved, for the right reason.
func TestRegister(t *testing.T) {
	var locks []struct {
		File, Class string
		Line        int
		Boundaries  []struct {
			File, Receiver, Guard, Verdict string
			Line                           int
		}
	}
	decode(t, fencelint(t, 0, "register", "-o", "json", "./..."), &locks)
	acquired := line(t, "fenced/fenced.go", "mu.Lock(ctx)")
	var got []string
	for _, l := range locks {
		if place(l.File, l.Line) != acquired {
			continue
		}
		if l.Class != "correctness" {
			t.Errorf("the lock of the fenced writer has class %q", l.Class)
		}
		for _, b := range l.Boundaries {
			if strings.HasPrefix(b.Receiver, "table:") {
				got = append(got, fmt.Sprint(place(b.File, b.Line), " ", b.Receiver, " ", b.Guard, " ", b.Verdict))
			}
		}
	}
	want := []string{
		line(t, "fenced/fenced.go", "s.DB.QueryRowContext(") + " table:report_result fence proved",
		line(t, "fenced/fenced.go", "s.DB.ExecContext(") + " table:report_result fence proved",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the register says\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// TestPlantedFaults: each of these changes lets an obsolete owner or a repetition through,
// and is named by the one rule that it breaks.
func TestPlantedFaults(t *testing.T) {
	good, err := os.ReadFile("fenced/fenced.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		rule    string
		changes []string // what is there, what comes instead, and so on
	}{
		{"staleadmitted", []string{"last_fence = $2 AND", "last_fence >= $2 AND"}},
		{"equaladmitted", []string{" AND version = $3", " AND $3 >= 0"}},
		{"rejectionignored", []string{"return 0, ErrRefused", "return 0, nil"}},
		{"rejectionignored", []string{"return ErrRefused\n\t}\n\treturn nil", "return nil\n\t}\n\treturn nil"}},
		{"opaquetoken", []string{"mu.Header().Revision", "int64(w.Session.Lease())"}},
		{"clocktoken", []string{"mu.Header().Revision", "time.Now().UnixNano()", `"fmt"`, `"fmt"; "time"`}},
		{"writeafterrelease", []string{"defer mu.Unlock(context.WithoutCancel(ctx))", "", "\treturn w.Store.Commit", "\tmu.Unlock(ctx)\n\treturn w.Store.Commit"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			bad := strings.NewReplacer(test.changes...).Replace(string(good))
			if bad == string(good) {
				t.Fatal("nothing was changed")
			}
			var findings []struct{ Rule string }
			decode(t, fencelintIn(t, planted(t, bad), 1, "-o", "json", "./..."), &findings)
			if len(findings) != 1 || findings[0].Rule != test.rule {
				t.Errorf("fencelint reports %v", findings)
			}
		})
	}
}

// planted is a module with nothing in it but this file.
func planted(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "fenced.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// tool builds fencelint, once.
var tool = sync.OnceValues(func() (string, error) {
	name := filepath.Join(scratch, "fencelint")
	cmd := exec.Command("go", "build", "-o", name, "./cmd/fencelint")
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return name, nil
})

// fencelint runs the tool on this module and returns what it prints.
func fencelint(t *testing.T, exit int, args ...string) []byte {
	t.Helper()
	return fencelintIn(t, ".", exit, args...)
}

func fencelintIn(t *testing.T, dir string, exit int, args ...string) []byte {
	t.Helper()
	name, err := tool()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != exit {
		t.Fatalf("exit code %d, want %d\n%s%s", code, exit, out, stderr.String())
	}
	return out
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
}

func place(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// line is the place of the only line of a file with text in it.
func line(t *testing.T, file, text string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for i, l := range strings.Split(string(data), "\n") {
		if strings.Contains(l, text) {
			if at != 0 {
				t.Fatalf("%s: more than one line with %s", file, text)
			}
			at = i + 1
		}
	}
	if at == 0 {
		t.Fatalf("%s: no line with %s", file, text)
	}
	return place(file, at)
}
