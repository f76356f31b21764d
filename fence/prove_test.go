package fence

import (
	"math/rand/v2"
	"slices"
	"testing"
)

var (
	fenceCol = Stored{Column: "f"}
	tok      = Input{"$1"}
	newer    = Cmp{LT, fenceCol, tok}
	notOlder = Cmp{LE, fenceCol, tok}
	same     = Cmp{EQ, fenceCol, tok}
	setFence = []Assign{{"f", tok}, {"p", Input{"$2"}}}
)

func col(name string) Stored { return Stored{Column: name} }

// TestProve checks what a guard admits: t<f, t=f, t>f, f absent.
func TestProve(t *testing.T) {
	const (
		N = Never
		A = Admitted
		U = Undecided
	)
	tests := []struct {
		name                      string
		m                         Mutation
		less, equal, greater, nul Admission
		advances, shape           string
	}{
		{"strict", Mutation{Guard: newer, Set: setFence}, N, N, A, N, "yes", "order"},
		{"inclusive", Mutation{Guard: notOlder, Set: setFence}, N, A, A, N, "yes", "order"},
		{"no guard", Mutation{Set: setFence}, A, A, A, A, "regress", "order"},
		{"wrong way", Mutation{Guard: Cmp{GT, fenceCol, tok}, Set: setFence}, A, N, N, N, "regress", "order"},
		{"equality", Mutation{Guard: same, Set: []Assign{{"p", Input{"$2"}}}}, N, A, N, N, "absent", "equality"},
		{"not equal", Mutation{Guard: Cmp{NE, fenceCol, tok}, Set: setFence}, A, N, A, N, "regress", "order"},
		{"OR of the same", Mutation{Guard: Or{[]Cond{newer, newer}}, Set: setFence}, N, N, A, N, "yes", "order"},
		{"OR of other data", Mutation{Guard: Or{[]Cond{newer, Atom{Key: "x"}}}, Set: setFence}, A, A, A, A, "regress", "order"},
		{"OR of a contradiction", Mutation{Guard: Or{[]Cond{newer, And{[]Cond{Atom{Key: "x"}, Not{Atom{Key: "x"}}}}}}, Set: setFence}, N, N, A, N, "yes", "order"},
		{"OR NULL", Mutation{Guard: Or{[]Cond{IsNull{fenceCol}, newer}}, Set: setFence}, N, N, A, A, "yes", "order"},
		{"dark function", Mutation{Guard: And{[]Cond{Atom{Key: "check", Of: []Term{fenceCol, tok}}}}, Set: setFence}, U, U, U, U, "regress", "order"},
		{"dark function behind a guard", Mutation{Guard: And{[]Cond{newer, Atom{Key: "check", Of: []Term{fenceCol, tok}}}}, Set: setFence}, N, N, U, N, "yes", "order"},
		{"sum of both is no difference", Mutation{Guard: Cmp{LT, Apply{Add, []Term{fenceCol, tok}}, Const{10}}, Set: setFence}, U, U, U, U, "regress", "order"},
		{"margin", Mutation{Guard: Cmp{LT, fenceCol, Apply{Add, []Term{tok, Const{5}}}}, Set: setFence}, A, A, A, N, "regress", "order"},
		{"contiguous", Mutation{Guard: Cmp{EQ, fenceCol, Apply{Sub, []Term{tok, Const{1}}}}, Set: setFence}, N, N, A, N, "yes", "order"},
		{"literal only", Mutation{Guard: Cmp{LT, fenceCol, Const{7}}, Set: setFence}, A, A, A, N, "regress", "order"},
		{"around literals", Mutation{Guard: And{[]Cond{Or{[]Cond{same, Cmp{EQ, fenceCol, Const{41}}}}, Cmp{EQ, Apply{Add, []Term{fenceCol, Const{1}}}, tok}}}, Set: setFence}, N, N, A, N, "yes", "order"},
		{"maximum without guard", Mutation{Set: []Assign{{"f", Apply{Greatest, []Term{fenceCol, tok}}}, {"p", Input{"$2"}}}}, A, A, A, A, "yes", "order"},
		{"only the maximum", Mutation{Set: []Assign{{"f", Apply{Greatest, []Term{fenceCol, tok}}}}}, N, N, A, A, "yes", "perColumn"},
		{"maximum that keeps NULL", Mutation{Set: []Assign{{"f", Apply{GreatestNull, []Term{fenceCol, tok}}}}}, N, N, A, N, "yes", "perColumn"},
		{"per column", Mutation{Set: []Assign{{"p", Case{[]Arm{{newer, Input{"$2"}}}, col("p")}}, {"f", Apply{Greatest, []Term{fenceCol, tok}}}}}, N, N, A, A, "yes", "perColumn"},
		{"per column, fence first, in order", Mutation{Sequential: true, Set: []Assign{{"f", tok}, {"p", Case{[]Arm{{newer, Input{"$2"}}}, col("p")}}}}, A, N, A, A, "regress", "order"},
		{"cleared", Mutation{Guard: newer, Set: []Assign{{"f", Null{}}}}, N, N, A, N, "other", "order"},
		{"another value", Mutation{Guard: newer, Set: []Assign{{"f", Input{"$3"}}}}, N, N, A, N, "other", "order"},
		{"kept", Mutation{Guard: newer, Set: []Assign{{"f", fenceCol}, {"p", Input{"$2"}}}}, N, N, A, N, "keeps", "order"},
		{"delete", Mutation{Kind: Delete, Guard: newer}, N, N, A, N, "na", "order"},
		{"insert", Mutation{Kind: Insert, InsertPath: Only, InsertRow: setFence}, A, A, A, A, "absent", "insertOnly"},
		{"blocked", Mutation{Guard: And{[]Cond{newer, Cmp{GT, fenceCol, tok}}}, Set: setFence}, N, N, N, N, "yes", "blocked"},
		{"text order", Mutation{Guard: Cmp{LT, Apply{CastText, []Term{fenceCol}}, Apply{CastText, []Term{tok}}}, Set: setFence}, A, N, A, N, "regress", "order"},
		{"text and back", Mutation{Guard: Cmp{LT, fenceCol, Apply{CastInt, []Term{Apply{CastText, []Term{tok}}}}}, Set: setFence}, N, N, A, N, "yes", "order"},
		{"float", Mutation{Guard: Cmp{LT, Apply{CastFloat, []Term{fenceCol}}, tok}, Set: setFence}, U, N, A, N, "yes", "order"},
		{"problem", Mutation{Guard: newer, Set: setFence, Problems: []Problem{{Reason: "x"}}}, U, U, U, U, "yes", "order"},
		{"other row", Mutation{Guard: Cmp{EQ, Stored{Column: "e", Row: Other, Table: "l"}, tok}, Set: setFence[1:]}, N, A, N, N, "absent", "otherRow"},
		{"locked row", Mutation{Guard: Cmp{EQ, Stored{Column: "e", Row: LockedOther, Table: "l"}, tok}, Set: setFence[1:]}, N, A, N, N, "absent", "otherRow"},
		{"absent is false, negated", Mutation{Semantics: MissingFalse, Guard: Not{Cmp{GE, fenceCol, tok}}, Set: setFence}, N, N, A, A, "yes", "order"},
		{"absent is unknown, negated", Mutation{Guard: Not{Cmp{GE, fenceCol, tok}}, Set: setFence}, N, N, A, N, "yes", "order"},
		{"no row yet", Mutation{Semantics: MissingFalse, Guard: Or{[]Cond{NoRow{}, newer}}, Set: setFence}, N, N, A, A, "yes", "order"},
		{"absent is zero", Mutation{Semantics: MissingZero, Guard: newer, Set: setFence}, N, N, A, A, "yes", "order"},
		{"absent raises", Mutation{Semantics: MissingRaises, Guard: Not{Cmp{GE, fenceCol, tok}}, Set: setFence}, N, N, A, N, "yes", "order"},
		{"absent is asked first", Mutation{Semantics: MissingRaises, Guard: Or{[]Cond{IsNull{fenceCol}, newer}}, Set: setFence}, N, N, A, A, "yes", "order"},
		{"absent is asked last", Mutation{Semantics: MissingRaises, Guard: Or{[]Cond{newer, IsNull{fenceCol}}}, Set: setFence}, N, N, A, N, "yes", "order"},
		{"$ne of documents", Mutation{Semantics: MissingMongo, Guard: Cmp{NE, fenceCol, tok}, Set: setFence}, A, N, A, A, "regress", "order"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := Prove(&tt.m, tokenIs1)
			if got, want := [4]Admission{v.Less, v.Equal, v.Greater, v.Null}, [4]Admission{tt.less, tt.equal, tt.greater, tt.nul}; got != want {
				t.Errorf("admits %v, want %v", got, want)
			}
			if v.Advances != tt.advances || v.Shape != tt.shape {
				t.Errorf("advances %q, shape %q; want %q, %q", v.Advances, v.Shape, tt.advances, tt.shape)
			}
		})
	}
}

func TestRejectsStale(t *testing.T) {
	other := Cmp{LE, Stored{Column: "e", Row: Other, Table: "l"}, tok}
	ambiguous := Cmp{LE, Stored{Column: "e", Row: Other, Table: Ambiguous}, tok}
	gate := &Mutation{Resource: "g", Guard: newer, Set: setFence}
	open := &Mutation{Resource: "g", Set: setFence}
	pay := setFence[1:]
	tests := []struct {
		name  string
		m     *Mutation
		want  Tri
		shape string
	}{
		{"row of another table", &Mutation{Guard: other, Set: pay}, No, "otherRow"},
		{"the same, locked before", (&Mutation{Guard: other, Set: pay}).Lock("l"), Yes, "otherRow"},
		{"another table locked", (&Mutation{Guard: other, Set: pay}).Lock("m"), No, "otherRow"},
		{"row of an unknown table", &Mutation{Guard: ambiguous, Set: pay}, Unknown, "otherRow"},
		{"own guard beside it", &Mutation{Guard: And{[]Cond{other, newer}}, Set: setFence}, Yes, "order"},
		{"gate", &Mutation{Guard: Gate{gate}, Set: pay}, Yes, "cte"},
		{"gate among others", &Mutation{Guard: And{[]Cond{Atom{Key: "x"}, Exists{Of: Gate{gate}}}}, Set: pay}, Yes, "cte"},
		{"gate not required", &Mutation{Guard: Or{[]Cond{Atom{Key: "x"}, Gate{gate}}}, Set: pay}, No, "none"},
		{"gate negated", &Mutation{Guard: Not{Gate{gate}}, Set: pay}, No, "none"},
		{"gate without a guard", &Mutation{Guard: Gate{open}, Set: pay}, No, "none"},
		{"gate of a gate", &Mutation{Guard: Gate{&Mutation{Resource: "h", Guard: Gate{gate}, Set: pay}}, Set: pay}, Yes, "cte"},
		{"insert behind a gate", &Mutation{Kind: Insert, InsertPath: Only, Guard: Gate{gate}}, Yes, "cte"},
		{"insert behind a locked row", (&Mutation{Kind: Insert, InsertPath: Only, Guard: other}).Lock("l"), Yes, "otherRow"},
		{"truncate", &Mutation{Kind: Truncate, Resource: "t"}, No, "none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := Prove(tt.m, tokenIs1)
			if v.RejectsStale != tt.want || v.Shape != tt.shape {
				t.Errorf("rejects stale: %v, shape %q; want %v, %q (%q)", v.RejectsStale, v.Shape, tt.want, tt.shape, v.Problems)
			}
		})
	}
}

func TestMissingToken(t *testing.T) {
	tests := []struct {
		name       string
		guard      Cond
		zero, null Admission
	}{
		{"plain", newer, Never, Never},
		{"zero opens", Or{[]Cond{Cmp{EQ, tok, Const{0}}, newer}}, Admitted, Never},
		{"null opens", Or{[]Cond{IsNull{tok}, newer}}, Never, Admitted},
		{"default is huge", Cmp{LT, fenceCol, Apply{Coalesce, []Term{tok, Const{1 << 62}}}}, Never, Admitted},
		{"negated comparison", Is{Not{newer}, Unknown3}, Never, Admitted},
	}
	for _, tt := range tests {
		v := Prove(&Mutation{Guard: tt.guard, Set: setFence}, tokenIs1)
		if v.ZeroToken != tt.zero || v.NullToken != tt.null {
			t.Errorf("%s: zero %v, null %v; want %v, %v", tt.name, v.ZeroToken, v.NullToken, tt.zero, tt.null)
		}
	}
}

func TestReplayAndCas(t *testing.T) {
	seq := Input{"$2"}
	row := Row(LT, []Term{fenceCol, col("s")}, []Term{tok, seq})
	bump := Apply{Add, []Term{col("s"), Const{1}}}
	tests := []struct {
		name   string
		guard  Cond
		set    Term
		replay string
		cas    []Cas
	}{
		{"row value", row, seq, "sequence", nil},
		{"row value, sequence not stored", row, Const{3}, "", nil},
		{"OR form", Or{[]Cond{newer, And{[]Cond{same, Cmp{GT, seq, col("s")}}}}}, seq, "sequence", nil},
		{"equal sequence passes", And{[]Cond{notOlder, Cmp{LE, col("s"), seq}}}, seq, "", nil},
		{"moved version", And{[]Cond{notOlder, Cmp{EQ, col("s"), seq}}}, bump, "cas", []Cas{{"s", "$2", true}}},
		{"version not moved", And{[]Cond{notOlder, Cmp{EQ, seq, col("s")}}}, seq, "", []Cas{{"s", "$2", false}}},
		{"version in an OR", Or{[]Cond{notOlder, Cmp{EQ, seq, col("s")}}}, bump, "", nil},
		{"version negated", And{[]Cond{notOlder, Not{Cmp{NE, seq, col("s")}}}}, bump, "cas", []Cas{{"s", "$2", true}}},
		{"state", And{[]Cond{notOlder, Cmp{EQ, col("s"), Lit{"open"}}}}, Lit{"done"}, "cas", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := Prove(&Mutation{Guard: tt.guard, Set: []Assign{{"f", tok}, {"s", tt.set}, {"p", Input{"$9"}}}}, tokenIs1)
			got := ""
			if v.Replay != nil {
				got = v.Replay.Kind
			}
			if got != tt.replay {
				t.Errorf("replay %q, want %q (equal: %v)", got, tt.replay, v.Equal)
			}
			if !slices.Equal(v.Cas, tt.cas) {
				t.Errorf("cas %v, want %v", v.Cas, tt.cas)
			}
		})
	}
}

// TestCasOfDocuments: where an absent value is equal to an absent one, both may be absent.
func TestCasOfDocuments(t *testing.T) {
	same, bump := Cmp{EQ, col("s"), Input{"$2"}}, Apply{Add, []Term{col("s"), Const{1}}}
	moved := []Cas{{"s", "$2", true}}
	for _, tt := range []struct {
		name  string
		sem   Semantics
		guard Cond
		want  []Cas
	}{
		{"document", MissingMongo, same, moved},
		{"item", MissingRaises, same, moved},
		{"row", SQL3VL, same, moved},
		{"or absent", MissingMongo, Or{[]Cond{same, IsNull{col("s")}}}, nil},
		{"or null", SQL3VL, Or{[]Cond{same, IsNull{col("s")}}}, nil},
		{"at most", MissingMongo, Cmp{LE, col("s"), Input{"$2"}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := Prove(&Mutation{Semantics: tt.sem, Guard: tt.guard, Set: []Assign{{"s", bump}}}, tokenIs1)
			if !slices.Equal(v.Cas, tt.want) {
				t.Errorf("cas %v, want %v", v.Cas, tt.want)
			}
		})
	}
}

func TestVerdictNames(t *testing.T) {
	m := &Mutation{Guard: And{[]Cond{newer, Cmp{EQ, col("id"), Input{"$7"}}}}, Set: []Assign{{"f", Input{"$4"}}, {"stamp", tok}}}
	v := Prove(m, tokenIs1)
	if v.Column != "f" || !v.Compared || !v.StoredToken {
		t.Errorf("column %q, compared %v, stored %v", v.Column, v.Compared, v.StoredToken)
	}
	if !slices.Equal(v.GuardArgs, []Arg{"$1"}) || !slices.Equal(v.SetArgs, []Arg{"$4"}) || !slices.Equal(v.StoredIn, []string{"stamp"}) {
		t.Errorf("guard %v, set %v, stored in %v", v.GuardArgs, v.SetArgs, v.StoredIn)
	}
	if got := Fences(&Mutation{Guard: newer, Set: setFence}); !slices.Equal(got, []Fenced{{"f", "$1"}}) {
		t.Errorf("fences %v", got)
	}
	if got := Fences(m); got != nil {
		t.Errorf("fences %v of two arguments", got)
	}
	for _, clears := range []*Mutation{{Kind: Delete}, {Set: []Assign{{"f", Null{}}}}} {
		if !clears.Clears("f") {
			t.Errorf("%v does not clear", clears.Kind)
		}
	}
	if (&Mutation{Set: setFence}).Clears("f") {
		t.Error("a token clears")
	}
}

func TestMonotone(t *testing.T) {
	grow := Apply{GreatestNull, []Term{col("n"), Input{"$3"}}}
	for _, tt := range []struct {
		set  []Assign
		want bool
	}{
		{[]Assign{{"n", grow}}, true},
		{[]Assign{{"n", grow}, {"closed", Const{1}}}, true},
		{[]Assign{{"state", Lit{"done"}}}, true},
		{[]Assign{{"n", Apply{Add, []Term{col("n"), Const{1}}}}}, false},
		{[]Assign{{"n", Input{"$3"}}}, false},
		{[]Assign{{"m", grow}}, false},
		{nil, false},
	} {
		if got := Prove(&Mutation{Set: tt.set}, nil).Monotone; got != tt.want {
			t.Errorf("%v: monotone %v", tt.set, got)
		}
	}
}

func TestArg(t *testing.T) {
	for _, tt := range []struct {
		arg  Arg
		pos  int
		ok   bool
		name string
	}{
		{"$2", 1, true, ""}, {"?1", 0, true, ""}, {":3", 2, true, ""}, {"@p2", 1, true, "p2"}, {"@P2", 1, true, "P2"},
		{":fence", 0, false, "fence"}, {"@fence", 0, false, "fence"}, {"$fence", 0, false, "fence"}, {"@p", 0, false, "p"},
		{"$0", 0, false, ""}, {"", 0, false, ""}, {"$", 0, false, ""}, {"key", 0, false, ""}, {"$99999999999999999999", 0, false, "99999999999999999999"},
	} {
		pos, ok := tt.arg.Position()
		if pos != tt.pos || ok != tt.ok || tt.arg.Name() != tt.name {
			t.Errorf("%q: position %d %v, name %q", tt.arg, pos, ok, tt.arg.Name())
		}
	}
}

// TestTooMuch: what is too large to sample is undecided, never proved.
func TestTooMuch(t *testing.T) {
	var many, wide, deep Cond = newer, newer, newer
	for i := range 40 {
		many = Or{[]Cond{many, Cmp{EQ, fenceCol, Const{int64(i * 10)}}}}
	}
	for i := range 30000 {
		wide = And{[]Cond{newer, wide, Atom{Key: string(rune('a' + i%26))}}}
		if i > 100 {
			break
		}
	}
	list := make([]Cond, 30000)
	for i := range list {
		list[i] = newer
	}
	deep = And{list}
	for name, g := range map[string]Cond{"constants": many, "nodes": deep} {
		if v := Prove(&Mutation{Guard: g, Set: setFence}, tokenIs1); v.RejectsStale != Unknown || len(v.Problems) == 0 {
			t.Errorf("%s: rejects stale %v, problems %q", name, v.RejectsStale, v.Problems)
		}
	}
	if v := Prove(&Mutation{Guard: wide, Set: setFence}, tokenIs1); v.RejectsStale != Yes {
		t.Errorf("nested: rejects stale %v, problems %q", v.RejectsStale, v.Problems)
	}
	columns := make([]Cond, 40)
	for i := range columns {
		columns[i] = Cmp{LT, col(string(rune('A' + i))), tok}
	}
	if v := Prove(&Mutation{Guard: And{columns}, Set: setFence}, tokenIs1); v.RejectsStale != Unknown {
		t.Errorf("columns: rejects stale %v", v.RejectsStale)
	}
}

// TestDeterministic: the same mutation gives the same verdict every time.
func TestDeterministic(t *testing.T) {
	g := maker{rand.New(rand.NewPCG(5, 5))}
	for range 50 {
		m := g.mutation()
		a, b := Prove(m, tokenIs1), Prove(m, tokenIs1)
		if a.Column != b.Column || a.Less != b.Less || a.Shape != b.Shape || len(a.Witnesses) != len(b.Witnesses) {
			t.Fatalf("%+v\n%+v", a, b)
		}
	}
}

func FuzzProve(f *testing.F) {
	for i := range uint64(20) {
		f.Add(i, i*7)
	}
	f.Fuzz(func(t *testing.T, a, b uint64) {
		g := maker{rand.New(rand.NewPCG(a, b))}
		m := g.mutation()
		v := Prove(m, tokenIs1)
		if (v.Less == Never) != (v.RejectsStale == Yes) && v.Shape != "otherRow" {
			t.Errorf("less %v, rejects stale %v", v.Less, v.RejectsStale)
		}
		for _, w := range v.Witnesses {
			if w.Class == "t<f" && w.Token >= w.Fence {
				t.Errorf("witness %+v", w)
			}
		}
	})
}
