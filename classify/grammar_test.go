package classify

import (
	"reflect"
	"strings"
	"testing"
)

// Places for a directive, which stands for $.
const (
	onStmt   = "package p\n\nfunc f() {\n\t$\n\tg()\n}\n"
	onFunc   = "package p\n\n$\nfunc f(n, turn int, _ bool) {}\n"
	onMethod = "package p\n\ntype i interface {\n\t$\n\tM(n, turn int)\n}\n"
	onField  = "package p\n\ntype s struct {\n\t$\n\tf func(n, turn int)\n}\n"
	onType   = "package p\n\n$\ntype row struct{}\n"
	onVar    = "package p\n\n$\nvar v int\n"
	onGroup  = "package p\n\n$\nvar (\n\tv, w int\n)\n"
	onClause = "$\npackage p\n"
	onTest   = "-- p_test.go --\npackage p\n\nimport \"testing\"\n\n$\nfunc TestStale(t *testing.T) {}\n"
)

// TestGrammar reads one directive at one place. want is part of the only
// problem, "" if there is none.
func TestGrammar(t *testing.T) {
	tests := []struct{ place, line, want string }{
		// lock
		{onStmt, `lock efficiency`, ""},
		{onStmt, `lock correctness`, ""},
		{onStmt, `lock efficiency reason="two sweeps find the same"`, ""},
		{onStmt, "lock efficiency reason=`two sweeps`", ""},
		{onStmt, `lock correctness activated`, ""},
		{onStmt, `lock activated correctness`, ""},
		{onStmt, "lock\tcorrectness  resource=booths contract=fence activated replay=sequence", ""},
		{onFunc, `lock correctness contract=owner`, ""},
		{onMethod, `lock correctness contract=session`, ""},
		{onField, `lock correctness contract=cas replay=transaction`, ""},
		{onType, `lock correctness replay=idempotent`, ""},
		{onVar, `lock efficiency`, ""},
		{onGroup, `lock efficiency`, ""},
		{onClause, `lock efficiency`, ""},
		{onStmt, `lock efficiency // a remark`, ""},
		{onStmt, `lock eficiency // a remark`, `unknown word "eficiency" on lock; did you mean efficiency?`},
		{onStmt, `lock eff`, `did you mean efficiency?`},
		{onStmt, `lock Correctness`, `did you mean correctness?`},
		{onStmt, `lock corectnes`, `did you mean correctness?`},
		{onStmt, `lock critical`, `unknown word "critical" on lock; the class is efficiency or correctness`},
		{onStmt, `lock`, `lock needs a class`},
		{onStmt, `lock // correctness`, `lock needs a class`},
		{onStmt, `lock activated`, `lock needs a class`},
		{onStmt, `lock resource=a`, `lock needs a class`},
		{onStmt, `lock efficiency correctness`, `more than one class`},
		{onStmt, `lock correctness correctness`, `more than one class`},
		{onStmt, `lock correctness activatd`, `did you mean activated?`},
		{onStmt, `lock correctness activated activated`, `activated is there twice`},
		{onStmt, `lock correctness activated=true`, `activated is a word without a value`},
		{onStmt, `lock efficiency activated`, `activated goes with lock correctness`},
		{onStmt, `lock efficiency contract=fence`, `contract= goes with lock correctness, not with lock efficiency`},
		{onStmt, `lock efficiency resource=a`, `resource= goes with lock correctness`},
		{onStmt, `lock correctness reason="why"`, `reason= goes with lock efficiency`},
		{onStmt, `lock correctness contrat=fence`, `unknown key contrat= on lock; did you mean contract=?`},
		{onStmt, `lock correctness fence=turn`, `fence= goes with writes or resource`},
		{onStmt, `lock correctness colour=red`, `it takes reason=, resource=, contract= or replay=`},
		{onStmt, `lock correctness contract=fenced`, `unknown value contract=fenced; did you mean fence?`},
		{onStmt, `lock correctness contract=lease`, `use fence, owner, session or cas`},
		{onStmt, `lock correctness replay=seq`, `did you mean sequence?`},
		{onStmt, `lock correctness contract=fence contract=owner`, `contract= is there twice`},
		{onStmt, `lock correctness resource=`, `resource= has no value`},
		{onStmt, `lock correctness resource=""`, `resource= is empty`},
		{onStmt, `lock correctness resource = booths`, `"=" has no key`},
		{onStmt, `lock correctness =booths`, `"=booths" has no key`},
		{onStmt, `lock efficiency reason="open`, `reason= has a value that is no Go string`},
		{onStmt, `lock efficiency reason="a"b`, `reason= has a value that is no Go string`},
		{onStmt, `lock efficiency reason="\q"`, `reason= has a value that is no Go string`},
		{onStmt, `lock efficiency "two sweeps"`, `a quoted text needs a key before it`},
		{onStmt, `lock efficiency reason=two sweeps find the same`, `stray word "sweeps" after reason=`},
		{onStmt, `lock correctness contrat=fence replay=no`, `; also: unknown value replay=no`},
		// accept
		{onStmt, `accept unfencedwrite reason="rebuilt every night"`, ""},
		{onStmt, `accept unfencedwrite reason=rebuilt compensation="a letter" until=2999-12-31 owner=editors`, ""},
		{onFunc, `accept unfencedwrite reason=rebuilt`, ""},
		{onField, `accept unfencedwrite reason=rebuilt`, ""},
		{onType, `accept unfencedwrite reason=rebuilt`, ""},
		{onVar, `accept unfencedwrite reason=rebuilt`, ""},
		{onClause, `accept unfencedwrite reason=rebuilt`, ""},
		{onStmt, `accept unfencedwrite`, `accept needs reason=`},
		{onStmt, `accept unfencedwrite reason=""`, `reason= is empty`},
		{onStmt, `accept unfencedwrite reason="  "`, `reason= is empty`},
		{onStmt, `accept unfencedwrite reason=`, `reason= has no value`},
		{onStmt, `accept unfencedwrites reason=rebuilt`, `unknown rule "unfencedwrites"; did you mean unfencedwrite?`},
		{onStmt, `accept everything reason=rebuilt`, `unknown rule "everything"; write the rule`},
		{onStmt, `accept reason=rebuilt`, `accept needs the name of the rule`},
		{onStmt, `accept`, `accept needs the name of the rule`},
		{onStmt, `accept unfencedwrite casnotfence reason=rebuilt`, `accept answers one rule, but "casnotfence" stands there too`},
		{onStmt, `accept unfencedwrite reason=rebuilt casnotfence`, `accept answers one rule`},
		{onStmt, `accept unfencedwrite reason=rebuilt until=2999-02-31`, `until=2999-02-31 is no day of the calendar`},
		{onStmt, `accept unfencedwrite reason=rebuilt until=2027-2-3`, `write YYYY-MM-DD`},
		{onStmt, `accept unfencedwrite reason=rebuilt until=tomorrow`, `write YYYY-MM-DD`},
		{onStmt, `accept unfencedwrite reason=rebuilt until=2028-02-29`, ""},
		{onStmt, `accept unfencedwrite raeson=rebuilt`, `did you mean reason=?`},
		// roles
		{onFunc, `acquires`, ""},
		{onMethod, `releases`, ""},
		{onField, `token`, ""},
		{onFunc, `lost // a remark`, ""},
		{onFunc, `acquires lock`, `acquires takes no word, but "lock" stands there; delete it`},
		{onFunc, `acquires resource=a`, `unknown key resource= on acquires; resource= goes with lock, writes or staletest`},
		{onFunc, `aquires`, `unknown directive "aquires"; did you mean acquires?`},
		{onStmt, `acquires`, `acquires stands on a statement; it goes on a function, an interface method or a field`},
		{onType, `releases`, `releases stands on a type`},
		{onVar, `token`, `token stands on a variable or constant`},
		{onClause, `lost`, `lost stands on a package clause`},
		{onGroup, `lost`, `lost stands on a group of declarations`},
		// writes
		{onFunc, `writes resource=loans fence=turn kind=store`, ""},
		{onMethod, `writes resource=loans fence=turn idempotency=n kind=queue`, ""},
		{onField, `writes resource=loans idempotency=n kind=external`, ""},
		{onField, `writes resource=loans kind=cache`, ""},
		{onField, `writes resource=loans kind=local`, ""},
		{onFunc, `writes`, `writes needs resource=`},
		{onFunc, `writes loans`, `writes takes no word, but "loans" stands there; it takes resource=, fence=, idempotency= or kind=`},
		{onFunc, `writes resource=loans kind=shop`, `unknown value kind=shop; use store, cache`},
		{onFunc, `writes resource=loans fence=trun`, `fence=trun names no parameter; did you mean turn?`},
		{onMethod, `writes resource=loans fence=epoch`, `fence=epoch names no parameter; its parameters are n, turn`},
		{onField, `writes resource=loans idempotency=key`, `idempotency=key names no parameter`},
		{onFunc, `writes resource=loans fence=_`, `fence=_ names no parameter`},
		{onType, `writes resource=loans`, `writes stands on a type`},
		{onStmt, `writes resource=loans`, `writes stands on a statement`},
		// resource
		{onType, `resource name=loans fence=turn`, ""},
		{onClause, `resource name=loans`, ""},
		{onType, `resource loans`, `resource takes no word, but "loans" stands there; it takes name= or fence=; also: resource needs name=`},
		{onType, `resource nam=loans`, `did you mean name=?`},
		{onFunc, `resource name=loans`, `resource stands on a function; it goes on a type or a package clause`},
		{onField, `resource name=loans`, `resource stands on a field`},
		// admin
		{onFunc, `admin reason="repairs by hand"`, ""},
		{onClause, `admin`, ""},
		{onType, `admin`, `admin stands on a type; it goes on a function or a package clause`},
		{onStmt, `admin reason=repair`, `admin stands on a statement`},
		// root
		{onClause, `root`, ""},
		{onClause, `root // the library's own roots`, ""},
		{onClause, `root here`, `root takes no word`},
		{onClause, `root reason=x`, `unknown key reason= on root; reason= goes with lock, accept or admin`},
		{onFunc, `root`, `root stands on a function; it goes on a package clause`},
		// staletest
		{onTest, `staletest resource=cells`, ""},
		{onTest, `staletest`, `staletest needs resource=`},
		{onFunc, `staletest resource=cells`, `staletest stands on a function that is no test`},
		{onType, `staletest resource=cells`, `staletest stands on a type; it goes on a function`},
		{onFunc, `admin reasn`, `admin takes no word, but "reasn" stands there; did you mean reason=?`},
		{onStmt, `accept unfencedwrite reason=the row casnotfence`, `; also: accept answers one rule`},
		{onFunc, "writes resource=a kind=\x1b[31m", `unknown value kind=` + "\uFFFD[31m;"},
		{onStmt, `lock a b c d e`, `; also: 2 more faults`},
		{onStmt, `lock ` + strings.Repeat("x", 5000), `xxx..."`},
		// unknown verbs
		{onStmt, `lok efficiency`, `unknown directive "lok"; did you mean lock?`},
		{onStmt, `lock,efficiency`, `unknown directive "lock,efficiency"; the directives are lock, accept,`},
		{onStmt, `zzz`, `unknown directive "zzz"; the directives are`},
	}
	for _, tt := range tests {
		p := read(t, strings.Replace(tt.place, "$", "//fencelint:"+tt.line, 1))
		got := p.Problems()
		switch {
		case tt.want == "" && len(got) > 0:
			t.Errorf("%s: got problem %q, want none", tt.line, got[0].Message)
		case tt.want != "" && len(got) != 1:
			t.Errorf("%s: got %d problems, want one with %q", tt.line, len(got), tt.want)
		case tt.want != "" && !strings.Contains(got[0].Message, tt.want):
			t.Errorf("%s: got %q, want it to contain %q", tt.line, got[0].Message, tt.want)
		}
		if p.Empty() {
			t.Errorf("%s: the set is empty", tt.line)
		}
	}
}

func TestArguments(t *testing.T) {
	line := "//fencelint:lock  correctness\tresource=\"two words\" contract=fence replay=`sequence` activated // x"
	p := parse(1, line, nil)
	if p == nil || p.Faulty() {
		t.Fatalf("parse: %+v", p)
	}
	want := []Arg{{"resource", "two words", 31}, {"contract", "fence", 52}, {"replay", "sequence", 67}}
	if !reflect.DeepEqual(p.Args, want) {
		t.Errorf("Args = %v, want %v", p.Args, want)
	}
	if words := []string{"correctness", "activated"}; !reflect.DeepEqual(p.Words, words) {
		t.Errorf("Words = %q, want %q", p.Words, words)
	}
	if want := strings.TrimSuffix(line, " // x"); p.Text != want || int(p.End-p.Pos) != len(want) {
		t.Errorf("Text = %q, want %q", p.Text, want)
	}
	if l := lockOf(p); *l != (Lock{Correctness, "two words", "fence", "sequence", "", true, p.Directive}) {
		t.Errorf("lock = %+v", l)
	}
}

// TestStillRead takes what is right of a faulty directive.
func TestStillRead(t *testing.T) {
	tests := []struct {
		line string
		want Lock
	}{
		{"lock correctness contrat=fence", Lock{Class: Correctness}},
		{"lock correctness contract=fenced resource=a", Lock{Class: Correctness, Resource: "a"}},
		{"lock correctness correctness", Lock{Class: Correctness}},
		{"lock efficiency contract=fence", Lock{Class: Efficiency}},
		{"lock efficiency activated", Lock{Class: Efficiency}},
		{"lock efficiency correctness", Lock{}},
		{"lock correctness reason=\"open", Lock{Class: Correctness}},
		{"lock eficiency", Lock{}},
		{"lock resource=a", Lock{Resource: "a"}},
	}
	for _, tt := range tests {
		p := parse(1, "//fencelint:"+tt.line, nil)
		got := *lockOf(p)
		got.Dir = nil
		if got != tt.want || !p.Faulty() {
			t.Errorf("%s: got %+v (faulty %v), want %+v", tt.line, got, p.Faulty(), tt.want)
		}
	}
}
