package oracle

import (
	"strings"
	"testing"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
)

// flat writes an expression of literals without parentheses, so that its value
// hangs on how tightly the operators bind.
func (g *gen) flat(n int) string {
	var b strings.Builder
	b.WriteString(g.operand())
	for range n {
		b.WriteString(g.join())
	}
	return b.String()
}

func (g *gen) operand() string {
	pre := ""
	switch g.IntN(8) {
	case 0:
		pre = "NOT "
	case 1:
		pre = "- "
	case 2:
		if g.d == fsql.MySQL {
			pre = "! "
		}
	}
	if g.d == fsql.Postgres && g.IntN(4) == 0 {
		return pre + g.pick("TRUE", "FALSE")
	}
	return pre + g.pick("0", "1", "2", "3", "4", "NULL")
}

func (g *gen) join() string {
	ops := []string{" < ", " <= ", " = ", " <> ", " > ", " >= ", " + ", " - ", " AND ", " OR ", " AND ", " OR "}
	switch g.d {
	case fsql.MySQL:
		ops = append(ops, " && ", " || ", " XOR ", " <=> ")
	case fsql.SQLite:
		ops = append(ops, " == ", " IS ", " IS NOT ", " != ")
	case fsql.Postgres:
		ops = append(ops, " IS DISTINCT FROM ", " IS NOT DISTINCT FROM ")
	}
	switch g.IntN(10) {
	case 0:
		return " IS " + g.pick("", "NOT ") + "NULL"
	case 1:
		return " IS " + g.pick("", "NOT ") + g.pick("TRUE", "FALSE")
	case 2:
		return g.pick(" ", " NOT ") + "BETWEEN " + g.pick("0", "1", "2") + " AND " + g.pick("1", "2", "3")
	case 3:
		return g.pick(" ", " NOT ") + "IN (" + g.pick("0", "1", "NULL") + ", 2)"
	}
	return ops[g.IntN(len(ops))] + g.operand()
}

// TestPrecedence compares how the parser and the database read such texts.
func TestPrecedence(t *testing.T) {
	for _, d := range databases {
		t.Run(string(d.dialect), func(t *testing.T) {
			db := d.open(t)
			for _, seed := range append(fixedSeeds, *fresh) {
				g := newGen(seed, d.dialect)
				read, refused, wrong, dark := 0, 0, 0, 0
				for read < 4**count && refused < 100**count {
					text := g.flat(1 + g.IntN(6))
					var real int
					if err := db.QueryRow("SELECT CASE WHEN " + text + " THEN 1 ELSE 0 END").Scan(&real); err != nil {
						refused++
						continue
					}
					read++
					f := fsql.Context{Dialect: d.dialect}.Condition(text)
					v := fence.Prove(&fence.Mutation{Guard: f.Cond, Problems: f.Problems}, nil)
					switch {
					case v.Less == fence.Undecided:
						dark++
					case (v.Less == fence.Admitted) != (real == 1):
						if wrong++; wrong <= 10 {
							t.Errorf("%s is %d for the database, %v here", text, real, v.Less)
						}
					}
				}
				t.Logf("seed %d: %d read, %d refused by the database, %d undecided, %d wrong", seed, read, refused, dark, wrong)
			}
		})
	}
}
