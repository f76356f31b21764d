package term

import (
	"strconv"
	"testing"
)

// tall is a term of n nodes.
func tall(n int) *Term {
	t := NewParam(0)
	for range n - 1 {
		t = NewConvert("int"+strconv.Itoa(t.Size()), t)
	}
	return t
}

// What is too large loses what is large in it, and keeps what a condition is said with.
func TestTrimmed(t *testing.T) {
	star := NewString("*")
	record := NewStruct("p.In", "", []string{"p.In.Body", "p.In.IfNoneMatch", "p.In.Tags"}, []*Term{tall(100), star, tall(90)})
	chain := NewCall("p/db.Client.Update", "", 0, NewParam(0))
	for i := range 30 {
		chain = NewCall("p/db.Update.Set"+strconv.Itoa(i), "", 0, chain, tall(12))
	}
	other := NewCall("p/a.F", "", 0, NewCall("p/b.G", "", 0, tall(100)), tall(100))
	tests := []struct {
		name string
		of   *Term
		ok   func(*Term) bool
	}{
		{"a record", record, func(u *Term) bool {
			return u.Kind == Struct && u.Args[0].Lost() != u.Args[2].Lost() && u.Args[1] == star
		}},
		{"a chain", chain, func(u *Term) bool {
			n := 0
			for ; u.Kind == Call; u = u.Args[0] {
				n++
			}
			return n == 31 && u.Kind == Param
		}},
		{"calls of two packages", other, (*Term).Lost},
		{"a map", NewStruct("map", "", []string{"a", "b"}, []*Term{tall(100), tall(100)}), func(u *Term) bool {
			return u.Kind == Struct && len(u.Names) == 2 && u.Args[0].Lost() != u.Args[1].Lost()
		}},
		{"a list of functions", NewList(false, NewClosure("f", tall(100)), NewClosure("g", tall(100))), func(u *Term) bool {
			return u.Kind == List && u.Args[0].Str == "f" && u.Args[1].Str == "g"
		}},
		{"an operator", NewOp("+", tall(100), tall(100)), (*Term).Lost},
	}
	for _, tt := range tests {
		if !tt.ok(tt.of) || tt.of.Size() > MaxSize {
			t.Errorf("%s of %d nodes became %s", tt.name, tt.of.Size(), tt.of)
		}
	}
}
