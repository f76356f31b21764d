package oracle

import (
	"fmt"
	"math/rand/v2"
	"strings"

	fsql "github.com/fencelint/fencelint/fence/sql"
)

// gen writes random conditions. Columns of the table: f the fence, o an
// integer, s a text, both may be NULL.
type gen struct {
	*rand.Rand
	d     fsql.Dialect
	table string   // that f may be qualified with
	args  []string // what each parameter stands for: "t" the token, or a literal
}

func newGen(seed uint64, d fsql.Dialect) *gen {
	return &gen{Rand: rand.New(rand.NewPCG(seed, 7)), d: d, table: "t"}
}

func (g *gen) pick(of ...string) string { return of[g.IntN(len(of))] }

// param writes a parameter with the given meaning.
func (g *gen) param(what string) string {
	switch g.d {
	case fsql.Postgres:
		for i, have := range g.args {
			if have == what {
				return fmt.Sprintf("$%d", i+1)
			}
		}
		g.args = append(g.args, what)
		return fmt.Sprintf("$%d", len(g.args))
	case fsql.SQLite:
		for i, have := range g.args {
			if have == what && g.IntN(2) == 0 {
				return fmt.Sprintf("?%d", i+1)
			}
		}
	}
	g.args = append(g.args, what)
	if g.d == fsql.SQLite {
		return fmt.Sprintf("?%d", len(g.args))
	}
	return "?"
}

func (g *gen) t() string { return g.param("t") }

func (g *gen) f() string {
	switch g.d {
	case fsql.MySQL:
		return g.pick("f", "f", g.table+".f", "`f`", "F")
	case fsql.SQLite:
		return g.pick("f", "f", g.table+".f", `"f"`, "[f]", "F")
	}
	return g.pick("f", "f", g.table+".f", `"f"`, "F")
}

func (g *gen) op() string { return g.pick("<", "<=", ">", ">=", "=", "<>", "<", "<=") }

func (g *gen) lit() string { return g.pick("0", "1", "5", "41", "42", "43", "-1", "7") }

func (g *gen) small() string { return g.pick("1", "2", "3") }

// cond writes a condition of at most the given depth.
func (g *gen) cond(depth int) string {
	if depth > 0 {
		switch g.IntN(8) {
		case 0, 1:
			return g.side(depth) + g.and() + g.side(depth)
		case 2, 3:
			return g.side(depth) + g.or() + g.side(depth)
		case 4:
			return "NOT " + g.parens(g.cond(depth-1))
		case 5:
			return g.parens(g.cond(depth-1)) + g.pick(" IS TRUE", " IS NOT TRUE", " IS FALSE", " IS NOT FALSE")
		}
	}
	if g.IntN(3) == 0 {
		return g.other()
	}
	return g.fence()
}

func (g *gen) side(depth int) string {
	s := g.cond(depth - 1)
	if g.IntN(2) == 0 {
		return g.parens(s)
	}
	return s
}

func (g *gen) parens(s string) string { return "(" + s + ")" }

func (g *gen) and() string {
	if g.d == fsql.MySQL && g.IntN(4) == 0 {
		return " && "
	}
	return g.pick(" AND ", " and ", " /* OR */ AND ", "\nAND ")
}

func (g *gen) or() string {
	if g.d == fsql.MySQL && g.IntN(4) == 0 {
		return " || "
	}
	return g.pick(" OR ", " or ", " -- x AND\n OR ")
}

// other writes a condition on columns that are not the fence.
func (g *gen) other() string {
	n := g.pick("0", "1", "2", "5")
	switch g.IntN(14) {
	case 10:
		return "EXISTS (SELECT 1 FROM w WHERE w.o " + g.op() + " " + g.table + ".o AND s = 'a')"
	case 11:
		return "o " + g.pick("", "NOT ") + "IN (SELECT w.o FROM w WHERE s = 'xb')"
	case 12:
		return g.pick("o > 1 AND o < 2", "s = 'A' AND s <> 'a'", "s <> '05' AND s = '5'", "NOT s LIKE 'a%'", "o = 1.5", "o <> 2 AND o <> 1")
	case 0:
		return "o " + g.op() + " " + n
	case 1:
		return "o IS " + g.pick("", "NOT ") + "NULL"
	case 2:
		return "s = " + g.pick("'a'", "'b'")
	case 3:
		return "s <> 'a'"
	case 4:
		return "s IS " + g.pick("", "NOT ") + "NULL"
	case 5:
		return "o = " + g.param(n)
	case 6:
		return "o " + g.pick("", "NOT ") + "IN (" + n + ", 9)"
	case 7:
		return "s LIKE " + g.pick("'a%'", "'%b'")
	case 8:
		return "o " + g.pick("", "NOT ") + "BETWEEN 1 AND " + n
	case 9:
		return g.pick("1 = 1", "1 = 0", "o = o")
	}
	return "COALESCE(o, 0) " + g.op() + " " + n
}

// fence writes a condition on the fence and, mostly, the token.
func (g *gen) fence() string {
	forms := fenceForms
	if g.IntN(5) == 0 {
		forms = queryForms
	}
	switch g.d {
	case fsql.Postgres:
		forms = append(forms[:len(forms):len(forms)], pgForms...)
	case fsql.MySQL:
		forms = append(forms[:len(forms):len(forms)], mysqlForms...)
	case fsql.SQLite:
		forms = append(forms[:len(forms):len(forms)], sqliteForms...)
	}
	form := forms[g.IntN(len(forms))]
	var b strings.Builder
	for i := 0; i < len(form); i++ { // F fence, T token, O operator, K literal, D small difference, C another condition, X the token with a type, W the table
		switch form[i] {
		case '@':
			i++
			switch form[i] {
			case 'F':
				b.WriteString(g.f())
			case 'T':
				b.WriteString(g.t())
			case 'O':
				b.WriteString(g.op())
			case 'K':
				b.WriteString(g.lit())
			case 'D':
				b.WriteString(g.small())
			case 'C':
				b.WriteString(g.other())
			case 'X':
				if t := g.t(); g.d == fsql.Postgres {
					b.WriteString(t + "::bigint")
				} else {
					b.WriteString(t)
				}
			case 'W':
				b.WriteString(g.table)
			}
		default:
			b.WriteByte(form[i])
		}
	}
	return b.String()
}

var fenceForms = []string{
	"@F @O @T", "@F @O @T", "@F < @T", "@F <= @T", "@T @O @F", "@T > @F", "@F IS NULL", "@F IS NOT NULL", "NOT @F @O @T",
	"COALESCE(@F, @K) @O @T", "COALESCE(@F, @T) @O @T", "@F BETWEEN @K AND @T", "@F NOT BETWEEN @T AND @K", "@F IN (@T, @K)", "@F NOT IN (@T, @K)",
	"@F + @D @O @T", "@F @O @T - @D", "@F - @T @O @D", "@T - @F @O @K", "@F @O @K", "@T @O @K", "(@F @O @T) IS TRUE", "(@F @O @T) IS NOT TRUE",
	"(@F, o) @O (@T, @D)", "(@F, o) = (@T, @D)", "CASE WHEN @F @O @T THEN 1 ELSE 0 END = 1", "CASE WHEN @C THEN @F ELSE @K END @O @T",
	"CASE WHEN @F IS NULL THEN @K ELSE @F END @O @T", "NULLIF(@F, @T) IS NULL", "NULLIF(@F, @K) @O @T", "-@F @O -@T", "@F IS NULL OR @F @O @T",
	"EXISTS (SELECT 1 WHERE @F @O @T)", "@F IN (SELECT @T)", "(SELECT @F) @O @T", "NOT EXISTS (SELECT 1 WHERE @F @O @T)",
	"EXISTS (SELECT 1 FROM w WHERE @F @O @T)", "@F IN (SELECT o FROM w)", "@F NOT IN (SELECT w.o FROM w WHERE w.o @O @T)", "EXISTS (SELECT 1 FROM w WHERE w.o = @F AND s = 'a')",
	"@F @O (SELECT count(*) FROM w) AND @F @O @T", "@F @O (SELECT max(w.o) FROM w)", "NOT EXISTS (SELECT 1 FROM w WHERE w.o @O @T AND @F @O w.o)", "@F @O (SELECT @T FROM w WHERE w.o = 1)",
	"(@F @O @T) = (@F @O @T)", "@F + 1 - 1 @O @T", "@F * 1 @O @T", "@F @O @T AND @C", "@F @O o", "o @O @T", "ABS(@F) @O @T",
	"CASE @F WHEN @T THEN 1 WHEN @K THEN 2 ELSE 3 END = @D", "CAST(CAST(@F AS CHAR(20)) AS CHAR(20)) = @K OR @F @O @T",
}

// queryForms ask by way of a query. X is the token with a type.
var queryForms = []string{
	"NOT EXISTS (SELECT 1 WHERE @F @O @T LIMIT 0)", "EXISTS (SELECT 1 WHERE @F @O @T LIMIT 1)", "(SELECT @F LIMIT 0) IS NULL OR @F @O @T", "(SELECT @F LIMIT 1) @O @T",
	"EXISTS (SELECT 1 WHERE @F @O @T UNION SELECT 1 WHERE @C)", "EXISTS (SELECT @F INTERSECT SELECT @X)", "NOT EXISTS (SELECT @F EXCEPT SELECT @X)",
	"(SELECT count(*) FROM (SELECT 1 AS x WHERE 1 = 1) AS v WHERE @W.f @O @T) = 1", "@F IN (SELECT @X UNION SELECT @K)", "@F NOT IN (SELECT @X UNION ALL SELECT @K)",
	"EXISTS (SELECT 1 FROM (SELECT @X AS x) AS v WHERE @W.f @O v.x)", "@F @O (SELECT max(v.x) FROM (SELECT @X AS x) AS v)", "@F @O (SELECT v.x FROM (SELECT @X AS x) AS v WHERE v.x @O @K)",
	"@F @O (SELECT v.x + 1 FROM (SELECT @X AS x) AS v)", "COALESCE((SELECT @X WHERE @F @O @T), @F) @O @T", "(SELECT CASE WHEN @F @O @T THEN 1 END) IS NULL", "NOT EXISTS (SELECT 1 FROM w WHERE 1 = 0) AND @F @O @T",
	"(SELECT @F @O @T)", "NOT (SELECT @F @O @T)", "EXISTS (SELECT @W.f FROM w WHERE w.s = 'a' AND @W.f @O @T GROUP BY w.s)", "EXISTS (SELECT 1 FROM w GROUP BY w.s HAVING count(*) > 1 AND max(w.o) @O @T)",
}

var pgForms = []string{
	"@F IS DISTINCT FROM @T", "@F IS NOT DISTINCT FROM @T", "GREATEST(@F, @T) @O @T", "LEAST(@F, @T) @O @T", "GREATEST(@F, @K) @O @T", "@F = ANY(ARRAY[@T, @K])",
	"@F <> ALL(ARRAY[@T, @K])", "@F::bigint @O @T::bigint", "@F::text @O @T::text", "CAST(@F AS bigint) @O @T", "(@F @O @T) IS UNKNOWN", "@F ISNULL",
	"(@F @O @T) IS NOT UNKNOWN", "(CASE WHEN @F @O @T THEN TRUE ELSE @C END)", "@F BETWEEN SYMMETRIC @T AND @K", "@F @O (@T)", "((@F)) @O ((@T))",
	"(@F @O @T)::boolean", "COALESCE(@F @O @T, FALSE)", "COALESCE(@F @O @T, TRUE)", "(@F, @T) IS NOT NULL", "TRUE AND @F @O @T", "@F NOTNULL",
	"ROW(@F, o) @O ROW(@T, @K)", "EXISTS (SELECT 1 FROM (VALUES (@T)) AS v(x) WHERE @W.f @O v.x)", "@F OPERATOR(pg_catalog.<) @T", "@F = SOME (ARRAY[@T])",
	"NOT (@F @O ANY (SELECT @X OFFSET 1))", "@F @O ALL (SELECT @X WHERE @F @O @T)", "@F @O ANY (SELECT @X)", "@F IN (VALUES (@X), (@K))", "EXISTS (SELECT 1 HAVING @F @O @T)", "EXISTS (SELECT 1 FETCH FIRST 0 ROWS ONLY) OR @F @O @T",
	"@F::numeric @O @T", "@F::float8 @O @T", "mod(@F, 2) = 0 AND @F @O @T", "@F % 2 = 1 OR @F @O @T",
	"@F::text COLLATE \"C\" @O @T::text", "@F @O (SELECT @T::bigint - 1)", "(SELECT @F - 1) @O @T", "EXISTS (SELECT @F EXCEPT SELECT @T::bigint)",
}

var mysqlForms = []string{
	"@F <=> @T", "NOT (@F <=> @T)", "GREATEST(@F, @T) @O @T", "LEAST(@F, @T) @O @T", "IF(@F @O @T, 1, 0)", "IFNULL(@F, @K) @O @T", "ISNULL(@F)", "! (@F @O @T)",
	"(@F @O @T) XOR @C", "(@F @O @T) IS UNKNOWN", "@F @O @T IS TRUE", "@F @O /*! @T */", "(@F @O @T) + 0", "CAST(@F AS SIGNED) @O @T", "@F NOT IN (@T, NULL)",
	"IF(@C, @F, @K) @O @T", "@F DIV 1 @O @T", "(@F @O @T) = 1", "NOT @F", "@F @O @T # OR 1=1\n", "NOT (@F @O @T) && @C",
	"BINARY @F @O BINARY @T", "CAST(@F AS CHAR) @O CAST(@T AS CHAR)", "CAST(@F AS DECIMAL) @O CAST(@T AS DECIMAL)", "CAST(@F AS DECIMAL(20)) @O @T", "@F @O (SELECT @T FROM dual)",
}

var sqliteForms = []string{
	"@F IS @T", "@F IS NOT @T", "max(@F, @T) @O @T", "min(@F, @T) @O @T", "iif(@F @O @T, 1, 0)", "ifnull(@F, @K) @O @T", "@F ISNULL", "@F NOTNULL", "@F == @T",
	"CAST(@F AS INTEGER) @O @T", "(@F @O @T) IS NOT NULL", "@F @O @T IS TRUE", "NOT @F", "@F IS DISTINCT FROM @T", "@F < @T = (@C)", "@F = @K < @T", "@F != @T <> @D",
	"@F NOT NULL AND @F @O @T", "(@F @O @T) + 0",
	"CAST(@F AS TEXT) @O CAST(@T AS TEXT)", "@F COLLATE NOCASE @O @T", "@F @O +@T", "@F @O (SELECT @T + 1)",
}
