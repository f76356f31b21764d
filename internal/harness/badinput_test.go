package harness

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/driver"
	"github.com/fencelint/fencelint/internal/harness/corpus"
	"github.com/fencelint/fencelint/internal/harness/kit"
	"github.com/fencelint/fencelint/internal/prove"
)

// sound is a package with one finding, which no fault of another package may hide.
const sound = `// Package sound has one finding.
package sound

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// Write trusts a lock.
func Write(ctx context.Context, s *concurrency.Session, db *sql.DB) error {
	mu := concurrency.NewMutex(s, "/locks/sound")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	_, err := db.ExecContext(ctx, "UPDATE sounds SET n = n + 1") // want "unfencedwrite"
	return err
}
`

// module writes files into a module that may use the libraries of the corpus, with
// package sound among them.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(kit.Corpus(t), name))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, name, string(data))
	}
	writeFile(t, dir, "sound/sound.go", sound)
	for name, text := range files {
		writeFile(t, dir, name, text)
	}
	return dir
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// inHold is a package whose only function runs body under a lock.
func inHold(pkg, body string) string {
	return fmt.Sprintf(`package %s

import (
	"context"
	"database/sql"

	"go.etcd.io/etcd/client/v3/concurrency"
)

func Do(ctx context.Context, mu *concurrency.Mutex, db *sql.DB) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
%s}
`, pkg, body)
}

// bigFile is a source of 50 000 lines with one finding at its end.
func bigFile() string {
	var b strings.Builder
	b.WriteString("package big\n\nimport (\n\t\"context\"\n\t\"database/sql\"\n\n\t\"go.etcd.io/etcd/client/v3/concurrency\"\n)\n\n")
	for i := range 7000 {
		fmt.Fprintf(&b, "func f%d(x int) int {\n\tif x > %d {\n\t\treturn x\n\t}\n\treturn x + 1\n}\n\n", i, i)
	}
	_, do, _ := strings.Cut(inHold("big", "\t_, err := db.ExecContext(ctx, \"DELETE FROM bigs\") // want \"unfencedwrite\"\n\treturn err\n"), ")\n\n")
	b.WriteString(do)
	return b.String()
}

// The exit codes of the command.
const (
	clean    = 0
	findings = 1
	usage    = 2
	failure  = 3
)

var badInputs = []struct {
	name  string
	files map[string]string
	args  []string
	code  int
	// says are parts of the message on standard error.
	says []string
	// noFindings: the command stops before it looks at any package.
	noFindings bool
}{
	{
		name:  "nothing wrong",
		files: map[string]string{"sound/sound.go": "package sound\n"},
		args:  []string{"./..."}, code: clean,
	},
	{
		name: "one finding",
		args: []string{"./..."}, code: findings,
	},
	{
		name:  "a type error in a package that cannot matter",
		files: map[string]string{"broken/broken.go": "package broken\n\nfunc f() int { return \"x\" }\n"},
		args:  []string{"./..."}, code: failure, says: []string{"broken.go:3"},
	},
	{
		name:  "a type error in a package with a lock",
		files: map[string]string{"broken/broken.go": inHold("broken", "\treturn nothing\n")},
		args:  []string{"./..."}, code: failure, says: []string{"broken.go:", "undefined: nothing"},
	},
	{
		name: "a type error in what a package with a lock imports",
		files: map[string]string{
			"broken/broken.go": "package broken\n\nfunc F() int { return \"x\" }\n",
			"user/user.go":     strings.Replace(inHold("user", "\t_ = broken.F()\n\treturn nil\n"), "\t\"go.etcd", "\t\"fencelint.example/real/broken\"\n\t\"go.etcd", 1),
		},
		args: []string{"./..."}, code: failure, says: []string{"broken.go:3"},
	},
	{
		name:  "a syntax error",
		files: map[string]string{"broken/broken.go": inHold("broken", "\treturn nil }}\n")},
		args:  []string{"./..."}, code: failure, says: []string{"broken.go:16"},
	},
	{
		name:  "an import that does not exist",
		files: map[string]string{"broken/broken.go": "package broken\n\nimport _ \"fencelint.example/real/nowhere\"\n"},
		args:  []string{"./..."}, code: failure, says: []string{"fencelint.example/real/nowhere"},
	},
	{
		name: "a typo in a directive",
		files: map[string]string{"typo/typo.go": strings.Replace(
			inHold("typo", "\treturn nil\n"), "//fencelint:lock correctness\n",
			"//fencelint:lock correctness\n\t//fencelint:acept unfencedwrite reason=\"x\" // want \"fencedirective\"\n", 1)},
		args: []string{"./..."}, code: findings,
	},
	{
		name:  "a model file with an unknown key",
		files: map[string]string{"fencelint.yaml": "fencelint: 1\nlibaries: []\n"},
		args:  []string{"./..."}, code: failure, says: []string{"fencelint.yaml", "libaries"}, noFindings: true,
	},
	{
		name:  "a model file that is no YAML",
		files: map[string]string{"fencelint.yaml": "\t- : ]\n"},
		args:  []string{"./..."}, code: failure, says: []string{"fencelint.yaml"}, noFindings: true,
	},
	{
		name: "a model file that does not exist",
		args: []string{"-fencelint.models=absent.yaml", "./..."}, code: failure, says: []string{"absent.yaml"}, noFindings: true,
	},
	{
		name: "a pattern that matches nothing",
		args: []string{"./nowhere/..."}, code: usage, says: []string{"nowhere"}, noFindings: true,
	},
	{
		name: "a flag that does not exist",
		args: []string{"-fast", "./..."}, code: usage, says: []string{"-fast"}, noFindings: true,
	},
	{
		name:  "SQL that is none",
		files: map[string]string{"odd/odd.go": inHold("odd", "\t_, err := db.ExecContext(ctx, \"please change the row )) ' WHERE\") // want \"unprovedwrite|unfencedwrite\"\n\treturn err\n")},
		args:  []string{"./..."}, code: findings,
	},
	{
		name:  "no SQL at all",
		files: map[string]string{"odd/odd.go": inHold("odd", "\t_, err := db.ExecContext(ctx, \"\\x00\\xff\\n;;\") // want \"unprovedwrite|unfencedwrite\"\n\treturn err\n")},
		args:  []string{"./..."}, code: findings,
	},
	{
		name:  "a file of 50000 lines",
		files: map[string]string{"big/big.go": bigFile()},
		args:  []string{"./..."}, code: findings,
	},
}

// TestBadInput gives the command what it cannot use: it says so, ends with the right
// code, and reports what it could look at.
func TestBadInput(t *testing.T) {
	bin := kit.Tool(t)
	for _, c := range badInputs {
		t.Run(c.name, func(t *testing.T) {
			dir := module(t, c.files)
			r := kit.Run(t, dir, bin, append([]string{"-json"}, c.args...)...)
			if r.Code != c.code {
				t.Errorf("exit code %d, want %d\n%s", r.Code, c.code, r.Stderr)
			}
			for _, part := range c.says {
				if !strings.Contains(r.Stderr, part) {
					t.Errorf("the message does not say %q:\n%s", part, r.Stderr)
				}
			}
			if c.code == failure && strings.TrimSpace(r.Stderr) == "" {
				t.Error("no message")
			}
			if strings.Contains(r.Stderr, "goroutine ") {
				t.Errorf("a stack trace is no message:\n%s", r.Stderr)
			}
			if c.noFindings {
				return
			}
			checkMarks(t, dir, r.Stdout)
		})
	}
}

// checkMarks compares what the command printed with the marks below dir.
func checkMarks(t *testing.T, dir, output string) {
	t.Helper()
	found, err := corpus.FromCommand(strings.NewReader(output), dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	marks, err := corpus.Marks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range corpus.Check(marks, found) {
		t.Error(w)
	}
}

// TestBadInputUnderVet lets go vet meet a package that does not compile.
func TestBadInputUnderVet(t *testing.T) {
	dir := module(t, map[string]string{"broken/broken.go": inHold("broken", "\treturn nothing\n")})
	r := kit.Run(t, dir, "go", "vet", "-json", "-vettool="+kit.Tool(t), "./...")
	if r.Code != 1 || !strings.Contains(r.Stderr, "undefined: nothing") {
		t.Errorf("exit code %d\n%s", r.Code, r.Stderr)
	}
	found, err := corpus.FromVet(strings.NewReader(r.Stdout), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].File != "sound/sound.go" {
		t.Errorf("findings: %v", found)
	}
}

// TestPanicInOnePackage runs the command with an engine that fails in one package.
func TestPanicInOnePackage(t *testing.T) {
	kit.Integration(t)
	dir := module(t, map[string]string{"ill/ill.go": strings.ReplaceAll(sound, "package sound", "package ill")})
	t.Chdir(dir)
	var stdout, stderr bytes.Buffer
	d := driver.New("test")
	d.Stdout, d.Stderr = &stdout, &stderr
	d.Engine = func(u *prove.Unit, o prove.Options) (*prove.Result, error) {
		if u.Pkg.Name() == "ill" {
			panic("index out of range")
		}
		return prove.Run(u, o)
	}
	if code := d.Main([]string{"-json", "./..."}); code != failure {
		t.Errorf("exit code %d, want %d", code, failure)
	}
	for _, part := range []string{"fencelint.example/real/ill", "index out of range"} {
		if !strings.Contains(stderr.String(), part) {
			t.Errorf("the message does not say %q:\n%s", part, stderr.String())
		}
	}
	found, err := corpus.FromCommand(&stdout, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].File != "sound/sound.go" {
		t.Errorf("findings: %v", found)
	}
}
