package flow

import "testing"

// TestWideVerbs keeps formats that may give much more than they are given from being run.
func TestWideVerbs(t *testing.T) {
	for format, wide := range map[string]bool{
		"$%d": false, "%s = %s": false, "%02d": false, "%5.2f": false,
		"%1000d": true, "%*d": true, "%.1000d": true, "%T": true, "%-0999s": true,
	} {
		if got := wideVerb.MatchString(format); got != wide {
			t.Errorf("%q: got %v, want %v", format, got, wide)
		}
	}
}

// TestRecordCodes reads records of records as they were written.
func TestRecordCodes(t *testing.T) {
	inner := abs{k: record, name: tupleCode([]abs{{k: nonNil, sig: true, name: "a/b.ErrOne"}, {k: isInt, n: 7}}), sig: true}
	list := []abs{{k: wording, name: "leader"}, {k: record, name: tupleCode([]abs{inner, boolean(true)}), sig: true}, {k: isNil}}
	got := parseTuple(tupleCode(list))
	if len(got) != len(list) {
		t.Fatalf("got %d values, want %d", len(got), len(list))
	}
	for i := range list {
		if got[i] != list[i] {
			t.Errorf("value %d: got %v, want %v", i, got[i], list[i])
		}
	}
	if f, ok := got[1].field(0); !ok || f != inner {
		t.Errorf("inner record: got %v, want %v", f, inner)
	}
}
