package fence

import "testing"

func TestText(t *testing.T) {
	f, x := Stored{Column: "fence"}, Input{"$2"}
	for _, c := range []struct {
		cond Cond
		want string
	}{
		{nil, "true"},
		{Cmp{LT, f, x}, "fence < $2"},
		{And{[]Cond{Cmp{EQ, Stored{Column: "id"}, Input{"$1"}}, Or{[]Cond{IsNull{f}, Cmp{LT, f, x}}}}}, "id = $1 AND (fence IS NULL OR fence < $2)"},
		{Or{[]Cond{And{[]Cond{NoRow{}}}, Atom{Key: "k", Of: []Term{f}}}}, "there is no row OR {… of fence}"},
		{Not{And{[]Cond{Cmp{GE, f, x}, Truthy{f}}}}, "NOT (fence >= $2 AND fence)"},
		{Cmp{Same, f, x}, "fence IS NOT DISTINCT FROM $2"},
		{Cmp{EQ, Apply{Greatest, []Term{f, x, Null{}}}, Lit{"a"}}, "GREATEST(fence, $2, NULL) = 'a'"},
		{Cmp{EQ, Apply{Add, []Term{f, Const{1}}}, Case{Arms: []Arm{{Cmp{GT, f, x}, Const{2}}}}}, "fence + 1 = CASE WHEN fence > $2 THEN 2 END"},
		{Exists{Of: Cmp{EQ, Stored{Column: "e", Row: Other, Table: "locks"}, x}, Tables: []string{"locks"}}, "EXISTS (in locks: locks.e = $2)"},
		{Gate{&Mutation{Kind: Update, Resource: "locks"}}, "the update of locks has met a row"},
	} {
		if got := Text(c.cond); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
