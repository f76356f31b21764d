package oracle

import (
	"fmt"
	"strings"

	fsql "github.com/fencelint/fencelint/fence/sql"
)

// statement is a random upsert or update with effects.
type statement struct {
	text string // %[1]d stands for the row's id
	args []string
}

// form is how a statement gets at the new values: its beginning, what stands behind
// SET, and how it names things.
type form struct {
	head, from, where string
	guard             string              // the word before the guard
	tok, pay          func() string       // the token, the new payload
	col               func(string) string // a column of the row that is there
	set               func(string) string // a column that is assigned
	free              bool                // columns need no qualifier
}

func same(s string) string { return s }

func under(qual string) func(string) string { return func(c string) string { return qual + "." + c } }

// effect writes a statement in one of the forms of the dialect.
func (g *gen) effect() statement {
	g.args = nil
	g.table = "u"
	defer func() { g.table = "t" }()
	forms := []func() form{g.updateForm, g.updateForm, g.upsertForm, g.upsertForm, g.fromForm}
	if g.d == fsql.Postgres {
		forms = append(forms, g.mergeForm)
	}
	f := forms[g.IntN(len(forms))]()
	return g.fill(f)
}

func (g *gen) updateForm() form {
	return form{head: "UPDATE u SET ", where: " WHERE id = %[1]d", guard: " AND ", tok: g.t, pay: g.constant("777"), col: same, set: same, free: true}
}

func (g *gen) constant(of ...string) func() string { return func() string { return g.pick(of...) } }

func (g *gen) upsertForm() form {
	f := form{head: "INSERT INTO u (id, f, p) VALUES (%[1]d, " + g.t() + ", 777)", guard: " WHERE ", tok: g.either("EXCLUDED.f"),
		pay: g.constant("EXCLUDED.p", "777"), col: under("u"), set: same}
	if g.d == fsql.MySQL {
		f.head += " ON DUPLICATE KEY UPDATE "
		f.guard, f.tok, f.pay, f.col = "", g.either("VALUES(f)"), g.constant("VALUES(p)", "777"), same
		return f
	}
	f.head += " ON CONFLICT (id) DO UPDATE SET "
	return f
}

// fromForm takes the new values from another row: UPDATE ... FROM, or a join in MySQL.
func (g *gen) fromForm() form {
	f := form{head: "UPDATE u SET ", where: " WHERE u.id = s.id", guard: " AND ", tok: g.either("s.f"), pay: g.constant("s.p", "777"), col: under("u"), set: same}
	row := "(SELECT %[1]d AS id, " + g.t() + " AS f, 777 AS p) AS s"
	switch g.d {
	case fsql.Postgres:
		cast := strings.Replace(row, " AS f", "::bigint AS f", 1)
		f.from = " FROM " + g.pick(cast, "(VALUES (%[1]d, "+g.t()+"::bigint, 777)) AS s(id, f, p)")
	case fsql.SQLite:
		f.from = " FROM " + row
	default:
		f.head, f.set, f.where = "UPDATE u JOIN "+row+" ON u.id = s.id SET ", under("u"), " WHERE u.id = %[1]d"
	}
	return f
}

func (g *gen) mergeForm() form {
	return form{head: "MERGE INTO u USING (VALUES (%[1]d, " + g.t() + "::bigint, 777)) AS s(id, f, p) ON u.id = s.id WHEN MATCHED%[2]s THEN UPDATE SET ",
		guard: " AND ", tok: g.either("s.f"), pay: g.constant("s.p", "777"), col: under("u"), set: same}
}

// fill writes the assignments and the guard.
func (g *gen) fill(f form) statement {
	fence, payload := g.newFence(f.tok, f.col), g.newPayload(f.tok, f.pay, f.col)
	sets := []string{f.set("f") + " = " + fence, f.set("p") + " = " + payload}
	if g.IntN(2) == 0 {
		sets[0], sets[1] = sets[1], sets[0]
	}
	switch g.IntN(8) {
	case 0:
		sets = sets[:1]
	case 1:
		if g.d != fsql.MySQL {
			sets = []string{"(f, p) = " + g.pick("", "(SELECT ")}
			if strings.HasSuffix(sets[0], "(SELECT ") {
				sets[0] += fence + ", " + payload + ")"
			} else {
				sets[0] += "(" + fence + ", " + payload + ")"
			}
		}
	case 2, 3: // a column in between, which what follows may see
		at := g.IntN(len(sets) + 1)
		values := []func() string{f.tok, func() string { return g.pick(f.col("f"), f.col("q"), f.col("f")+" + 1") }}
		q := f.set("q") + " = " + values[g.IntN(2)]()
		sets = append(sets[:at:at], append([]string{q}, sets[at:]...)...)
	}
	guard := ""
	if f.guard != "" && g.IntN(4) > 0 {
		guard = f.guard + "(" + g.effectGuard(f) + ")"
	}
	text := f.head + strings.Join(sets, ", ") + f.from + f.where
	if i := strings.Index(text, "%[2]s"); i >= 0 {
		return statement{text[:i] + guard + text[i+len("%[2]s"):] + g.pick("", "", " WHEN MATCHED THEN DO NOTHING"), g.args}
	}
	return statement{strings.ReplaceAll(text, "%[2]s", "") + guard, g.args}
}

// at gives the statement for one row.
func (s *statement) at(id int) string {
	return fmt.Sprintf(strings.ReplaceAll(s.text, " % ", " %% "), id)
}

// either names the new fence by the inserted row or by the token.
func (g *gen) either(name string) func() string {
	return func() string {
		if g.IntN(2) == 0 {
			return name
		}
		return g.t()
	}
}

func (g *gen) effectGuard(x form) string {
	f, o := x.col("f"), x.col("o")
	cmp := func() string { return f + " " + g.op() + " " + x.tok() }
	if x.free && g.IntN(2) == 0 {
		return strings.ReplaceAll(g.cond(2), "%", "%%")
	}
	switch g.IntN(12) {
	case 0:
		return "COALESCE(" + f + ", 0) " + g.op() + " " + x.tok()
	case 1:
		return f + " IS NULL OR " + cmp()
	case 2:
		return cmp() + " AND " + o + " " + g.op() + " " + g.pick("0", "1", "2")
	case 3:
		return cmp() + " OR " + o + " = 2"
	case 4:
		return "(" + f + ", " + o + ") " + g.pick("<", "<=", "=") + " (" + x.tok() + ", 2)"
	case 5:
		return o + " IS NULL"
	case 6:
		return x.tok() + " BETWEEN " + f + " AND " + f + " + " + g.small()
	case 7:
		return f + " IN (" + x.tok() + ", " + x.tok() + " - 1, " + g.lit() + ")"
	case 8:
		return "NOT (" + cmp() + " OR " + cmp() + ")"
	case 9:
		return "CASE WHEN " + o + " = 1 THEN " + cmp() + " ELSE " + cmp() + " END"
	}
	return cmp()
}

func (g *gen) newFence(tok func() string, col func(string) string) string {
	f, o := col("f"), col("o")
	big, small := "GREATEST", "LEAST"
	if g.d == fsql.SQLite {
		big, small = "max", "min"
	}
	switch g.IntN(13) {
	case 0, 1:
		return tok()
	case 2:
		return big + "(" + f + ", " + tok() + ")"
	case 3:
		return "CASE WHEN " + f + " " + g.op() + " " + tok() + " THEN " + tok() + " ELSE " + f + " END"
	case 4:
		return f + " + 1"
	case 5:
		return f
	case 6:
		return "COALESCE(" + f + ", " + tok() + ")"
	case 7:
		return small + "(" + f + ", " + tok() + ")"
	case 8:
		return "CASE WHEN " + o + " = 1 THEN " + tok() + " ELSE " + f + " END"
	case 9:
		return g.pick("NULL", "0")
	case 10:
		return tok() + " + 1"
	case 11:
		return "NULLIF(" + tok() + ", " + f + ")"
	}
	return big + "(COALESCE(" + f + ", 0), " + tok() + ")"
}

func (g *gen) newPayload(tok, pay func() string, col func(string) string) string {
	f, p, q := col("f"), col("p"), col("q")
	switch g.IntN(7) {
	case 0, 1:
		return pay()
	case 2:
		if g.d == fsql.MySQL {
			return "IF(" + tok() + " " + g.op() + " " + f + ", " + pay() + ", " + p + ")"
		}
		return "CASE WHEN " + f + " IS NULL THEN " + pay() + " WHEN " + f + " " + g.op() + " " + tok() + " THEN " + pay() + " ELSE " + p + " END"
	case 3:
		return p
	case 4:
		return "CASE WHEN " + q + " " + g.op() + " " + tok() + " THEN " + pay() + " ELSE " + p + " END"
	}
	return "CASE WHEN " + f + " " + g.op() + " " + tok() + " THEN " + pay() + " ELSE " + p + " END"
}
