package harness

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/fencelint/fencelint/internal/harness/corpus"
	"github.com/fencelint/fencelint/internal/harness/kit"
)

// casesDir is a module of small programs with real libraries, kept outside of the
// repository: a folder a case, with marks as in the corpus.
func casesDir(t *testing.T) string {
	dir := os.Getenv("FENCELINT_CASES")
	if dir == "" {
		dir = filepath.Join(kit.Root(t), "..", "shared", "cases")
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		kit.Report(t, "skipped: FENCELINT_CASES names no folder with a go.mod, nor is there one beside the repository: %v", err)
		t.SkipNow()
	}
	return dir
}

// TestCases runs the cases through go vet and through the command. The cases that
// uncovered.txt names may be wrong, and must be: so the list can only shrink. With
// FENCELINT_UNCOVERED=write the list is written anew.
func TestCases(t *testing.T) {
	kit.Integration(t)
	dir := filepath.Join(t.TempDir(), "cases")
	if err := os.CopyFS(dir, os.DirFS(casesDir(t))); err != nil {
		t.Fatal(err)
	}
	makeWritable(t, dir)
	marks, err := corpus.Marks(dir)
	if err != nil {
		t.Fatal(err)
	}
	wrong := map[string][]string{}
	for _, d := range drivers()[:2] {
		for _, w := range corpus.Check(marks, d.run(t, dir)) {
			name := caseOf(w.File)
			wrong[name] = append(wrong[name], d.name+": "+w.String())
		}
	}
	if os.Getenv("FENCELINT_UNCOVERED") == "write" {
		writeUncovered(t, slices.Sorted(maps.Keys(wrong)))
	}
	allowed := uncovered(t)
	reportCases(t, caseNames(t, dir), wrong, allowed)
	for name := range allowed {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("uncovered.txt: there is no case %s", name)
		}
	}
}

func reportCases(t *testing.T, names []string, wrong map[string][]string, allowed map[string]bool) {
	t.Helper()
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 4, 2, ' ', 0)
	right := 0
	for _, name := range names {
		diffs := wrong[name]
		if len(diffs) == 0 {
			right++
		}
		switch {
		case len(diffs) == 0 && allowed[name]:
			t.Errorf("%s is right now: take it off uncovered.txt", name)
		case len(diffs) > 0 && !allowed[name]:
			t.Errorf("%s is wrong:\n\t%s", name, strings.Join(diffs, "\n\t"))
		case len(diffs) > 0:
			fmt.Fprintf(w, "%s\tnot covered\t%s\n", name, diffs[0])
		}
	}
	w.Flush()
	kit.Report(t, "%d of %d cases fully right; not yet covered:\n%s", right, len(names), table.String())
}

func caseNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

func caseOf(file string) string {
	name, _, _ := strings.Cut(file, "/")
	return name
}

// uncovered reads the names of cases that are allowed to be wrong.
func uncovered(t *testing.T) map[string]bool {
	t.Helper()
	f, err := os.Open("uncovered.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	names := map[string]bool{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if line := strings.TrimSpace(sc.Text()); line != "" && !strings.HasPrefix(line, "#") {
			names[line] = true
		}
	}
	return names
}

// writeUncovered replaces the names behind the comment at the head of the list.
func writeUncovered(t *testing.T, names []string) {
	t.Helper()
	data, err := os.ReadFile("uncovered.txt")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			b.WriteString(line)
		}
	}
	for _, name := range names {
		b.WriteString(name + "\n")
	}
	if err := os.WriteFile("uncovered.txt", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestUncoveredIsSorted keeps the list readable in diffs.
func TestUncoveredIsSorted(t *testing.T) {
	data, err := os.ReadFile("uncovered.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(maps.Keys(uncovered(t)))
	var got []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			got = append(got, line)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("uncovered.txt is not sorted, or names a case twice")
	}
}

func makeWritable(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(path, info.Mode().Perm()|0o200)
	})
	if err != nil {
		t.Fatal(err)
	}
}
