package prove

import (
	"go/ast"
	goconst "go/constant"
	"slices"
	"strings"

	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/pattern"
)

// dialectsOf tells which dialects a statement may be in: by its placeholders, and among
// those by the drivers that the program is seen to use.
func (j *judge) dialectsOf(s string) []fsql.Dialect {
	some := byPlaceholder(s)
	var out []fsql.Dialect
	for _, d := range j.driversUsed() {
		if slices.Contains(some, d) {
			out = append(out, d)
		}
	}
	if len(out) > 0 {
		return out
	}
	if strings.ContainsAny(s, "?") {
		return some
	}
	return some[:1]
}

// dialectsIn is the same for a statement that the call of a function sends: some send
// it to one database only.
func (j *judge) dialectsIn(key, s string) []fsql.Dialect {
	c := j.models.FuncKey(key)
	switch {
	case c == nil || c.Sink == nil || c.Sink.Lib != spannerLib:
		return j.dialectsOf(s)
	case strings.Contains(s, "$1"):
		return []fsql.Dialect{fsql.Postgres}
	}
	return []fsql.Dialect{fsql.GoogleSQL}
}

// byPlaceholder lists the dialects that have the placeholders of a statement, the most
// likely one first.
func byPlaceholder(s string) []fsql.Dialect {
	switch {
	case bracketed.MatchString(s) && strings.Contains(s, "@p"):
		return []fsql.Dialect{fsql.SQLServer}
	case bracketed.MatchString(s) && !strings.Contains(s, "$1"):
		return []fsql.Dialect{fsql.SQLite, fsql.SQLServer}
	case strings.Contains(s, "$1"), strings.Contains(s, "$2"):
		return []fsql.Dialect{fsql.Postgres}
	case strings.Contains(s, "@p"):
		return []fsql.Dialect{fsql.SQLServer, fsql.Postgres}
	case strings.Contains(s, "?"):
		return []fsql.Dialect{fsql.MySQL, fsql.SQLite}
	case strings.Contains(s, ":1"):
		return []fsql.Dialect{fsql.Oracle}
	}
	return []fsql.Dialect{fsql.Postgres, fsql.MySQL, fsql.SQLite, fsql.SQLServer, fsql.Oracle}
}

// bracketed is a name in brackets, as two dialects have it; the others have none but behind
// what has elements.
var bracketed = pattern.New(`(^|[\s(,.=<>]|[\x{E000}-\x{F8FF}])\[[A-Za-z_]\w*\]`)

// drivers are the packages of drivers, and the names under which they are opened.
var drivers = map[string]fsql.Dialect{
	"github.com/lib/pq": fsql.Postgres, "github.com/jackc/pgx/v5": fsql.Postgres, "github.com/jackc/pgx/v4": fsql.Postgres,
	"github.com/jackc/pgx/v5/stdlib": fsql.Postgres, "github.com/jackc/pgx/v4/stdlib": fsql.Postgres,
	"gorm.io/driver/postgres": fsql.Postgres, "github.com/go-pg/pg/v10": fsql.Postgres,
	"github.com/go-sql-driver/mysql": fsql.MySQL, "gorm.io/driver/mysql": fsql.MySQL,
	"github.com/mattn/go-sqlite3": fsql.SQLite, "modernc.org/sqlite": fsql.SQLite, "gorm.io/driver/sqlite": fsql.SQLite,
	"github.com/glebarez/sqlite": fsql.SQLite, "github.com/ncruces/go-sqlite3/driver": fsql.SQLite, "zombiezen.com/go/sqlite": fsql.SQLite,
	"github.com/microsoft/go-mssqldb": fsql.SQLServer, "github.com/denisenkom/go-mssqldb": fsql.SQLServer, "gorm.io/driver/sqlserver": fsql.SQLServer,
	"github.com/godror/godror": fsql.Oracle, "github.com/sijms/go-ora/v2": fsql.Oracle,
}

var driverNames = map[string]fsql.Dialect{
	"postgres": fsql.Postgres, "pgx": fsql.Postgres, "pgx/v5": fsql.Postgres, "cloudsqlpostgres": fsql.Postgres,
	"mysql": fsql.MySQL, "sqlite3": fsql.SQLite, "sqlite": fsql.SQLite,
	"sqlserver": fsql.SQLServer, "mssql": fsql.SQLServer, "azuresql": fsql.SQLServer, "godror": fsql.Oracle, "oracle": fsql.Oracle,
}

// driversUsed lists the dialects of the drivers that this package opens by name, or else
// of those that it and its imports are seen to import.
func (j *judge) driversUsed() []fsql.Dialect {
	if j.drivers != nil {
		return j.drivers
	}
	j.drivers = j.opened()
	if len(j.drivers) == 0 {
		for _, p := range j.reachable() {
			if d, ok := drivers[p.Path()]; ok {
				j.drivers = append(j.drivers, d)
			}
		}
	}
	slices.Sort(j.drivers)
	j.drivers = append(slices.Compact(j.drivers), "")
	return j.drivers
}

// opened lists the dialects of the databases that the package opens by constant names.
func (j *judge) opened() []fsql.Dialect {
	var out []fsql.Dialect
	for _, f := range j.u.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok || len(c.Args) != 2 || !opensDatabase(c) {
				return true
			}
			if v := j.u.Info.Types[c.Args[0]].Value; v != nil && v.Kind() == goconst.String {
				if d, ok := driverNames[goconst.StringVal(v)]; ok {
					out = append(out, d)
				}
			}
			return true
		})
	}
	return out
}

func opensDatabase(c *ast.CallExpr) bool {
	s, ok := c.Fun.(*ast.SelectorExpr)
	return ok && (s.Sel.Name == "Open" || s.Sel.Name == "Connect" || s.Sel.Name == "MustConnect" || s.Sel.Name == "MustOpen")
}
