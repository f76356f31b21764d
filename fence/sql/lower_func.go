package sql

import (
	"strings"

	"github.com/fencelint/fencelint/fence"
)

// castOf classifies a type for a cast to it.
func (l *lowerer) castOf(typ string) (fence.Fn, bool) {
	if fn, ok := castTypes[typ]; ok {
		switch {
		case fn == fence.CastNarrow && wideInt[l.d][typ]:
			fn = fence.CastInt
		case l.d == MySQL && (typ == "decimal" || typ == "dec" || typ == "numeric"): // of ten digits, cut off
			fn = fence.CastNarrow
		}
		return fn, true
	}
	return 0, false
}

var castTypes = func() map[string]fence.Fn {
	out := make(map[string]fence.Fn)
	for fn, words := range map[fence.Fn]string{
		fence.CastInt:    "bigint int8 int64 signed unsigned numeric decimal number dec bigserial hugeint",
		fence.CastNarrow: "int integer int4 int2 int1 smallint tinyint mediumint int32 int16",
		fence.CastFloat:  "real float float4 float8 double binary_float binary_double",
		fence.CastText:   "text varchar char character nvarchar nchar varchar2 nvarchar2 string clob bpchar name citext binary varbinary blob bytea",
	} {
		for w := range set(words) {
			out[w] = fn
		}
	}
	out["double precision"], out["character varying"] = fence.CastFloat, fence.CastText
	out["signed integer"], out["unsigned integer"] = fence.CastInt, fence.CastInt
	return out
}()

// wideInt are the names that mean 64 bits in some dialects only.
var wideInt = map[Dialect]map[string]bool{
	SQLite:    set("int integer int4 int2 smallint tinyint mediumint"),
	Cockroach: set("int integer"),
	Oracle:    set("int integer smallint"),
}

func (l *lowerer) cast(e *expr) fence.Term {
	if strings.HasPrefix(e.op, "bool") {
		return fence.Bool{Of: l.cond(e.args[0])}
	}
	if fn, ok := l.castOf(e.op); ok {
		return fence.Apply{Fn: fn, Args: []fence.Term{l.term(e.args[0])}}
	}
	switch x := l.term(e.args[0]).(type) {
	case fence.Lit, fence.Null:
		return x
	}
	return l.opaque(e)
}

func (l *lowerer) caseTerm(e *expr) fence.Term {
	args := e.args
	var operand *expr
	if e.op == "simple" {
		operand, args = args[0], args[1:]
	}
	out := fence.Case{}
	for len(args) > 1 {
		var when fence.Cond
		if operand != nil {
			when = l.compare(&expr{kind: eCmp, op: "=", args: []*expr{operand, args[0]}, from: e.from, to: e.to})
		} else {
			when = l.cond(args[0])
		}
		out.Arms = append(out.Arms, fence.Arm{When: when, Then: l.term(args[1])})
		args = args[2:]
	}
	if len(args) == 1 && args[0] != nil {
		out.Else = l.term(args[0])
	}
	return out
}

// function lowers the functions that the prover evaluates.
func (l *lowerer) function(e *expr) fence.Term {
	n := len(e.args)
	switch e.op {
	case "coalesce", "ifnull", "nvl":
		if n > 0 {
			return fence.Apply{Fn: fence.Coalesce, Args: l.terms(e.args)}
		}
	case "isnull":
		if n == 2 {
			return fence.Apply{Fn: fence.Coalesce, Args: l.terms(e.args)}
		}
		if n == 1 {
			return fence.Bool{Of: fence.IsNull{Of: l.term(e.args[0])}}
		}
	case "nullif":
		if n == 2 {
			return fence.Apply{Fn: fence.NullIf, Args: l.terms(e.args)}
		}
	case "greatest", "least":
		if n > 0 {
			return fence.Apply{Fn: l.extreme(e.op == "greatest"), Args: l.terms(e.args)}
		}
	case "max", "min":
		if n > 1 && l.d == SQLite {
			return fence.Apply{Fn: l.extreme(e.op == "max"), Args: l.terms(e.args)}
		}
	case "if", "iif":
		if n == 3 || n == 2 && l.d == SQLite {
			out := fence.Case{Arms: []fence.Arm{{When: l.cond(e.args[0]), Then: l.term(e.args[1])}}}
			if n == 3 {
				out.Else = l.term(e.args[2])
			}
			return out
		}
	case "nvl2":
		if n == 3 {
			return fence.Case{Arms: []fence.Arm{{When: fence.IsNull{Of: l.term(e.args[0])}, Then: l.term(e.args[2])}}, Else: l.term(e.args[1])}
		}
	case "values":
		if n == 1 && e.args[0].kind == eCol {
			return l.qualified("excluded", e.args[0].name[len(e.args[0].name)-1])
		}
	case "to_number":
		if n == 1 {
			return fence.Apply{Fn: fence.CastInt, Args: l.terms(e.args)}
		}
	}
	return l.opaque(e)
}

// extreme is the greatest or least of the dialect: some ignore NULL.
func (l *lowerer) extreme(greatest bool) fence.Fn {
	ignores := l.d == Postgres || l.d == Cockroach || l.d == SQLServer || l.d == ""
	switch {
	case greatest && ignores:
		return fence.Greatest
	case greatest:
		return fence.GreatestNull
	case ignores:
		return fence.Least
	}
	return fence.LeastNull
}

// scalar lowers a subquery used as a value.
func (l *lowerer) scalar(e *expr) fence.Term {
	l.push()
	defer l.pop()
	was := l.env
	defer func() { l.env = was }()
	q := e.sub
	if t := l.countOfGate(q); t != nil {
		return t
	}
	rows := l.queryRows(q)
	if len(rows.items) == 1 && !rows.items[0].star && !q.group && !q.cut && len(q.setOp) == 0 {
		t := rows.items[0].term
		switch _, stored := t.(fence.Stored); {
		case l.single(q) && len(rows.conds) == 0:
			return t
		case stored, l.single(q):
			return l.ifFound(rows, t)
		}
	}
	return fence.Opaque{Key: "sub" + l.ref(), Of: rows.of, Volatile: true}
}

// single tells whether q has at most one row: no table, that with one row, or one CTE
// that writes, which yields a row only if it wrote one.
func (l *lowerer) single(q *query) bool {
	if len(q.from) == 0 {
		return true
	}
	r := q.from[0]
	if len(q.from) > 1 || r.sub != nil || r.fn != nil {
		return false
	}
	e := l.env.find(r.exact)
	return e == nil && r.exact == "dual" || e != nil && e.muts != nil
}

// ifFound is the value of a subquery that finds a row, or NULL. A row lock
// covers only rows that were found, so "not found" must stay possible.
func (l *lowerer) ifFound(r rows, t fence.Term) fence.Term {
	found := fence.All(append(r.conds, fence.Atom{Key: "found" + l.ref()})...)
	return fence.Case{Arms: []fence.Arm{{When: found, Then: t}}}
}

// countOfGate lowers (SELECT count(*) FROM g): not zero only if g wrote a row.
func (l *lowerer) countOfGate(q *query) fence.Term {
	if len(q.items) != 1 || len(q.from) != 1 || q.group || q.cut || len(q.setOp) > 0 || q.from[0].sub != nil {
		return nil
	}
	e := l.env.find(q.from[0].exact)
	it := q.items[0].e
	if e == nil || e.muts == nil || it.kind != eFunc || it.op != "count" {
		return nil
	}
	n := fence.Opaque{Key: "count" + l.ref(), Volatile: true}
	return fence.Case{Arms: []fence.Arm{{When: l.gateOf(e), Then: n}}, Else: fence.Const{}}
}
