package oracle

import (
	"encoding/json"
	"fmt"
	"strings"

	pg "github.com/wasilibs/go-pgquery/parser"

	"github.com/fencelint/fencelint/fence"
)

// reading is what another parser makes of a write.
type reading struct {
	table string
	cols  []string       // assigned, of an existing row
	sets  []fence.Assign // the same with values; nil if the values are not compared
	where fence.Cond
	plain bool // where can be compared: there is one table, and no query to look through
	into  []string
}

// node is a node of PostgreSQL's parse tree: one key, its kind.
type node = map[string]any

func kindOf(x any) (string, node) {
	n, _ := x.(node)
	for k, v := range n {
		body, _ := v.(node)
		return k, body
	}
	return "", nil
}

func list(x any) []any { l, _ := x.([]any); return l }

func text(x any) string { s, _ := x.(string); return s }

// readPostgres is what PostgreSQL's own grammar makes of a text.
func readPostgres(sql string) ([]reading, error) {
	out, err := pg.ParseToJSON(sql)
	if err != nil {
		return nil, err
	}
	var root struct{ Stmts []struct{ Stmt node } }
	if err := json.Unmarshal([]byte(out), &root); err != nil {
		return nil, err
	}
	p := &pgReader{}
	for _, s := range root.Stmts {
		p.statement(s.Stmt)
	}
	return p.out, nil
}

type pgReader struct {
	out      []reading
	excluded map[string]fence.Term // of the insert that is read
	unnamed  []fence.Term          // what it inserts, if it names no columns
}

func (p *pgReader) statement(x any) {
	kind, s := kindOf(x)
	if kind == "ExplainStmt" {
		p.statement(s["query"])
		return
	}
	with, _ := s["withClause"].(node)
	for _, c := range list(with["ctes"]) {
		_, cte := kindOf(c)
		p.statement(cte["ctequery"])
	}
	r := reading{plain: with == nil}
	switch kind {
	case "UpdateStmt":
		p.sets(&r, s["targetList"])
		r.plain = r.plain && s["fromClause"] == nil
	case "DeleteStmt":
		r.plain = r.plain && s["usingClause"] == nil
	case "InsertStmt":
		p.insert(&r, s)
	case "MergeStmt":
		r.plain = false
	default:
		return
	}
	if kind != "InsertStmt" && s["whereClause"] != nil {
		r.where = p.cond(s["whereClause"])
	}
	rel, _ := s["relation"].(node)
	r.table = strings.ToLower(strings.TrimPrefix(text(rel["schemaname"])+"."+text(rel["relname"]), "."))
	p.out = append(p.out, r)
}

func (p *pgReader) sets(r *reading, targets any) {
	for _, t := range list(targets) {
		_, t := kindOf(t)
		a := fence.Assign{Column: text(t["name"])}
		switch k, v := kindOf(t["val"]); {
		case k == "MultiAssignRef":
			a.Value = p.multi(v)
		case t["indirection"] != nil:
			a.Value = fence.Opaque{Of: p.parts(t["val"])}
		default:
			a.Value = p.term(t["val"])
		}
		r.cols, r.sets = append(r.cols, a.Column), append(r.sets, a)
	}
}

func (p *pgReader) multi(v node) fence.Term {
	n, _ := v["colno"].(float64)
	switch k, src := kindOf(v["source"]); k {
	case "RowExpr":
		return p.term(list(src["args"])[int(n)-1])
	case "SubLink":
		_, q := kindOf(src["subselect"])
		_, item := kindOf(list(q["targetList"])[int(n)-1])
		return p.term(item["val"])
	}
	return fence.Opaque{Of: p.parts(v["source"])}
}

func (p *pgReader) insert(r *reading, s node) {
	for _, c := range list(s["cols"]) {
		_, t := kindOf(c)
		r.into = append(r.into, text(t["name"]))
	}
	_, q := kindOf(s["selectStmt"])
	rows := list(q["valuesLists"])
	r.plain = r.plain && len(rows) > 0
	p.excluded = make(map[string]fence.Term)
	for i, c := range r.into {
		var of []fence.Term
		for _, row := range rows {
			_, l := kindOf(row)
			if items := list(l["items"]); i < len(items) {
				of = append(of, p.term(items[i]))
			}
		}
		p.excluded[c] = merged(of)
	}
	if len(r.into) == 0 {
		p.unnamed = p.parts(s["selectStmt"])
	}
	conf, _ := s["onConflictClause"].(node)
	if conf != nil && text(conf["action"]) == "ONCONFLICT_UPDATE" {
		p.sets(r, conf["targetList"])
		if conf["whereClause"] != nil {
			r.where = p.cond(conf["whereClause"])
		}
	}
	p.excluded, p.unnamed = nil, nil
}

// merged is what rows have in common.
func merged(of []fence.Term) fence.Term {
	for _, t := range of[min(1, len(of)):] {
		if fence.TermString(t) != fence.TermString(of[0]) {
			return fence.Opaque{Of: of}
		}
	}
	if len(of) == 0 {
		return fence.Opaque{}
	}
	return of[0]
}

// parts are the columns and parameters anywhere in x.
func (p *pgReader) parts(x any) []fence.Term {
	var out []fence.Term
	switch x := x.(type) {
	case []any:
		for _, e := range x {
			out = append(out, p.parts(e)...)
		}
	case node:
		if x["ColumnRef"] != nil || x["ParamRef"] != nil {
			return []fence.Term{p.term(x)}
		}
		for _, v := range x {
			out = append(out, p.parts(v)...)
		}
	}
	return out
}

func (p *pgReader) conds(xs []any) []fence.Cond {
	out := make([]fence.Cond, len(xs))
	for i, x := range xs {
		out[i] = p.cond(x)
	}
	return out
}

func (p *pgReader) terms(xs []any) []fence.Term {
	out := make([]fence.Term, len(xs))
	for i, x := range xs {
		out[i] = p.term(x)
	}
	return out
}

func (p *pgReader) cond(x any) fence.Cond {
	kind, e := kindOf(x)
	switch kind {
	case "BoolExpr":
		of := p.conds(list(e["args"]))
		switch text(e["boolop"]) {
		case "AND_EXPR":
			return fence.And{Of: of}
		case "OR_EXPR":
			return fence.Or{Of: of}
		}
		return fence.Not{Of: of[0]}
	case "A_Expr":
		return p.operator(x, e)
	case "NullTest":
		return p.nullTest(e)
	case "BooleanTest":
		word := strings.TrimPrefix(text(e["booltesttype"]), "IS_")
		word, not := strings.CutPrefix(word, "NOT_")
		value := map[string]fence.Truth{"TRUE": fence.True, "FALSE": fence.False, "UNKNOWN": fence.Unknown3}[word]
		return notIf(not, fence.Is{Of: p.cond(e["arg"]), Value: value})
	case "A_Const":
		if b, ok := e["boolval"].(node); ok {
			if b["boolval"] == true {
				return fence.And{}
			}
			return fence.Or{}
		}
	case "TypeCast":
		if strings.HasPrefix(typeName(e), "bool") {
			return p.cond(e["arg"])
		}
	case "SubLink":
		return fence.Atom{Key: subquery, Of: p.parts(x)}
	}
	return fence.Truthy{Of: p.term(x)}
}

func notIf(not bool, c fence.Cond) fence.Cond {
	if not {
		return fence.Not{Of: c}
	}
	return c
}

func (p *pgReader) nullTest(e node) fence.Cond {
	not := text(e["nulltesttype"]) == "IS_NOT_NULL"
	if k, row := kindOf(e["arg"]); k == "RowExpr" {
		var all []fence.Cond
		for _, t := range p.terms(list(row["args"])) {
			all = append(all, notIf(not, fence.IsNull{Of: t}))
		}
		return fence.And{Of: all}
	}
	return notIf(not, fence.IsNull{Of: p.term(e["arg"])})
}

var sqlOps = map[string]fence.Op{"=": fence.EQ, "<>": fence.NE, "!=": fence.NE, "<": fence.LT, "<=": fence.LE, ">": fence.GT, ">=": fence.GE}

// compare is nil if the operator compares nothing.
func (p *pgReader) compare(op fence.Op, l, r any) fence.Cond {
	lk, lr := kindOf(l)
	rk, rr := kindOf(r)
	if lk == "RowExpr" && rk == "RowExpr" {
		return fence.Row(op, p.terms(list(lr["args"])), p.terms(list(rr["args"])))
	}
	return fence.Cmp{Op: op, L: p.term(l), R: p.term(r)}
}

func opName(e node) string {
	names := list(e["name"])
	if len(names) == 0 {
		return ""
	}
	_, s := kindOf(names[len(names)-1])
	return text(s["sval"])
}

func (p *pgReader) operator(x any, e node) fence.Cond {
	l, r, name := e["lexpr"], e["rexpr"], opName(e)
	op, ordered := sqlOps[name]
	_, rl := kindOf(r)
	items := list(rl["items"])
	switch kind := strings.TrimPrefix(text(e["kind"]), "AEXPR_"); kind {
	case "OP":
		if ordered && l != nil {
			return p.compare(op, l, r)
		}
	case "DISTINCT":
		return fence.Not{Of: p.compare(fence.Same, l, r)}
	case "NOT_DISTINCT":
		return p.compare(fence.Same, l, r)
	case "IN":
		var any []fence.Cond
		for _, it := range items {
			any = append(any, p.compare(fence.EQ, l, it))
		}
		return notIf(name == "<>", fence.Or{Of: any})
	case "OP_ANY", "OP_ALL":
		if k, arr := kindOf(r); k == "A_ArrayExpr" && ordered {
			var of []fence.Cond
			for _, it := range list(arr["elements"]) {
				of = append(of, p.compare(op, l, it))
			}
			if kind == "OP_ALL" {
				return fence.And{Of: of}
			}
			return fence.Or{Of: of}
		}
	case "BETWEEN", "NOT_BETWEEN", "BETWEEN_SYM", "NOT_BETWEEN_SYM":
		in := func(lo, hi any) fence.Cond {
			return fence.And{Of: []fence.Cond{p.compare(fence.GE, l, lo), p.compare(fence.LE, l, hi)}}
		}
		c := in(items[0], items[1])
		if strings.HasSuffix(kind, "SYM") {
			c = fence.Or{Of: []fence.Cond{c, in(items[1], items[0])}}
		}
		return notIf(strings.HasPrefix(kind, "NOT"), c)
	case "LIKE", "ILIKE", "SIMILAR":
		return notIf(strings.HasPrefix(name, "!"), fence.Atom{Of: p.parts(x)})
	}
	if kind := text(e["kind"]); kind != "AEXPR_OP" && kind != "AEXPR_NULLIF" {
		return fence.Atom{Of: p.parts(x)}
	}
	return fence.Truthy{Of: p.term(x)}
}

func typeName(e node) string {
	t, _ := e["typeName"].(node)
	names := list(t["names"])
	if len(names) == 0 {
		return ""
	}
	_, s := kindOf(names[len(names)-1])
	return text(s["sval"])
}

func (p *pgReader) term(x any) fence.Term {
	kind, e := kindOf(x)
	switch kind {
	case "ColumnRef":
		return p.column(e)
	case "ParamRef":
		n, _ := e["number"].(float64)
		return fence.Input{Arg: fence.Arg(fmt.Sprintf("$%d", int(n)))}
	case "A_Const":
		return constant(e)
	case "TypeCast":
		if strings.HasPrefix(typeName(e), "bool") {
			return fence.Bool{Of: p.cond(e["arg"])}
		}
		return p.term(e["arg"])
	case "CoalesceExpr":
		return fence.Apply{Fn: fence.Coalesce, Args: p.terms(list(e["args"]))}
	case "MinMaxExpr":
		if text(e["op"]) == "IS_LEAST" {
			return fence.Apply{Fn: fence.Least, Args: p.terms(list(e["args"]))}
		}
		return fence.Apply{Fn: fence.Greatest, Args: p.terms(list(e["args"]))}
	case "CaseExpr":
		return p.caseTerm(e)
	case "BoolExpr", "NullTest", "BooleanTest":
		return fence.Bool{Of: p.cond(x)}
	case "A_Expr":
		return p.arithmetic(x, e)
	}
	if kind == "SubLink" {
		return fence.Opaque{Key: subquery, Of: p.parts(x)}
	}
	return fence.Opaque{Of: p.parts(x)}
}

func (p *pgReader) arithmetic(x any, e node) fence.Term {
	name, kind := opName(e), text(e["kind"])
	switch {
	case kind == "AEXPR_NULLIF":
		return fence.Apply{Fn: fence.NullIf, Args: p.terms([]any{e["lexpr"], e["rexpr"]})}
	case kind != "AEXPR_OP":
		return fence.Bool{Of: p.operator(x, e)}
	case e["lexpr"] == nil && name == "+":
		return p.term(e["rexpr"])
	case e["lexpr"] == nil && name == "-":
		return fence.Apply{Fn: fence.Sub, Args: p.terms([]any{e["rexpr"]})}
	case name == "+" || name == "-":
		fn := fence.Add
		if name == "-" {
			fn = fence.Sub
		}
		return fence.Apply{Fn: fn, Args: p.terms([]any{e["lexpr"], e["rexpr"]})}
	}
	if _, ok := sqlOps[name]; ok && e["lexpr"] != nil {
		return fence.Bool{Of: p.operator(x, e)}
	}
	return fence.Opaque{Of: p.parts([]any{e["lexpr"], e["rexpr"]})}
}

func (p *pgReader) caseTerm(e node) fence.Term {
	out := fence.Case{}
	for _, a := range list(e["args"]) {
		_, w := kindOf(a)
		when := fence.Cond(nil)
		if e["arg"] != nil {
			when = p.compare(fence.EQ, e["arg"], w["expr"])
		} else {
			when = p.cond(w["expr"])
		}
		out.Arms = append(out.Arms, fence.Arm{When: when, Then: p.term(w["result"])})
	}
	if e["defresult"] != nil {
		out.Else = p.term(e["defresult"])
	}
	return out
}

func (p *pgReader) column(e node) fence.Term {
	fields := list(e["fields"])
	_, last := kindOf(fields[len(fields)-1])
	name := text(last["sval"])
	if len(fields) > 1 {
		_, first := kindOf(fields[len(fields)-2])
		if v, ok := p.excluded[name]; text(first["sval"]) == "excluded" {
			if !ok {
				return fence.Opaque{Of: p.unnamed}
			}
			return v
		}
	}
	if name == "" {
		return fence.Opaque{}
	}
	return fence.Stored{Column: name}
}

func constant(e node) fence.Term {
	if e["isnull"] == true {
		return fence.Null{}
	}
	if v, ok := e["ival"].(node); ok {
		n, _ := v["ival"].(float64)
		return fence.Const{Int: int64(n)}
	}
	if v, ok := e["sval"].(node); ok {
		return fence.Lit{Text: text(v["sval"])}
	}
	if v, ok := e["boolval"].(node); ok {
		if v["boolval"] == true {
			return fence.Const{Int: 1}
		}
		return fence.Const{}
	}
	if v, ok := e["fval"].(node); ok { // numbers that do not fit 32 bits, too
		var n int64
		if _, err := fmt.Sscanf(text(v["fval"]), "%d", &n); err == nil && fmt.Sprint(n) == text(v["fval"]) {
			return fence.Const{Int: n}
		}
	}
	return fence.Opaque{}
}
