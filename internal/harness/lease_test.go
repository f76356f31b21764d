package harness

import (
	"path/filepath"
	"testing"

	"github.com/fencelint/fencelint/internal/harness/corpus"
	"github.com/fencelint/fencelint/internal/harness/kit"
)

// TestLife runs the programs about the life of locks, which use the libraries of many
// coordinators, through go vet and through the command.
func TestLife(t *testing.T) { marked(t, "lease") }

// marked compares what two drivers say about a module in testdata with its marks.
func marked(t *testing.T, module string) {
	t.Helper()
	kit.Integration(t)
	dir := filepath.Join(kit.Root(t), "testdata", module)
	marks, err := corpus.Marks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(marks) == 0 {
		t.Fatal("no marks")
	}
	for _, d := range drivers()[:2] {
		t.Run(d.name, func(t *testing.T) {
			for _, w := range corpus.Check(marks, d.run(t, dir)) {
				t.Error(w)
			}
		})
	}
}
