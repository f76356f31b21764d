package main

import (
	"slices"
	"strings"
	"testing"
)

const correct = `package p

func Good(db *sql.DB, id, epoch int64) error {
	res, err := db.ExecContext(ctx, "UPDATE t SET a = 1, fence = $2 WHERE id = $1 AND fence < $2", id, epoch)
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errStale
	}
	return err
}

func Bad(db *sql.DB) { _, _ = db.Exec("UPDATE t SET fence = $1 WHERE a = 1 AND fence < $1") } // want "x"
`

// Each operator changes what it is about, and marked functions stay as they are.
func TestMutants(t *testing.T) {
	var got []string
	for _, m := range mutantsOf("p.go", []byte(correct), "") {
		got = append(got, m.operator+": "+string(m.source[m.start:m.end])+" -> "+m.text)
	}
	want := []string{
		"negative: epoch -> -epoch", "rest: epoch -> epoch%1000", "greatest: epoch -> epoch|1<<40",
		"drop:  AND fence < $2 ->  AND $2 IS NOT NULL", "or: AND -> OR", "turn: < -> >", "unset: fence -> touched",
		"rows: n == 0 -> n == 77",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := len(mutantsOf("p.go", []byte(correct), "or")); n != 1 {
		t.Errorf("%d mutants of one operator, want 1", n)
	}
}

// Errors of the compiler belong to the folder of their file, findings to that of their place.
func TestFolder(t *testing.T) {
	for file, want := range map[string]string{"/m/a/b/c.go:3:4": "a", "/m/x.go": "x.go"} {
		if got := folder("/m", file); got != want {
			t.Errorf("folder of %s is %q, want %q", file, got, want)
		}
	}
}
