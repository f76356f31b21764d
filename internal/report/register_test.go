package report

import (
	"bytes"
	"strings"
	"testing"
)

func TestRegisterOrder(t *testing.T) {
	open := Boundary{File: "w.go", Line: 1, Receiver: "table:t", Guard: "none", Verdict: "refuted", Path: []string{"A"}, Via: []string{"a.go:1"}}
	other := open
	other.Path, other.Via = []string{"B"}, []string{"b.go:1"}
	between := Boundary{File: "w.go", Line: 1, Receiver: "table:t", Guard: "none", Verdict: "refuted", Reason: "on another connection", Path: []string{"C"}}
	rows := []Row{
		{File: "a.go", Line: 1, Library: "x", Role: "acquisition"},
		{File: "b.go", Line: 1, Library: "x", Role: "acquisition", Class: "efficiency", Boundaries: []Boundary{open}},
		{File: "c.go", Line: 1, Library: "x", Role: "acquisition", Boundaries: []Boundary{{File: "w.go", Line: 2, Guard: "fence", Verdict: "proved", Path: []string{"P"}}, {File: "w.go", Line: 2, Guard: "fence", Verdict: "proved", Path: []string{"Q"}}}},
		{File: "d.go", Line: 1, Library: "x", Role: "acquisition", Boundaries: []Boundary{open, between, other, other}},
		{File: "e.go", Line: 1, Library: "x", Role: "acquisition", Class: "correctness", Boundaries: []Boundary{open}},
	}
	var b bytes.Buffer
	if err := RegisterText(&b, rows); err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, want := range []string{"e.go:1  correctness", "d.go:1  unclassified", "via A, and in 2 more ways", "on another connection", "c.go:1  ", "via P, and in one more way", "a.go:1  ", "b.go:1  efficiency",
		"5 places where a lock is taken: 2 with a write that is open to an obsolete owner, 0 with one of which that is not known, 1 with proved writes only, 2 without"} {
		i := strings.Index(b.String(), want)
		if i <= at {
			t.Errorf("%q is not where it belongs in\n%s", want, b.String())
		}
		at = i
	}
}

// What several packages know of one lock becomes one row.
func TestRegisterJoins(t *testing.T) {
	unseen := Boundary{File: "svc.go", Line: 9, Receiver: "interface:p.Store", Guard: "unknown", Verdict: "unproved"}
	read := Boundary{File: "svc.go", Line: 12, Receiver: "interface:p.Store", Guard: "unknown", Verdict: "unproved"}
	write := Boundary{File: "pg.go", Line: 3, Receiver: "table:t", Guard: "none", Verdict: "refuted", Via: []string{"svc.go:9"}}
	rows := SortRows([]Row{
		{File: "svc.go", Line: 5, Library: "etcd", Role: "acquisition", Inner: "lock.go:7", Boundaries: []Boundary{unseen, read}},
		{File: "svc.go", Line: 5, Library: "etcd", Partial: true, Boundaries: []Boundary{write}, Settled: []string{"svc.go:9", "svc.go:12"}},
		{File: "lock.go", Line: 7, Library: "etcd", Role: "wrapper"},
		{File: "gone.go", Line: 1, Library: "etcd", Partial: true, Boundaries: []Boundary{write}},
	})
	if len(rows) != 2 {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	for _, r := range rows { // the wrapper's call of the library protects what its uses reach
		if len(r.Boundaries) != 1 || r.Boundaries[0].File != "pg.go" {
			t.Errorf("%s:%d reaches %+v", r.File, r.Line, r.Boundaries)
		}
	}
}

// An open call of a lock is dropped where it comes to light what is behind it, unless
// a method of its name takes a lock elsewhere.
func TestRegisterOpen(t *testing.T) {
	rows := SortRows([]Row{
		{File: "a.go", Line: 1, Library: "interface:p.Locker", Role: "open", Method: "Lock"},
		{File: "a.go", Line: 2, Library: "interface:p.Locker", Role: "open", Method: "Lock"},
		{File: "a.go", Line: 2, Library: "redsync", Role: "acquisition"},
		{File: "a.go", Line: 3, Library: "interface:p.Elector", Role: "open", Method: "Elect"},
		{File: "a.go", Line: 3, Role: "none", Method: "Elect", Partial: true},
		{File: "a.go", Line: 4, Library: "interface:p.Leaser", Role: "open", Method: "Lease"},
		{File: "a.go", Line: 4, Role: "none", Method: "Lease", Partial: true},
		{File: "b.go", Line: 1, Library: "etcd", Role: "wrapper", Method: "Lease"},
	})
	var got []string
	for _, r := range rows {
		got = append(got, r.File+" "+r.Library)
	}
	if want := "a.go interface:p.Locker,a.go redsync,a.go interface:p.Leaser,b.go etcd"; strings.Join(got, ",") != want {
		t.Errorf("rows %q, want %q", got, want)
	}
}

func TestRegisterMerges(t *testing.T) {
	rows := SortRows([]Row{
		{File: "a.go", Line: 1, Library: "redsync", Idiom: "interface", Role: "wrapper", Inner: "r.go:1", Boundaries: []Boundary{{File: "w.go", Line: 1}}},
		{File: "a.go", Line: 1, Library: "etcd", Idiom: "interface", Role: "acquisition", Class: "correctness", Inner: "e.go:1", Boundaries: []Boundary{{File: "w.go", Line: 1}, {File: "w.go", Line: 2}}},
		{File: "a.go", Line: 2, Library: "etcd", Idiom: "direct", Role: "acquisition"},
		{File: "a.go", Line: 2, Library: "redsync", Idiom: "direct", Role: "acquisition"},
	})
	if len(rows) != 3 {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	if r := rows[0]; r.Library != "etcd, redsync" || r.Role != "acquisition" || r.Class != "correctness" || r.Inner != "e.go:1, r.go:1" || len(r.Boundaries) != 2 {
		t.Errorf("merged to %+v", r)
	}
}

// What a use of a lock reaches is reached under the calls through which the project's own
// code hands the lock on, as under the library's.
func TestReachedThroughWrappers(t *testing.T) {
	w := []Boundary{{File: "w.go", Line: 1}}
	rows := SortRows([]Row{
		{File: "a.go", Line: 1, Library: "etcd", Role: "acquisition", Inner: "lib.go:7", Through: []string{"b.go:5"}, Boundaries: w},
		{File: "b.go", Line: 5, Library: "etcd", Role: "wrapper", Inner: "lib.go:7"},
		{File: "b.go", Line: 9, Library: "etcd", Role: "acquisition", Inner: "lib.go:7"},
		{File: "lib.go", Line: 7, Library: "etcd", Role: "wrapper"},
	})
	for i, want := range []int{1, 1, 0, 1} {
		if got := len(rows[i].Boundaries); got != want {
			t.Errorf("%s:%d: %d boundaries, want %d", rows[i].File, rows[i].Line, got, want)
		}
	}
}

func TestPeersOfUsedWrappers(t *testing.T) {
	peer := func(line int) Boundary {
		return Boundary{File: "store.go", Line: line, Receiver: "table:t", Peer: true}
	}
	rows := SortRows([]Row{
		{File: "store.go", Line: 10, Library: "sql", Role: "wrapper", Boundaries: []Boundary{peer(20), peer(30)}},
		{File: "use.go", Line: 5, Library: "sql", Role: "acquisition", Inner: "store.go:10", Boundaries: []Boundary{{File: "store.go", Line: 20, Receiver: "table:t"}}},
		{File: "alone.go", Line: 10, Library: "sql", Role: "wrapper", Boundaries: []Boundary{peer(40)}},
	})
	for _, r := range rows {
		want := 1
		if len(r.Boundaries) != want {
			t.Errorf("%s:%d has %d boundaries, want %d: %v", r.File, r.Line, len(r.Boundaries), want, r.Boundaries)
		}
	}
}
