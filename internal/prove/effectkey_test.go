package prove

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// judgeOf is a judge over a package without imports.
func judgeOf(t *testing.T, src string) *judge {
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
	m := model.Builtin()
	u := &Unit{Fset: fset, Files: []*ast.File{file}, Pkg: pkg, Info: info}
	return &judge{u: u, models: m, proofs: newProofs(), a: flow.Run(flow.Input{Fset: fset, Files: []*ast.File{file}, Pkg: pkg, Info: info, Models: m})}
}

func TestStability(t *testing.T) {
	j := judgeOf(t, "func draw() string { return \"\" }\nvar fixed = \"a\"\nvar drawn = draw()\n")
	call := func(fn string, args ...*term.Term) *term.Term { return term.NewCall(fn, "s", 0, args...) }
	s, p := term.NewString, term.NewParam(0)
	mutex := call("go.etcd.io/etcd/client/v3/concurrency.NewMutex", p)
	revision := term.NewField("go.etcd.io/etcd/api/v3/etcdserverpb.ResponseHeader.Revision", call("go.etcd.io/etcd/client/v3/concurrency.Mutex.Header", mutex))
	row := func(sql string) *term.Term {
		return term.NewCall("database/sql.Row.Scan", "s", flow.OutParam, call("database/sql.DB.QueryRowContext", p, p, s(sql)))
	}
	for name, tc := range map[string]struct {
		t    *term.Term
		want stability
	}{
		"constant":               {s("k"), stable},
		"empty":                  {s(""), absent},
		"zero":                   {term.NewConst("zero", "0"), absent},
		"nil":                    {term.Nil, absent},
		"parameter":              {p, supplied},
		"prefix and parameter":   {term.NewConcat(s("order-"), p), supplied},
		"uuid":                   {call("github.com/google/uuid.NewString"), fleeting},
		"key of a library":       {call("github.com/stripe/stripe-go/v82.NewIdempotencyKey"), fleeting},
		"text of that library":   {call("github.com/stripe/stripe-go/v82.String", s("a")), stable},
		"uuid in a text":         {term.NewConcat(s("k-"), call("github.com/google/uuid.UUID.String", call("github.com/google/uuid.New"))), fleeting},
		"derived uuid":           {call("github.com/google/uuid.NewSHA1", p, p), supplied},
		"parsed uuid":            {call("github.com/google/uuid.UUID.String", call("github.com/google/uuid.MustParse", s("x"))), stable},
		"ulid":                   {call("github.com/oklog/ulid/v2.Make"), fleeting},
		"ksuid":                  {call("github.com/segmentio/ksuid.KSUID.String", call("github.com/segmentio/ksuid.New")), fleeting},
		"random bytes":           {call("encoding/hex.EncodeToString", term.NewCall("crypto/rand.Read", "s", flow.OutParam)), fleeting},
		"math/rand/v2":           {term.NewConvert("digits", call("math/rand/v2.Int64")), fleeting},
		"random source":          {call("lib.New", term.NewGlobal("crypto/rand.Reader")), fleeting},
		"clock":                  {call("time.Time.Format", call("time.Now"), s("2006")), fleeting},
		"attempt":                {term.NewConcat(s("k-"), call(flow.AttemptCounter)), fleeting},
		"host":                   {call("os.Hostname"), fleeting},
		"pod":                    {call("os.Getenv", s("POD_NAME")), fleeting},
		"setting":                {call("os.Getenv", s("KEY_PREFIX")), stable},
		"epoch":                  {term.NewConvert("digits", revision), fleeting},
		"hash of a parameter":    {call("encoding/hex.EncodeToString", call("crypto/sha256.Sum256", p)), supplied},
		"hash of a constant":     {call("crypto/sha256.Sum256", s("k")), stable},
		"read from the database": {row("SELECT key FROM orders WHERE id = $1"), stable},
		"drawn by the database":  {row("SELECT gen_random_uuid()"), fleeting},
		"item of a loop":         {term.NewCall("range", "s", 2, p), supplied},
		"received":               {term.NewCall("<-", "s", 0, term.NewUnknown("x")), stable},
		"unknown function":       {call("lib.Key"), hazy},
		"not followed":           {term.NewUnknown("a loop"), hazy},
		"argument of a callback": {term.NewUnknown("an argument that a library supplies"), supplied},
		"one of two":             {term.NewAlt(s("a"), s("b")), stable},
		"random on one way":      {term.NewAlt(s("a"), call("github.com/google/uuid.NewString")), fleeting},
		"none on one way":        {term.NewAlt(s("a"), s("")), absent},
		"variable":               {term.NewGlobal("p.fixed"), stable},
		"map with a key":         {term.NewCall(flow.HeaderOr, "", 0, s("k"), s("")), stable},
		"map without":            {term.NewCall(flow.HeaderOr, "", 0, term.NewConst("zero", "0"), call("github.com/google/uuid.NewString")), fleeting},
		"under an empty test":    {term.NewCall(flow.KeyWhen, "", 0, s(""), term.NewConcat(p, s("x"))), absent},
		"under a full test":      {term.NewCall(flow.KeyWhen, "", 0, s("x"), s("kx")), stable},
	} {
		if got := j.stability(tc.t); got.is != tc.want {
			t.Errorf("%s: %s is %d (%s), want %d", name, tc.t, got.is, got.why, tc.want)
		}
	}
	if got := j.stability(nil); got.is != hazy {
		t.Errorf("nothing known: %v", got)
	}
}

// A finding names what makes the key unstable.
func TestStabilityTellsWhy(t *testing.T) {
	j := judgeOf(t, "")
	for want, x := range map[string]*term.Term{
		"uuid.NewString":            term.NewCall("github.com/google/uuid.NewString", "s", 0),
		"time.Now":                  term.NewCall("time.Now", "s", 0),
		"the number of the attempt": term.NewCall(flow.AttemptCounter, "s", 0),
		"os.Hostname":               term.NewCall("os.Hostname", "s", 0),
	} {
		if got := j.stability(x).why; !strings.Contains(got, want) {
			t.Errorf("%q does not name %s", got, want)
		}
	}
}

func TestMethodOf(t *testing.T) {
	made := func(method *term.Term) *term.Term {
		req := term.NewCall("net/http.NewRequestWithContext", "s", 0, term.NewParam(0), method, term.NewParam(1), term.Nil)
		return &term.Term{Kind: term.Field, Str: "net/http.Request.Method", Args: []*term.Term{req}}
	}
	s := term.NewString
	for want, ts := range map[string][]*term.Term{
		"GET":  {made(s("get")), made(s("")), s("GET")},
		"POST": {made(s("POST")), term.NewAlt(made(s("GET")), made(s("POST")))},
		"":     {made(term.NewParam(2)), term.NewParam(0), term.NewUnknown("x")},
	} {
		for _, x := range ts {
			if got := methodOf(x); got != want {
				t.Errorf("%s: %q, want %q", x, got, want)
			}
		}
	}
}

func TestFailureWords(t *testing.T) {
	for word, want := range map[string]bool{
		"failed": true, "error": true, "declined": true, "not_sent": true, "cancelled": true,
		"unknown": false, "pending": false, "paid": false, "retry": false, "notified": false,
	} {
		if got := failureWord(word); got != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}

func TestKeyDecision(t *testing.T) {
	for is, want := range map[stability]struct {
		v    verdict
		rule string
	}{
		stable: {proved, ""}, supplied: {waiting, ""}, hazy: {unproved, "unprovedwrite"},
		fleeting: {refuted, "unstableidempotency"}, absent: {refuted, "missingidempotency"},
	} {
		d := keyDecision(decision{}, keyed{is: is, why: "made of clay"}, &model.Sink{})
		if d.verdict != want.v || d.rule != want.rule || d.reason == "" {
			t.Errorf("%d: %s %s %q", is, d.verdict, d.rule, d.reason)
		}
	}
}

func TestConstants(t *testing.T) {
	s := term.NewString
	fixed, several := constants([]*term.Term{s("a"), term.NewAlt(s("b"), s("c")), term.NewList(false, term.NewConst("bool", "false"))})
	if got := strings.Join(fixed, ",") + "|" + strings.Join(several, ","); got != "a,false|b,c" {
		t.Errorf("got %s", got)
	}
}
