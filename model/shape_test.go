package model

import (
	"go/importer"
	"go/types"
	"testing"
)

const shapes = `package repo

import (
	"context"
	"database/sql"
)

type DBTX interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	QueryContext(context.Context, string, ...interface{}) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
	PrepareContext(context.Context, string) (*sql.Stmt, error)
	BeginTx(context.Context, *sql.TxOptions) (*sql.Tx, error)
}

type Stmt interface{ Exec(...any) (sql.Result, error) }

type Other interface {
	ExecContext(context.Context, int, ...any) (sql.Result, error)
	QueryContext(context.Context, string, []any) (*sql.Rows, error)
	Exec(string, ...any) error
	Run(context.Context, string, ...any) (sql.Result, error)
	Query(string, ...any) (*Stmt, error)
}

type Repo struct{}
func (Repo) ExecContext(context.Context, string, ...any) (sql.Result, error) { return nil, nil }
func ExecContext(context.Context, string, ...any) (sql.Result, error) { return nil, nil }
`

func TestShape(t *testing.T) {
	pkg, _, _ := check(t, importer.Default(), "example.com/repo", shapes, nil)
	method := func(typ, name string) *types.Func {
		obj, _, _ := types.LookupFieldOrMethod(pkg.Scope().Lookup(typ).Type(), true, pkg, name)
		return obj.(*types.Func)
	}
	for name, kind := range map[string]string{
		"ExecContext": "exec", "QueryContext": "query", "QueryRowContext": "query_row", "PrepareContext": "prepare", "BeginTx": "begin",
	} {
		c := Builtin().Shape(method("DBTX", name))
		if c == nil || c.Sink.Kind != kind || c.Sink.Recv != "" || c.Sink.Carrier != "" || !c.Sink.ByShape {
			t.Errorf("DBTX.%s: %+v, want %s", name, c, kind)
		}
	}
	if s := Builtin().FuncKey("database/sql.DB.ExecContext").Sink; s.ByShape || s.Carrier != "pool" {
		t.Error("the row itself has changed")
	}
	for _, fn := range []*types.Func{
		method("Stmt", "Exec"), method("Other", "ExecContext"), method("Other", "QueryContext"), method("Other", "Exec"), method("Other", "Run"),
		method("Other", "Query"), method("Repo", "ExecContext"), pkg.Scope().Lookup("ExecContext").(*types.Func),
	} {
		if c := Builtin().Shape(fn); c != nil {
			t.Errorf("%s has the shape of %+v", fn.FullName(), c.Sink)
		}
	}
}
