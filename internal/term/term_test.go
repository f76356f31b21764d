package term

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestFieldOfStruct(t *testing.T) {
	one := NewConst("int", "1")
	plain := NewStruct("p.T", "", []string{"p.T.a"}, []*Term{one})
	made := NewStruct("p.T", "f@1", []string{"p.T.a"}, []*Term{one})
	for _, c := range []struct {
		name string
		got  *Term
		want string
	}{
		{"set", NewField("p.T.a", plain), "1"},
		{"not set", NewField("p.T.b", plain), "0"},
		{"set, with an identity", NewField("p.T.a", made), "1"},
		{"not set, with an identity: somebody may set it", NewField("p.T.b", made), "p.T{…}.b"},
		{"settled: nobody did", Settle(NewField("p.T.b", made)), "0"},
		{"of nil", NewField("p.T.a", Nil), "0"},
		{"of one of two", NewField("p.T.a", NewAlt(plain, NewParam(2))), "1 or parameter 2.a"},
		{"of one that is there: what is nil has no field", NewField("p.T.a", NewAlt(plain, Nil)), "1"},
		{"of a parameter", NewField("p.T.a", NewParam(2)), "parameter 2.a"},
	} {
		if s := c.got.String(); s != c.want {
			t.Errorf("%s: got %s, want %s", c.name, s, c.want)
		}
	}
}

func TestShow(t *testing.T) {
	call := func(name string, args ...*Term) *Term { return &Term{Kind: Call, Str: name, Args: args} }
	p := NewParam(0)
	for _, c := range []struct {
		got  *Term
		want string
	}{
		{call("time.Now"), "time.Now()"},
		{call("time.Time.UnixNano", call("time.Now")), "time.Now().UnixNano()"},
		{call("(*example.org/x/clock.Clock).Read", p), "parameter 0.Read()"},
		{call("github.com/redis/go-redis/v9.cmdable.Incr", NewField("github.com/redis/go-redis/v9.Client.cmdable", p), NewString("n")), `parameter 0.Incr("n")`},
		{call("net/http.Header.Get", NewField("net/http.Request.Header", p), NewString("n")), `parameter 0.Header.Get("n")`},
		{call("net/http.Header.Get", NewUnknown(""), NewString("n")), `http.Header.Get(?, "n")`},
		{call("github.com/redis/go-redis/v9.NewClient"), "go-redis.NewClient()"},
		{call("gopkg.in/yaml.v3.Marshal", p), "yaml.v3.Marshal(parameter 0)"},
	} {
		if s := c.got.String(); s != c.want {
			t.Errorf("got %s, want %s", s, c.want)
		}
	}
}

func TestConcatMelts(t *testing.T) {
	got := NewConcat(NewString("UPDATE "), NewConcat(NewString("a"), NewParam(0)), NewString(" SET"), NewString(" x"))
	if got.Kind != Concat || len(got.Args) != 3 || got.Args[0].Str != "UPDATE a" || got.Args[2].Str != " SET x" {
		t.Errorf("got %s", got)
	}
	if s := NewConcat(); s.Str != "" || s.Kind != Const {
		t.Errorf("of nothing: %s", s)
	}
}

func TestAltIsASet(t *testing.T) {
	a, b := NewString("a"), NewString("b")
	if x, y := NewAlt(a, b, a), NewAlt(NewAlt(b), a); !x.Equal(y) || len(x.Args) != 2 {
		t.Errorf("%s is not %s", x, y)
	}
	if NewAlt(a, a) != a {
		t.Error("one value is no alternative")
	}
	many := make([]*Term, MaxAlternatives+1)
	for i := range many {
		many[i] = NewParam(i)
	}
	if NewAlt(many...).Kind != Unknown {
		t.Error("more alternatives than the limit must be unknown")
	}
}

func TestApply(t *testing.T) {
	token := NewCall("lock.Epoch", "", 0, NewParam(0))
	ctx := NewCall("context.WithValue", "g@3", 0, NewParam(1), NewString("k"), token)
	s := &Subst{Params: []*Term{NewGlobal("p.mu"), NewCall("context.Background", "f@1", 0)}, Site: "f@7"}
	want := "context.WithValue(context.Background(), \"k\", lock.Epoch(p.mu))"
	got := s.Apply(ctx)
	if got.String() != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got.Site != "f@7/g@3" || got.Args[0].Site != "f@1" {
		t.Errorf("sites %q of what the callee made, %q of what it was given", got.Site, got.Args[0].Site)
	}
	if u := s.Apply(NewParam(5)); u.Kind != Unknown {
		t.Errorf("a parameter without an argument became %s", u)
	}
	if u := (&Subst{}).Apply(ctx); u != ctx {
		t.Error("an empty substitution changed the term")
	}
}

// TestKeys: two random terms have equal keys only if they were built alike.
func TestKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := make(map[string]string)
	for range 5000 {
		x, how := randomTerm(r, 4)
		if old, ok := seen[x.Key()]; ok && old != how {
			t.Fatalf("one key for two terms:\n%s\n%s", old, how)
		}
		seen[x.Key()] = how
		if x.Size() > MaxSize {
			t.Fatalf("size %d", x.Size())
		}
	}
}

// randomTerm builds a term without the constructors that simplify, and tells how.
func randomTerm(r *rand.Rand, depth int) (*Term, string) {
	if depth == 0 || r.IntN(4) == 0 {
		n := r.IntN(3)
		return []*Term{NewParam(n), NewFree(n), NewString("s"), NewConst("int", "5"), NewGlobal("p.v")}[n], []string{"p0", "f1", "s"}[n]
	}
	a, ha := randomTerm(r, depth-1)
	b, hb := randomTerm(r, depth-1)
	switch r.IntN(4) {
	case 0:
		n := r.IntN(2)
		return NewCall("f", "", n, a, b), "f" + strconv.Itoa(n) + "(" + ha + "," + hb + ")"
	case 1:
		return NewOp("+", a, b), "(" + ha + "+" + hb + ")"
	case 2:
		return NewList(false, a, b), "[" + ha + "," + hb + "]"
	}
	return NewStruct("T", "", []string{"x", "y"}, []*Term{a, b}), "{" + ha + "," + hb + "}"
}

func TestFunctionValueStaysKnown(t *testing.T) {
	large := NewParam(0)
	for range MaxSize - 2 {
		large = NewOp("!", large)
	}
	inner := NewClosure("f$1", large)
	outer := NewClosure("f$2", inner, large)
	if outer.Kind != Closure || outer.Args[0].Kind != Closure || outer.Args[0].Str != "f$1" || outer.Args[1].Kind != Unknown {
		t.Errorf("got %v of %v", outer, outer.Args)
	}
	if b := NewBound("m", NewStruct("T", "", []string{"a", "b"}, []*Term{large, large})); b.Kind != Bound {
		t.Errorf("got %v", b)
	}
}

// The method of a request is what it was made with, however large its other parts are.
func TestMethodOfRequest(t *testing.T) {
	const field = "net/http.Request.Method"
	get, unseen := NewString("GET"), NewUnknown("")
	for maker, args := range map[string][]*Term{
		"net/http.NewRequest":            {get, unseen, unseen},
		"net/http.NewRequestWithContext": {unseen, get, unseen, unseen},
	} {
		if got := NewField(field, NewCall(maker, "1", 0, args...)); !got.Equal(get) {
			t.Errorf("%s: %v", maker, got)
		}
	}
	if got := NewField(field, NewCall("net/http.ReadRequest", "1", 0, get)); got.Kind != Field {
		t.Errorf("ReadRequest: %v", got)
	}
}

func TestInnermostSite(t *testing.T) {
	for site, want := range map[string]string{
		"(*example.org/a/b.T).F$1@3":           "(*example.org/a/b.T).F$1@3",
		"example.org/a.F@1/example.org/b.G@22": "example.org/b.G@22",
		"#k3j/example.org/b.G@22":              "example.org/b.G@22",
		"example.org/a.F@1/#k3j/b.G@22":        "b.G@22",
		"":                                     "",
	} {
		if got := InnermostSite(site); got != want {
			t.Errorf("InnermostSite(%q) = %q, want %q", site, got, want)
		}
	}
}
