package flow

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fencelint/fencelint/classify"
	"github.com/fencelint/fencelint/model"
)

// std imports the standard library from source, once for all tests.
var std = sync.OnceValue(func() types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "source", nil)
})

// analyse runs flow on one file that imports nothing but the standard library.
func analyseStd(t *testing.T, src string) *Analysis {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: std()}
	pkg, err := conf.Check("example.com/p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	im, err := Join(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	files := []*ast.File{f}
	return Run(Input{Fset: fset, Files: files, Pkg: pkg, Info: info, Models: model.Builtin(), Classes: classify.Read(fset, files, nil), Imported: im})
}

func summaryOf(t *testing.T, a *Analysis, name string) *Summary {
	t.Helper()
	for _, s := range a.Functions() {
		if s.ID == "example.com/p."+name {
			return s
		}
	}
	t.Fatalf("no summary of %s", name)
	return nil
}

const head = `package p

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"net/http"
	"os"
)

var errStale = errors.New("stale")

var _ = log.Println
var _ = os.Exit
var _ http.Handler

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	switch n, err := res.RowsAffected(); {
	case err != nil:
		return err
	case n != 1:
		return errStale
	}
	return nil
}

func quiet(res sql.Result, err error) error {
	if n, _ := res.RowsAffected(); n == 0 {
		log.Println("nothing changed", err)
	}
	return err
}

`

// TestRefusals: what becomes of a statement that changed no row.
func TestRefusals(t *testing.T) {
	const exec = `db.ExecContext(ctx, "UPDATE t SET a = 1 WHERE f < $1", 1)`
	for _, c := range []struct {
		name, body string
		heard      bool
	}{
		{"dropped", `_, err := ` + exec + `
			return err`, false},
		{"zero is an error", `res, err := ` + exec + `
			if err != nil { return err }
			n, err := res.RowsAffected()
			if err != nil { return err }
			if n == 0 { return errStale }
			return nil`, true},
		{"not one is an error", `res, err := ` + exec + `
			if err != nil { return err }
			if n, err := res.RowsAffected(); err != nil || n != 1 { return errors.Join(errStale, err) }
			return nil`, true},
		{"less than one", `res, err := ` + exec + `
			if err != nil { return err }
			if n, _ := res.RowsAffected(); n < 1 { return errStale }
			return nil`, true},
		{"less than none", `res, err := ` + exec + `
			if err != nil { return err }
			if n, _ := res.RowsAffected(); n < 0 { return errStale }
			return nil`, false},
		{"more than one", `res, err := ` + exec + `
			if err != nil { return err }
			if n, _ := res.RowsAffected(); n > 1 { return errStale }
			return nil`, false},
		{"only logged", `res, err := ` + exec + `
			if err != nil { return err }
			if n, _ := res.RowsAffected(); n == 0 { log.Println("lost") }
			return nil`, false},
		{"ends the process", `res, err := ` + exec + `
			if err != nil { return err }
			if n, _ := res.RowsAffected(); n == 0 { log.Fatal("lost") }
			return nil`, true},
		{"panics", `res, err := ` + exec + `
			if err != nil { return err }
			if n, _ := res.RowsAffected(); n == 0 { panic("lost") }
			return nil`, true},
		{"helper hears", `return one(` + exec + `)`, true},
		{"helper does not", `return quiet(` + exec + `)`, false},
		{"named result", `res, err := ` + exec + `
			ok := false
			if err == nil {
				n, e := res.RowsAffected()
				err, ok = e, n > 0
			}
			if !ok && err == nil { err = errStale }
			return err`, true},
		{"taken for success", `res, err := ` + exec + `
			if err := one(res, err); errors.Is(err, errStale) { return nil } else { return err }`, false},
		{"another error is let through", `res, err := ` + exec + `
			if err := one(res, err); errors.Is(err, context.Canceled) { return nil } else { return err }`, true},
		{"scan", `var a int
			return db.QueryRowContext(ctx, "UPDATE t SET a = 1 WHERE f < $1 RETURNING a", 1).Scan(&a)`, true},
		{"no rows taken for success", `var a int
			err := db.QueryRowContext(ctx, "UPDATE t SET a = 1 WHERE f < $1 RETURNING a", 1).Scan(&a)
			if err == sql.ErrNoRows { return nil }
			return err`, false},
		{"sent to whoever waits", `errs := make(chan error, 1)
			go func() { errs <- one(` + exec + `) }()
			return <-errs`, true},
		{"lost in a goroutine", `go func() { _ = one(` + exec + `) }()
			return nil`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := analyseStd(t, head+"func f(ctx context.Context, db *sql.DB) error {\n"+c.body+"\n}\n")
			for _, e := range summaryOf(t, a, "f").Events {
				if e.Kind != Write {
					continue
				}
				lost := slices.ContainsFunc(e.Outcomes, func(o Outcome) bool { return !o.Observed && !o.Answered && !SaysNo(o.Returns) })
				if got := len(e.Outcomes) > 0 && !lost; got != c.heard {
					t.Errorf("heard %v, want %v; outcomes %+v", got, c.heard, e.Outcomes)
				}
			}
		})
	}
}

// TestFactRoundTrip: what a package passes on is read back as it was written.
func TestFactRoundTrip(t *testing.T) {
	a := analyseStd(t, head+`
// Save writes.
func Save(ctx context.Context, db *sql.DB, epoch int64) error {
	return one(db.ExecContext(ctx, "UPDATE t SET a = 1, f = $1 WHERE f < $1", epoch))
}

// Table is a name.
const Table = "t"

// Query is data.
var Query = "DELETE FROM " + Table
`)
	data, err := a.Export(nil).Encode(true)
	if err != nil {
		t.Fatal(err)
	}
	again, err := a.Export(nil).Encode(true)
	if err != nil || string(again) != string(data) {
		t.Fatalf("two encodings differ (%v)", err)
	}
	f, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(f.Funcs, func(s *Summary) bool { return strings.HasSuffix(s.ID, ".Save") })
	if i < 0 || len(f.Funcs[i].Events) != 1 {
		t.Fatalf("Save is not in the fact: %+v", f.Funcs)
	}
	e, want := f.Funcs[i].Events[0], summaryOf(t, a, "Save").Events[0]
	if e.Key != want.Key || len(e.Chain) != 1 || e.Chain[0].Place != want.Chain[0].Place || !sameOutcome(e.Outcomes[0], want.Outcomes[0]) {
		t.Errorf("got %+v, want %+v", e, want)
	}
	for k := range e.Args {
		if !e.Args[k].Equal(want.Args[k]) {
			t.Errorf("argument %d: got %s, want %s", k, e.Args[k], want.Args[k])
		}
	}
	if len(f.Globals) != 1 || f.Globals[0].Value.Str != "DELETE FROM t" {
		t.Errorf("globals %+v", f.Globals)
	}
}

// FuzzDecode: no bytes make the decoder fail in any other way than by an error.
func FuzzDecode(f *testing.F) {
	fact := &Fact{Decls: []Decl{{Name: "p.F", Verb: "writes", Args: map[string]string{"resource": "t"}}}}
	data, err := fact.Encode(true)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Decode(data)
		if err == nil && got == nil {
			t.Fatal("neither fact nor error")
		}
	})
}
