package driver

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/report"
)

// folder makes files below a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestProveSchema(t *testing.T) {
	m := &module{t: t}
	const guarded = "UPDATE a SET v = $1, f = $2 WHERE id = $3 AND COALESCE(f, 0) < $2"
	m.tool("prove", "-dialect", "postgres", guarded).want(t, 1, "refuted", "nulladmitted")
	strict := folder(t, map[string]string{"1_init.sql": "CREATE TABLE a (id int, v text, f bigint NOT NULL DEFAULT 0);"})
	out := m.tool("prove", "-dialect", "postgres", "-schema", strict, guarded)
	out.want(t, 0, "proved", "schema     f is bigint NOT NULL (1_init.sql:1)")
	if strings.Contains(out.stdout, "assumed") {
		t.Errorf("what the schema says is still assumed: %s", out.stdout)
	}
	loose := folder(t, map[string]string{
		"9_f.sql": "CREATE TABLE a (f bigint NOT NULL);", "10_f.sql": "ALTER TABLE a ALTER f DROP NOT NULL;",
		"10_f.down.sql": "ALTER TABLE a ALTER f SET NOT NULL;", "testdata/11.sql": "ALTER TABLE a ALTER f SET NOT NULL;"})
	m.tool("prove", "-dialect", "postgres", "-schema", loose, guarded).want(t, 1, "nulladmitted", "f is bigint and may be NULL (10_f.sql:1)")
	text := folder(t, map[string]string{"schema.sql": "CREATE TABLE a (f text NOT NULL);\nCREATE TRIGGER x BEFORE UPDATE ON a EXECUTE FUNCTION g();"})
	m.tool("prove", "-dialect", "postgres", "-schema", filepath.Join(text, "schema.sql"), "UPDATE a SET f = $1 WHERE f < $1").
		want(t, 1, "fencecolumn", "f is text NOT NULL, not an integer (schema.sql:1)", "a trigger on a may write more than the statement says (schema.sql:2)")
	m.tool("prove", "-schema", folder(t, nil), guarded).want(t, 2, "no SQL files")
	m.tool("prove", "-schema", "nowhere", guarded).want(t, 2, "nowhere")
}

// TestAddSchemas: a write is told what its module's migrations say, and nothing else is
// changed.
func TestAddSchemas(t *testing.T) {
	dir := folder(t, map[string]string{
		"go.mod": "module m\n", "store/store.go": "package store\n", "other/go.mod": "module o\n", "other/x.go": "package x\n",
		"db/migrations/0001_a.up.sql": "CREATE TABLE a (id int, f bigint NOT NULL);", "vendor/v.sql": "DROP TABLE a;", "other/o.sql": "DROP TABLE a;"})
	file := filepath.Join(dir, "store", "store.go")
	rows := []report.Row{{Boundaries: []report.Boundary{
		{File: file, Receiver: "table:a", Fence: "f"}, {File: file, Receiver: "table:b", Fence: "f"}, {File: file, Receiver: "key:a", Fence: "f"},
		{File: file, Receiver: "table:a"}, {File: filepath.Join(dir, "other", "x.go"), Receiver: "table:a", Fence: "f"},
	}}}
	addSchemas(rows)
	for i, b := range rows[0].Boundaries {
		var want []string
		if i == 0 {
			want = []string{"f is bigint NOT NULL (db/migrations/0001_a.up.sql:1)"}
		}
		if !slices.Equal(b.Schema, want) {
			t.Errorf("%d: %q, want %q", i, b.Schema, want)
		}
	}
}
