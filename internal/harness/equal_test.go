package harness

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/analyzers"
	"github.com/fencelint/fencelint/internal/harness/corpus"
	"github.com/fencelint/fencelint/internal/harness/kit"
	"github.com/fencelint/fencelint/internal/harness/nogo"
	"github.com/fencelint/fencelint/internal/harness/standalone"
)

// way is one way to come to findings.
type way struct {
	name string
	run  func(t *testing.T, dir string) []corpus.Finding
}

// drivers are all ways, the reference first.
func drivers() []way {
	return []way{
		{"go vet", viaVet},
		{"fencelint", viaCommand},
		{"checker of x/tools", viaChecker},
		{"pass of nogo", viaNogo},
		{"x/tools of gopls", viaGopls},
	}
}

func viaVet(t *testing.T, dir string) []corpus.Finding {
	t.Helper()
	r := kit.Run(t, dir, "go", "vet", "-json", "-vettool="+kit.Tool(t), "./...")
	if r.Code != 0 {
		t.Fatalf("go vet: exit code %d\n%s", r.Code, r.Stderr)
	}
	found, err := corpus.FromVet(strings.NewReader(r.Stdout), dir)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func viaCommand(t *testing.T, dir string) []corpus.Finding {
	t.Helper()
	r := kit.Run(t, dir, kit.Tool(t), "-json", "./...")
	if r.Code > 1 {
		t.Fatalf("fencelint: exit code %d\n%s", r.Code, r.Stderr)
	}
	found, err := corpus.FromCommand(strings.NewReader(r.Stdout), dir)
	if err != nil {
		t.Fatal(err)
	}
	if (len(found) > 0) != (r.Code == 1) {
		t.Errorf("fencelint: %d findings and exit code %d", len(found), r.Code)
	}
	return found
}

func viaChecker(t *testing.T, dir string) []corpus.Finding {
	t.Helper()
	kit.Integration(t)
	found, err := standalone.Run(dir, analyzers.All, "./...")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func viaNogo(t *testing.T, dir string) []corpus.Finding {
	t.Helper()
	kit.Integration(t)
	found, err := nogo.Run(dir, analyzers.All, "./...")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func viaGopls(t *testing.T, dir string) []corpus.Finding {
	t.Helper()
	bin := filepath.Join(filepath.Dir(kit.Tool(t)), "goplsver")
	if r := kit.Run(t, "goplsver", "go", "build", "-o", bin, "."); r.Code != 0 {
		t.Fatalf("build: %s", r.Stderr)
	}
	r := kit.Run(t, dir, bin, dir, "./...")
	if r.Code != 0 {
		t.Fatal(r.Stderr)
	}
	var found []corpus.Finding
	if err := json.Unmarshal([]byte(r.Stdout), &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestSameAnswerFromEveryDriver runs the corpus through all drivers: each finds what
// the marks say, and all say it in the same words at the same places.
func TestSameAnswerFromEveryDriver(t *testing.T) {
	kit.Integration(t)
	marks, err := corpus.Marks(kit.Corpus(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(marks) == 0 {
		t.Fatal("no marks in the corpus")
	}
	var reference []corpus.Finding
	for i, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			found := d.run(t, kit.Corpus(t))
			kit.Report(t, "%s: %d findings, %d marks", d.name, len(found), len(marks))
			for _, w := range corpus.Check(marks, found) {
				t.Error(w)
			}
			if i == 0 {
				reference = found
				return
			}
			for _, line := range corpus.Diff(drivers()[0].name, reference, d.name, found) {
				t.Error(line)
			}
		})
	}
}
