package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/harness/kit"
	"github.com/fencelint/fencelint/internal/report"
)

// TestRealLeaseRows: the register has the rows, keys and calls by which a lease is taken
// without a library, and none of what is written in the same way.
func TestRealLeaseRows(t *testing.T) {
	corpus := kit.Corpus(t)
	rowsAtMarks(t, corpus, "leaserows", "// taken")
}

// TestRealLayers: a lock that is taken through several layers has rows where the library is
// called, where it is said which lock is meant, and where something is done under it.
func TestRealLayers(t *testing.T) {
	rowsAtMarks(t, kit.Corpus(t), "layers", "// taken")
}

// rowsAtMarks gives the rows of the register of a folder, which stand at the lines that end
// in a mark.
func rowsAtMarks(t *testing.T, corpus, dir, mark string) []report.Row {
	t.Helper()
	r := kit.Run(t, corpus, kit.Tool(t), "register", "-o", "json", "./"+dir+"/...")
	var rows []report.Row
	if err := json.Unmarshal([]byte(r.Stdout), &rows); err != nil {
		t.Fatalf("%v\n%s%s", err, r.Stdout, r.Stderr)
	}
	var got []string
	for _, row := range rows {
		got = append(got, fmt.Sprint(row.File, ":", row.Line))
	}
	if want := markedLines(t, corpus, dir, mark); !slices.Equal(got, want) {
		t.Errorf("rows %v\nmarks %v", got, want)
	}
	return rows
}

// markedLines lists the lines below a folder that end in a mark.
func markedLines(t *testing.T, root, dir, mark string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, dir, "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, f)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range bytes.Split(data, []byte("\n")) {
			if strings.HasSuffix(string(line), mark) {
				out = append(out, fmt.Sprint(filepath.ToSlash(name), ":", i+1))
			}
		}
	}
	return out
}
