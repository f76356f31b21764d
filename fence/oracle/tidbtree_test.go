package oracle

import (
	"fmt"
	"slices"
	"strings"

	tidb "github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"github.com/fencelint/fencelint/fence"
)

// readMySQL is what TiDB's grammar, which is that of MySQL, makes of a text.
func readMySQL(p *tidb.Parser, sql string) ([]reading, error) {
	stmts, _, err := p.Parse(sql, "", "")
	if err != nil {
		return nil, err
	}
	m := &myReader{params: make(map[*test_driver.ParamMarkerExpr]int)}
	var marks []*test_driver.ParamMarkerExpr
	for _, s := range stmts {
		s.Accept(finder(func(n ast.Node) {
			if x, ok := n.(*test_driver.ParamMarkerExpr); ok {
				marks = append(marks, x)
			}
		}))
	}
	slices.SortFunc(marks, func(a, b *test_driver.ParamMarkerExpr) int { return a.Offset - b.Offset })
	for i, x := range marks {
		m.params[x] = i + 1
	}
	for _, s := range stmts {
		m.statement(s)
	}
	return m.out, nil
}

// finder visits every node once.
type finder func(ast.Node)

func (f finder) Enter(n ast.Node) (ast.Node, bool) { f(n); return n, false }
func (f finder) Leave(n ast.Node) (ast.Node, bool) { return n, true }

type myReader struct {
	out    []reading
	params map[*test_driver.ParamMarkerExpr]int
	values map[string]fence.Term // of the insert that is read
}

func (m *myReader) statement(s ast.StmtNode) {
	r := reading{}
	switch s := s.(type) {
	case *ast.ExplainStmt:
		m.statement(s.Stmt)
		return
	case *ast.UpdateStmt:
		m.table(&r, s.TableRefs.TableRefs)
		r.plain = r.plain && s.With == nil
		m.sets(&r, s.List)
		r.where = m.whole(s.Where)
	case *ast.DeleteStmt:
		m.table(&r, s.TableRefs.TableRefs)
		r.plain = r.plain && s.With == nil && !s.IsMultiTable
		if s.IsMultiTable {
			r.table = ""
		}
		r.where = m.whole(s.Where)
	case *ast.InsertStmt:
		m.table(&r, s.Table.TableRefs)
		m.insert(&r, s)
	default:
		return
	}
	m.out = append(m.out, r)
}

func (m *myReader) whole(e ast.ExprNode) fence.Cond {
	if e == nil {
		return nil
	}
	return m.cond(e)
}

// table is the first of a join, plain if it is the only one.
func (m *myReader) table(r *reading, j *ast.Join) {
	left := j.Left
	r.plain = j.Right == nil
	for {
		inner, ok := left.(*ast.Join)
		if !ok {
			break
		}
		r.plain = r.plain && inner.Right == nil
		left = inner.Left
	}
	if src, ok := left.(*ast.TableSource); ok {
		if name, ok := src.Source.(*ast.TableName); ok && r.plain {
			r.table = strings.TrimPrefix(name.Schema.L+"."+name.Name.L, ".")
		}
	}
}

func (m *myReader) sets(r *reading, list []*ast.Assignment) {
	for _, a := range list {
		as := fence.Assign{Column: a.Column.Name.L, Value: m.term(a.Expr)}
		r.cols, r.sets = append(r.cols, as.Column), append(r.sets, as)
	}
}

func (m *myReader) insert(r *reading, s *ast.InsertStmt) {
	r.plain = s.Select == nil
	m.values = make(map[string]fence.Term)
	for i, c := range s.Columns {
		r.into = append(r.into, c.Name.L)
		var of []fence.Term
		for _, row := range s.Lists {
			if i < len(row) {
				of = append(of, m.term(row[i]))
			}
		}
		m.values[c.Name.L] = merged(of)
	}
	m.sets(r, s.OnDuplicate)
	if s.IsReplace {
		r.cols, r.sets = r.into, nil
	}
	m.values = nil
}

// parts are the columns and parameters anywhere in e.
func (m *myReader) parts(e ast.Node) []fence.Term {
	var out []fence.Term
	e.Accept(finder(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.ColumnNameExpr:
			out = append(out, m.term(n))
		case *test_driver.ParamMarkerExpr:
			out = append(out, m.term(n))
		}
	}))
	return out
}

func (m *myReader) conds(es ...ast.ExprNode) []fence.Cond {
	out := make([]fence.Cond, len(es))
	for i, e := range es {
		out[i] = m.cond(e)
	}
	return out
}

func (m *myReader) terms(es ...ast.ExprNode) []fence.Term {
	out := make([]fence.Term, len(es))
	for i, e := range es {
		out[i] = m.term(e)
	}
	return out
}

func bare(e ast.ExprNode) ast.ExprNode {
	for {
		p, ok := e.(*ast.ParenthesesExpr)
		if !ok {
			return e
		}
		e = p.Expr
	}
}

var tidbOps = map[opcode.Op]fence.Op{opcode.EQ: fence.EQ, opcode.NE: fence.NE, opcode.LT: fence.LT, opcode.LE: fence.LE, opcode.GT: fence.GT, opcode.GE: fence.GE, opcode.NullEQ: fence.Same}

func (m *myReader) compare(op fence.Op, l, r ast.ExprNode) fence.Cond {
	l, r = bare(l), bare(r)
	x, left := l.(*ast.RowExpr)
	y, right := r.(*ast.RowExpr)
	if left && right {
		return fence.Row(op, m.terms(x.Values...), m.terms(y.Values...))
	}
	return fence.Cmp{Op: op, L: m.term(l), R: m.term(r)}
}

func (m *myReader) cond(e ast.ExprNode) fence.Cond {
	switch e := bare(e).(type) {
	case *ast.BinaryOperationExpr:
		if op, ok := tidbOps[e.Op]; ok {
			return m.compare(op, e.L, e.R)
		}
		switch e.Op {
		case opcode.LogicAnd:
			return fence.And{Of: m.conds(e.L, e.R)}
		case opcode.LogicOr:
			return fence.Or{Of: m.conds(e.L, e.R)}
		case opcode.LogicXor:
			a, b := m.cond(e.L), m.cond(e.R)
			return fence.Or{Of: []fence.Cond{fence.And{Of: []fence.Cond{a, fence.Not{Of: b}}}, fence.And{Of: []fence.Cond{fence.Not{Of: a}, b}}}}
		}
	case *ast.UnaryOperationExpr:
		if e.Op == opcode.Not || e.Op == opcode.Not2 {
			return fence.Not{Of: m.cond(e.V)}
		}
	case *ast.IsNullExpr:
		return notIf(e.Not, fence.IsNull{Of: m.term(e.Expr)})
	case *ast.IsTruthExpr:
		value := fence.False
		if e.True == 1 {
			value = fence.True
		}
		return notIf(e.Not, fence.Is{Of: m.cond(e.Expr), Value: value})
	case *ast.BetweenExpr:
		return notIf(e.Not, fence.And{Of: []fence.Cond{m.compare(fence.GE, e.Expr, e.Left), m.compare(fence.LE, e.Expr, e.Right)}})
	case *ast.PatternInExpr:
		if e.Sel != nil {
			return notIf(e.Not, fence.Atom{Key: subquery, Of: m.parts(e)})
		}
		var any []fence.Cond
		for _, it := range e.List {
			any = append(any, m.compare(fence.EQ, e.Expr, it))
		}
		return notIf(e.Not, fence.Or{Of: any})
	case *ast.PatternLikeOrIlikeExpr:
		return notIf(e.Not, fence.Atom{Of: m.parts(e)})
	case *ast.PatternRegexpExpr:
		return notIf(e.Not, fence.Atom{Of: m.parts(e)})
	case *ast.ExistsSubqueryExpr:
		return notIf(e.Not, fence.Atom{Key: subquery, Of: m.parts(e)})
	}
	return fence.Truthy{Of: m.term(e)}
}

func (m *myReader) term(e ast.ExprNode) fence.Term {
	switch e := bare(e).(type) {
	case *ast.ColumnNameExpr:
		return fence.Stored{Column: e.Name.Name.L}
	case *test_driver.ParamMarkerExpr:
		return fence.Input{Arg: fence.Arg(fmt.Sprintf("?%d", m.params[e]))}
	case *test_driver.ValueExpr:
		return literal(e)
	case *ast.ValuesExpr:
		if v, ok := m.values[e.Column.Name.Name.L]; ok {
			return v
		}
		return fence.Opaque{}
	case *ast.FuncCastExpr:
		return m.term(e.Expr)
	case *ast.CaseExpr:
		return m.caseTerm(e)
	case *ast.FuncCallExpr:
		return m.call(e)
	case *ast.IsNullExpr, *ast.IsTruthExpr, *ast.BetweenExpr, *ast.PatternInExpr, *ast.PatternLikeOrIlikeExpr, *ast.ExistsSubqueryExpr:
		return fence.Bool{Of: m.cond(e)}
	case *ast.UnaryOperationExpr:
		return m.unary(e)
	case *ast.BinaryOperationExpr:
		switch e.Op {
		case opcode.Plus:
			return fence.Apply{Fn: fence.Add, Args: m.terms(e.L, e.R)}
		case opcode.Minus:
			return fence.Apply{Fn: fence.Sub, Args: m.terms(e.L, e.R)}
		case opcode.LogicAnd, opcode.LogicOr, opcode.LogicXor, opcode.EQ, opcode.NE, opcode.LT, opcode.LE, opcode.GT, opcode.GE, opcode.NullEQ:
			return fence.Bool{Of: m.cond(e)}
		}
	}
	if _, ok := bare(e).(*ast.SubqueryExpr); ok {
		return fence.Opaque{Key: subquery, Of: m.parts(e)}
	}
	return fence.Opaque{Of: m.parts(e)}
}

func (m *myReader) unary(e *ast.UnaryOperationExpr) fence.Term {
	switch e.Op {
	case opcode.Not, opcode.Not2:
		return fence.Bool{Of: m.cond(e)}
	case opcode.Plus:
		return m.term(e.V)
	case opcode.Minus:
		t := m.term(e.V)
		if c, ok := t.(fence.Const); ok {
			return fence.Const{Int: -c.Int}
		}
		return fence.Apply{Fn: fence.Sub, Args: []fence.Term{t}}
	}
	return fence.Opaque{Of: m.parts(e)}
}

func (m *myReader) caseTerm(e *ast.CaseExpr) fence.Term {
	out := fence.Case{}
	for _, w := range e.WhenClauses {
		when := fence.Cond(nil)
		if e.Value != nil {
			when = m.compare(fence.EQ, e.Value, w.Expr)
		} else {
			when = m.cond(w.Expr)
		}
		out.Arms = append(out.Arms, fence.Arm{When: when, Then: m.term(w.Result)})
	}
	if e.ElseClause != nil {
		out.Else = m.term(e.ElseClause)
	}
	return out
}

func (m *myReader) call(e *ast.FuncCallExpr) fence.Term {
	fns := map[string]fence.Fn{"coalesce": fence.Coalesce, "ifnull": fence.Coalesce, "greatest": fence.Greatest, "least": fence.Least, "nullif": fence.NullIf}
	if fn, ok := fns[e.FnName.L]; ok {
		return fence.Apply{Fn: fn, Args: m.terms(e.Args...)}
	}
	switch e.FnName.L {
	case "if":
		return fence.Case{Arms: []fence.Arm{{When: m.cond(e.Args[0]), Then: m.term(e.Args[1])}}, Else: m.term(e.Args[2])}
	case "isnull":
		return fence.Bool{Of: fence.IsNull{Of: m.term(e.Args[0])}}
	}
	return fence.Opaque{Of: m.parts(e)}
}

func literal(e *test_driver.ValueExpr) fence.Term {
	switch v := e.GetValue().(type) {
	case nil:
		return fence.Null{}
	case int64:
		return fence.Const{Int: v}
	case string:
		return fence.Lit{Text: v}
	}
	return fence.Opaque{}
}
