package dynamo

import (
	"strings"
	"testing"

	"github.com/fencelint/fencelint/fence"
)

// writes are judged with ":f" and "item.fence" as the token. Want is: less, equal,
// null, advance.
var writes = []struct {
	name string
	in   Input
	want string
}{
	{"strict", Input{Condition: "fence < :f", Update: "SET body = :b, fence = :f"}, "never never never yes"},
	{"inclusive", Input{Condition: "fence <= :f", Update: "SET body = :b, fence = :f"}, "never admitted never yes"},
	{"bootstrap", Input{Condition: "attribute_not_exists(fence) OR fence < :f", Update: "SET body = :b, fence = :f"}, "never never admitted yes"},
	{"names", Input{Condition: "#f < :f", Update: "SET #b = :b, #f = :f", Names: map[string]string{"#f": "fence", "#b": "body"}}, "never never never yes"},
	{"not advanced", Input{Condition: "fence < :f", Update: "SET body = :b"}, "never never never absent"},
	{"other way round", Input{Condition: ":f > fence", Update: "SET fence = :f"}, "never never never yes"},
	{"not", Input{Condition: "NOT (fence >= :f)", Update: "SET fence = :f"}, "never never admitted yes"},
	{"or opens", Input{Condition: "fence < :f OR body = :b", Update: "SET fence = :f"}, "admitted never admitted regress"},
	{"wrong operator", Input{Condition: "fence > :f", Update: "SET fence = :f"}, "admitted never never regress"},
	{"no condition", Input{Update: "SET fence = :f"}, "admitted never admitted regress"},
	{"key", Input{Condition: "attribute_not_exists(id) OR fence < :f", Update: "SET fence = :f", Keys: []string{"id"}}, "never never admitted yes"},
	{"no key", Input{Condition: "attribute_not_exists(note) OR fence < :f", Update: "SET fence = :f", Keys: []string{"id"}}, "admitted never admitted regress"},
	{"put", Input{Kind: fence.Replace, Condition: "attribute_not_exists(id) OR fence < :f", Item: []string{"id", "fence"}}, "never never admitted yes"},
	{"put that forgets", Input{Kind: fence.Replace, Condition: "fence < :f", Item: []string{"id"}}, "never never never other"},
	{"delete", Input{Kind: fence.Delete, Condition: "fence <= :f"}, "never admitted never na"},
	{"between", Input{Condition: "fence BETWEEN :z AND :f", Update: "SET fence = :f, body = :b"}, "never admitted never yes"},
}

func TestWrites(t *testing.T) {
	for _, c := range writes {
		m := Lower(c.in)
		if len(m.Problems) > 0 {
			t.Errorf("%s: %v", c.name, m.Problems)
			continue
		}
		v := fence.Prove(m, func(a fence.Arg) bool { return a == ":f" || a == "item.fence" })
		if got := strings.Join([]string{v.Less.String(), v.Equal.String(), v.Null.String(), v.Advances}, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestText(t *testing.T) {
	m := Lower(Input{Condition: "fence < :f", Update: "SET fence = :f", Text: func(fence.Arg) bool { return true }})
	v := fence.Prove(m, func(a fence.Arg) bool { return a == ":f" })
	if v.Less != fence.Admitted || len(v.Casts) == 0 {
		t.Errorf("strings compare as numbers: %+v", v)
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []string{"fence <", "fence < :f )", "fence \ue000 :f", "#x < :f", "fence < :f fence", "((((", "fence LIKE :f", "7 < :f"} {
		if m := Lower(Input{Condition: c, Update: "SET fence = :f"}); len(m.Problems) == 0 {
			t.Errorf("%q: no problem", c)
		}
	}
}

func FuzzLower(f *testing.F) {
	for _, c := range writes {
		f.Add(c.in.Condition, c.in.Update)
	}
	f.Fuzz(func(t *testing.T, cond, update string) {
		if len(cond)+len(update) > 500 {
			return
		}
		fence.Prove(Lower(Input{Condition: cond, Update: update}), func(a fence.Arg) bool { return a == ":f" })
	})
}
