package editor

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// root is the folder of the repository.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// program copies the fenced one of the two programs in testdata/real/settle, with the
// module around it: service holds the lock, postgres implements what service calls, wire
// chooses, main joins.
func program(t *testing.T) string {
	t.Helper()
	from, to := filepath.Join(root(t), "testdata", "real"), t.TempDir()
	if real, err := filepath.EvalSymlinks(to); err == nil {
		to = real
	}
	for _, name := range []string{
		"go.mod", "go.sum", "settle/fenced/main.go", "settle/fenced/service/service.go",
		"settle/fenced/postgres/postgres.go", "settle/fenced/wire/wire.go",
	} {
		name = filepath.FromSlash(name)
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(to, name), string(data))
	}
	return to
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// without returns the text of a file without a piece of it.
func without(t *testing.T, name, piece string) (text, less string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text = string(data)
	less = strings.Replace(text, piece, "", 1)
	if less == text {
		t.Fatalf("%s does not hold %q", name, piece)
	}
	return text, less
}

var built struct {
	once      sync.Once
	dir       string
	tool, log string
	err       error
}

// tool builds fencelint and, unless it is in the user's cache, gopls, once for all tests.
func tool(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this test builds gopls, a minute on an empty build cache")
	}
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "fencelint-editor-"); built.err != nil {
			return
		}
		built.tool = filepath.Join(built.dir, "fencelint"+filepath.Ext(programName))
		cmd := exec.Command("go", "build", "-o", built.tool, "./cmd/fencelint")
		cmd.Dir = root(t)
		out, err := cmd.CombinedOutput()
		if err == nil {
			out, err = exec.Command(built.tool, "gopls", "-gopls", tested, "-source", cmd.Dir, "-path").CombinedOutput()
		}
		built.log, built.err = string(out), err
	})
	switch {
	case built.err != nil && strings.Contains(built.log, errUnavailable.Error()):
		t.Skipf("gopls cannot be built here: %s", built.log)
	case built.err != nil:
		t.Fatalf("%v\n%s", built.err, built.log)
	}
	return built.tool
}

// tested is the gopls that the tests run: Go 1.26 can build no newer one.
const tested = "v0.23.0"

// server is the command that an editor would run.
func server(t *testing.T) []string {
	return []string{tool(t), "gopls", "-gopls", tested, "-source", root(t)}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}
