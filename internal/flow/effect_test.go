package flow

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// analyse runs flow over a package without imports.
func analyse(t *testing.T, src string) *Analysis {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p\n"+src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	pkg, err := (&types.Config{GoVersion: "go1.26"}).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	return Run(Input{Fset: fset, Files: []*ast.File{file}, Pkg: pkg, Info: info, Models: model.Builtin()})
}

func TestAttemptCounter(t *testing.T) {
	for name, tc := range map[string]struct {
		body string
		want bool
	}{
		"retry":             {`for i := 0; i < 3; i++ { if err := try(); err == nil { return i } }; return -1`, true},
		"retry, turned":     {`for i := 0; i < 3; i++ { err := try(); if err != nil { continue }; return i }; return -1`, true},
		"retry with break":  {`n := 0; for { if try() == nil { break }; n++ }; return n`, true},
		"retry over range":  {`for i := range 3 { if try() == nil { return i } }; return -1`, true},
		"items":             {`for i := range xs { if err := try(); err != nil { return i } }; return -1`, false},
		"items, go on":      {`n := 0; for i := 0; i < len(xs); i++ { if err := try(); err != nil { n = i; continue } }; return n`, false},
		"count down, retry": {`i := 3; for i > 0 { if try() == nil { return i }; i-- }; return -1`, true},
		"no loop":           {`i := 0; if try() == nil { i++ }; return i`, false},
		"retry of an item":  {`for i := range xs { for { if try() == nil { break } }; if xs[i] == "" { return i } }; return -1`, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := analyse(t, "func try() error { return nil }\nfunc f(xs []string) int {\n"+tc.body+"\n}\n")
			got := a.byName("p.f").Results[0].Any(func(u *term.Term) bool { return u.Str == AttemptCounter })
			if got != tc.want {
				t.Errorf("attempt counter in %s: %v", a.byName("p.f").Results[0], got)
			}
		})
	}
}

func TestHeaderValue(t *testing.T) {
	pair := func(name, val *term.Term) *term.Term { return term.NewCall(headerPair, "", 0, name, val) }
	s, p := term.NewString, term.NewParam(1)
	m := term.NewStruct("map", "", []string{s("Idempotency-Key").Key()}, []*term.Term{s("k")})
	for name, tc := range map[string]struct {
		store *term.Term
		which string
		want  string // "" for nothing
	}{
		"key":                {pair(s("Idempotency-Key"), p), keyHeader, "parameter 1"},
		"key in lower case":  {pair(s("idempotency-key"), p), keyHeader, "parameter 1"},
		"other header":       {pair(s("Accept"), p), keyHeader, ""},
		"other, among all":   {pair(s("X-Token"), p), anyHeader, "parameter 1"},
		"key is not sent":    {pair(s("Idempotency-Key"), p), anyHeader, ""},
		"unknown name":       {pair(term.NewParam(2), p), keyHeader, "?"},
		"map with the key":   {term.NewCall(headerAll, "", 0, m), keyHeader, `"k"`},
		"map without it":     {term.NewCall(headerAll, "", 0, term.NewStruct("map", "", nil, nil)), keyHeader, ""},
		"map that comes in":  {term.NewCall(headerAll, "", 0, p), keyHeader, `header in("net/http.Header.key", parameter 1)`},
		"not a header store": {p, keyHeader, ""},
	} {
		got := ""
		if v := headerValue(tc.store, tc.which); v != nil {
			got = v.String()
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

func TestNoHeader(t *testing.T) {
	header := func(req *term.Term) *term.Term {
		return &term.Term{Kind: term.Field, Str: keyHeader, Args: []*term.Term{{Kind: term.Field, Str: headerField, Args: []*term.Term{req}}}}
	}
	for name, tc := range map[string]struct {
		t    *term.Term
		want bool
	}{
		"made here":       {header(term.NewCall("net/http.NewRequest", "s", 0)), true},
		"literal":         {header(term.NewStruct("net/http.Request", "s", nil, nil)), true},
		"handed in":       {header(term.NewParam(0)), false},
		"made by others":  {header(term.NewCall("lib.Request", "s", 0)), false},
		"not a header":    {term.NewParam(0), false},
		"set to a string": {term.NewString("k"), false},
	} {
		if got := NoHeader(tc.t); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestEffectParts(t *testing.T) {
	key := term.NewString("k")
	e := &Event{Args: []*term.Term{term.NewParam(0), term.NewStruct(effectType, "", []string{EffectKey}, []*term.Term{key})}}
	if got := e.Effect(EffectKey); got != key {
		t.Errorf("key: %v", got)
	}
	if got := e.Effect(EffectMethod); got != nil {
		t.Errorf("method of an effect without one: %v", got)
	}
	for _, none := range []*Event{{}, {Args: []*term.Term{key}}} {
		if none.Effect(EffectKey) != nil {
			t.Error("a key where there is no effect")
		}
	}
}

func TestAfterFailure(t *testing.T) {
	call := &site{}
	inner, write := &Event{}, &Event{}
	inner.Outcomes = []Outcome{{Reaches: []*Event{write}}}
	inner.told = map[*Event][]string{write: {"failed"}}
	outer, copied := &Event{src: inner, site: call}, &Event{src: write, site: call}
	elsewhere := &Event{src: write, site: &site{}}
	if !AfterFailure(inner, write) || !AfterFailure(outer, copied) {
		t.Error("the write follows the failure, in the callee and through it")
	}
	if AfterFailure(outer, elsewhere) || AfterFailure(write, inner) {
		t.Error("another call's write does not follow")
	}
	if got := strings.Join(Told(outer, copied), ","); got != "failed" {
		t.Errorf("told %q", got)
	}
}

func TestFollows(t *testing.T) {
	a := analyse(t, "func a() {}\nfunc b() {}\nfunc c() {}\nfunc f(x bool) { if x { a() } else { b() }; c() }\nfunc g() { for { a(); b() } }\n")
	events := func(name string) map[string]*Event {
		out := map[string]*Event{}
		f := a.byID["p."+name]
		for _, blk := range f.f.Blocks {
			for _, in := range blk.Instrs {
				if c, ok := in.(interface{ String() string }); ok && strings.HasSuffix(c.String(), "()") {
					if call, ok := in.(ssa.CallInstruction); ok {
						out[strings.TrimSuffix(c.String(), "()")] = &Event{site: &site{call: call}}
					}
				}
			}
		}
		return out
	}
	f, g := events("f"), events("g")
	for _, tc := range []struct {
		e, v *Event
		want bool
	}{
		{f["a"], f["c"], true}, {f["a"], f["b"], false}, {f["c"], f["a"], false}, {g["b"], g["a"], true}, {g["a"], g["b"], true},
		{f["a"], &Event{}, false}, {&Event{Deferred: true, site: f["a"].site}, f["c"], false},
	} {
		if got := Follows(tc.e, tc.v); got != tc.want {
			t.Errorf("%v after %v: %v", tc.v.site, tc.e.site, got)
		}
	}
}

func TestEntryKeys(t *testing.T) {
	entry := func(key *term.Term) *term.Term {
		if key == nil {
			return term.NewStruct("q.Entry", "", nil, nil)
		}
		return term.NewStruct("q.Entry", "", []string{"q.Entry.Key"}, []*term.Term{key})
	}
	a, b, zero := term.NewString("a"), term.NewString("b"), term.NewConst("zero", "0")
	grown := term.NewOp("append", term.NewUnknown(term.FromItself), term.NewList(false, entry(b)))
	for _, c := range []struct {
		name       string
		list, want *term.Term
	}{
		{"written out", term.NewList(false, entry(a), entry(b)), term.NewAlt(a, b)},
		{"one without", term.NewList(false, entry(a), entry(nil)), term.NewAlt(a, zero)},
		{"added in a loop", term.NewAlt(term.Nil, grown), b},
		{"handed in", term.NewParam(0), term.NewUnknown("those of a list of messages that is not followed")},
		{"open", term.NewList(true, entry(a)), term.NewUnknown("those of a list of messages that is not followed")},
	} {
		if got := entryKeys(c.list, "Key"); !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
