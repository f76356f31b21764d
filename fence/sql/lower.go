package sql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
)

// lowerer turns the syntax of one statement into mutations.
type lowerer struct {
	p       *parser
	d       Dialect
	scope   *scope
	env     *cteEnv
	refs    int
	inlined int
	muts    []*fence.Mutation
	tables  []string
	locked  []string
	skip    bool
	probs   []fence.Problem // of the mutation being lowered
	probAll []fence.Problem
	steps   int
	spent   bool
}

func (l *lowerer) problem(reason string, tok int) {
	l.probs = append(l.probs, l.p.problemOf(problemAt{reason, tok}))
}

// maxNames bounds what one statement may read, bind or define.
const maxNames = 200

func (l *lowerer) addName(s []string, name string) []string {
	if name == "" || slices.Contains(s, name) {
		return s
	}
	if len(s) >= maxNames {
		l.spent = true
		return s
	}
	return append(s, name)
}

func (l *lowerer) table(name string)     { l.tables = l.addName(l.tables, name) }
func (l *lowerer) lockTable(name string) { l.locked = l.addName(l.locked, name) }

// cond lowers an expression used as a condition.
func (l *lowerer) cond(e *expr) fence.Cond {
	if !l.spend() {
		return fence.Atom{Key: "spent" + l.ref()}
	}
	switch e.kind {
	case eAnd:
		return fence.And{Of: l.conds(e.args)}
	case eOr:
		return fence.Or{Of: l.conds(e.args)}
	case eNot:
		return fence.Not{Of: l.cond(e.args[0])}
	case eXor:
		a, b := l.cond(e.args[0]), l.cond(e.args[1])
		return fence.Or{Of: []fence.Cond{fence.And{Of: []fence.Cond{a, fence.Not{Of: b}}}, fence.And{Of: []fence.Cond{fence.Not{Of: a}, b}}}}
	case eTrue:
		return fence.And{}
	case eFalse:
		return fence.Or{}
	case eCmp:
		return l.compare(e)
	case eIs:
		if e.op == "null" && e.args[0].kind == eRow {
			return l.isTest(e)
		}
		return negate(l.isTest(e), e.not)
	case eBetween:
		return negate(l.between(e), e.not)
	case eIn:
		return negate(l.inList(e.args[0], e.args[1:]), e.not)
	case eInSub:
		return negate(l.inSub(e), e.not)
	case eExists:
		return l.exists(e)
	case eAny:
		return l.anyAll(e)
	case eCast:
		if strings.HasPrefix(e.op, "bool") {
			return l.cond(e.args[0])
		}
	case eFunc:
		if e.op == "isnull" && len(e.args) == 1 {
			return fence.IsNull{Of: l.term(e.args[0])}
		}
		return fence.Truthy{Of: l.term(e)}
	case eBin:
		if e.op == "+" || e.op == "-" {
			return fence.Truthy{Of: l.term(e)}
		}
	case eCol, eNum, eParam, eCase, eNull, eStr, eSub, eNeg:
		return fence.Truthy{Of: l.term(e)}
	}
	return fence.Atom{Key: l.keyOf(e) + l.unique(e), Of: l.parts(e)}
}

func (l *lowerer) conds(es []*expr) []fence.Cond {
	out := make([]fence.Cond, len(es))
	for i, e := range es {
		out[i] = l.cond(e)
	}
	return out
}

func negate(c fence.Cond, not bool) fence.Cond {
	if not {
		return fence.Not{Of: c}
	}
	return c
}

var cmpOps = map[string]fence.Op{"=": fence.EQ, "<>": fence.NE, "<": fence.LT, "<=": fence.LE, ">": fence.GT, ">=": fence.GE, "<=>": fence.Same}

func (l *lowerer) compare(e *expr) fence.Cond {
	a, b := e.args[0], e.args[1]
	if a.kind == eRow || b.kind == eRow {
		if a.kind == eRow && b.kind == eRow && e.op != "<=>" {
			if c := fence.Row(cmpOps[e.op], l.terms(a.args), l.terms(b.args)); c != nil {
				return c
			}
		}
		return fence.Atom{Key: l.keyOf(e), Of: l.parts(e)}
	}
	return fence.Cmp{Op: cmpOps[e.op], L: l.term(a), R: l.term(b)}
}

func (l *lowerer) isTest(e *expr) fence.Cond {
	x := e.args[0]
	switch e.op {
	case "null":
		if x.kind == eRow { // all are NULL, or with NOT none is
			var all []fence.Cond
			for _, t := range l.terms(x.args) {
				all = append(all, negate(fence.IsNull{Of: t}, e.not))
			}
			return fence.And{Of: all}
		}
		return fence.IsNull{Of: l.term(x)}
	case "true":
		return fence.Is{Of: l.cond(x), Value: fence.True}
	case "false":
		return fence.Is{Of: l.cond(x), Value: fence.False}
	case "unknown":
		return fence.Is{Of: l.cond(x), Value: fence.Unknown3}
	}
	if x.kind == eRow && e.args[1].kind == eRow {
		if c := fence.Row(fence.Same, l.terms(x.args), l.terms(e.args[1].args)); c != nil {
			return fence.Not{Of: c}
		}
		return fence.Atom{Key: l.keyOf(e), Of: l.parts(e)}
	}
	return fence.Not{Of: fence.Cmp{Op: fence.Same, L: l.term(x), R: l.term(e.args[1])}}
}

func (l *lowerer) between(e *expr) fence.Cond {
	in := func(lo, hi *expr) fence.Cond {
		lower := &expr{kind: eCmp, op: ">=", args: []*expr{e.args[0], lo}, from: e.from, to: e.to}
		upper := &expr{kind: eCmp, op: "<=", args: []*expr{e.args[0], hi}, from: e.from, to: e.to}
		return fence.And{Of: []fence.Cond{l.compare(lower), l.compare(upper)}}
	}
	if e.op == "symmetric" {
		return fence.Or{Of: []fence.Cond{in(e.args[1], e.args[2]), in(e.args[2], e.args[1])}}
	}
	return in(e.args[1], e.args[2])
}

func (l *lowerer) inList(x *expr, items []*expr) fence.Cond {
	var any []fence.Cond
	for _, it := range items {
		any = append(any, l.compare(&expr{kind: eCmp, op: "=", args: []*expr{x, it}, from: x.from, to: it.to}))
	}
	return fence.Or{Of: any}
}

// anyAll lowers x op ANY (ARRAY[...]) and ALL; a list bound as one parameter
// stays open.
func (l *lowerer) anyAll(e *expr) fence.Cond {
	if e.sub != nil {
		if e.val == "any" {
			return l.subRows(e.args[0], e.op, e.sub)
		}
		return fence.Atom{Key: l.keyOf(e), Of: append(l.parts(e), l.subParts(e.sub)...)}
	}
	list := e.args[1]
	if list.kind != eFunc || list.op != "array" {
		return fence.Atom{Key: l.keyOf(e), Of: l.parts(e)}
	}
	var of []fence.Cond
	for _, it := range list.args {
		of = append(of, l.compare(&expr{kind: eCmp, op: e.op, args: []*expr{e.args[0], it}, from: e.from, to: e.to}))
	}
	if e.val == "all" {
		return fence.And{Of: of}
	}
	return fence.Or{Of: of}
}

func (l *lowerer) exists(e *expr) fence.Cond {
	l.push()
	defer l.pop()
	was := l.env
	defer func() { l.env = was }()
	if hasAggregate(e.sub.items) && !e.sub.group && !e.sub.cut {
		return fence.And{} // an aggregate always yields one row
	}
	before := len(l.tables)
	rows := l.queryRows(e.sub)
	if len(e.sub.setOp) > 0 || e.sub.group {
		return fence.Exists{Of: fence.Atom{Key: "exists" + l.ref(), Of: rows.of}}
	}
	if len(e.sub.from) == 0 && !e.sub.cut { // one row, if the condition holds
		return fence.Is{Of: fence.And{Of: rows.conds}, Value: fence.True}
	}
	return fence.Exists{Of: fence.All(rows.conds...), Tables: slices.Clone(l.tables[min(before, len(l.tables)):]), Locked: e.sub.lock != ""}
}

func (l *lowerer) inSub(e *expr) fence.Cond { return l.subRows(e.args[0], "=", e.sub) }

// subRows is true if a row of the subquery stands in the relation to x.
func (l *lowerer) subRows(x *expr, op string, q *query) fence.Cond {
	left := []fence.Term{}
	if x.kind == eRow {
		left = l.terms(x.args)
	} else {
		left = append(left, l.term(x))
	}
	l.push()
	defer l.pop()
	was := l.env
	defer func() { l.env = was }()
	rows := l.queryRows(q)
	conds := rows.conds
	var right []fence.Term
	for _, it := range rows.items {
		if !it.star {
			right = append(right, it.term)
		}
	}
	if len(rows.items) != len(left) || len(right) != len(left) || q.group || len(q.setOp) > 0 {
		return fence.Exists{Member: true, Of: fence.Atom{Key: "in" + l.ref(), Of: append(left, rows.of...)}}
	}
	if len(q.from) == 0 && !q.cut {
		return fence.And{Of: []fence.Cond{fence.Is{Of: fence.And{Of: conds}, Value: fence.True}, fence.Row(cmpOps[op], left, right)}}
	}
	return fence.Exists{Member: true, Of: fence.All(append(conds, fence.Row(cmpOps[op], left, right))...), Locked: q.lock != ""}
}

// parts are the terms that an expression which is not understood depends on.
func (l *lowerer) parts(e *expr) []fence.Term {
	var out []fence.Term
	for _, a := range e.args {
		if a != nil {
			out = append(out, l.part(a)...)
		}
	}
	if e.sub != nil {
		out = append(out, l.subParts(e.sub)...)
	}
	return out
}

func (l *lowerer) part(e *expr) []fence.Term {
	switch e.kind {
	case eCol, eParam, eFunc, eCast, eCase, eBin, eNeg, eSub:
		return []fence.Term{l.term(e)}
	}
	return l.parts(e)
}

// subParts are the terms that a subquery depends on.
func (l *lowerer) subParts(q *query) []fence.Term {
	l.push()
	defer l.pop()
	was := l.env
	defer func() { l.env = was }()
	return l.queryRows(q).of
}

const tooComplex = "the statement has too many parts"

// spend counts the work of lowering: subqueries can be reached by several
// ways, and texts may be built to make that explode.
func (l *lowerer) spend() bool {
	l.steps++
	if l.steps <= 10000+20*len(l.p.t) {
		return true
	}
	l.spent = true
	return false
}

func (l *lowerer) terms(es []*expr) []fence.Term {
	out := make([]fence.Term, len(es))
	for i, e := range es {
		out[i] = l.term(e)
	}
	return out
}

// unique makes the key of an expression differ from every other if it calls
// something that may answer differently each time.
func (l *lowerer) unique(e *expr) string {
	if l.volatile(e) {
		return "#" + l.ref()
	}
	return ""
}

var pure = set("lower upper length char_length abs trim ltrim rtrim round floor ceil ceiling substr substring replace concat md5 " +
	"now current_timestamp current_date localtimestamp transaction_timestamp statement_timestamp date_trunc extract to_char to_timestamp " +
	"date_add date_sub date_format unix_timestamp utc_timestamp sysdate getdate datetime date strftime julianday json_extract jsonb_extract_path " +
	"jsonb_extract_path_text array array_length cardinality coalesce nullif greatest least ifnull isnull nvl if iif max min to_jsonb jsonb_set " +
	"json_build_object jsonb_build_object encode decode digest hash sign mod power sqrt left right position strpos split_part dateadd datediff")

func (l *lowerer) volatile(e *expr) bool {
	if e == nil {
		return false
	}
	if e.kind == eFunc && !pure[e.op] || e.sub != nil {
		return true
	}
	return slices.ContainsFunc(e.args, l.volatile)
}

// generators make a value that is another one for each attempt.
var generators = set("nextval setval random rand randomblob uuid gen_random_uuid newid newsequentialid sys_guid gen_salt gen_random_bytes random_bytes " +
	"uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4 uuidv4 uuidv7 uuid_short unique_rowid now clock_timestamp current_timestamp current_time current_date " +
	"localtime localtimestamp transaction_timestamp statement_timestamp timeofday unix_timestamp utc_timestamp sysdate systimestamp getdate sysutcdatetime")

// steady functions take no argument, and answer the same all the same.
var steady = set("database schema current_database current_schema current_user session_user user version pi")

// drawn tells whether an expression makes a value anew. A function that is not known
// and is given nothing has nothing to compute it from.
func drawn(e *expr) bool {
	return e.kind == eFunc && (generators[e.op] || len(e.args) == 0 && !pure[e.op] && !steady[e.op])
}

func (l *lowerer) opaque(e *expr) fence.Term {
	return fence.Opaque{Key: l.keyOf(e), Of: l.parts(e), Volatile: l.volatile(e), Anew: drawn(e)}
}

// term lowers an expression used as a value.
func (l *lowerer) term(e *expr) fence.Term {
	if !l.spend() {
		return fence.Opaque{Key: "spent", Volatile: true}
	}
	switch e.kind {
	case eCol:
		return l.column(e)
	case eParam:
		return fence.Input{Arg: fence.Arg(e.val)}
	case eNum:
		return number(e.val)
	case eStr:
		return fence.Lit{Text: e.val}
	case eNull:
		return fence.Null{}
	case eTrue:
		return fence.Const{Int: 1}
	case eFalse:
		return fence.Const{Int: 0}
	case eNeg:
		return l.negative(e.args[0])
	case eBin:
		switch e.op {
		case "+":
			return fence.Apply{Fn: fence.Add, Args: l.terms(e.args)}
		case "-":
			return fence.Apply{Fn: fence.Sub, Args: l.terms(e.args)}
		}
	case eCast:
		return l.cast(e)
	case eCase:
		return l.caseTerm(e)
	case eFunc:
		return l.function(e)
	case eSub:
		return l.scalar(e)
	case eAnd, eOr, eNot, eXor, eCmp, eIs, eBetween, eIn, eInSub, eExists, eAny:
		return fence.Bool{Of: l.cond(e)}
	case eRow:
		if len(e.args) == 1 {
			return l.term(e.args[0])
		}
	}
	return l.opaque(e)
}

func number(s string) fence.Term {
	if n, err := strconv.ParseInt(s, 0, 64); err == nil && (len(s) < 2 || s[0] != '0') {
		return fence.Const{Int: n}
	}
	return fence.Opaque{Key: s}
}

func (l *lowerer) negative(x *expr) fence.Term {
	if x.kind == eNum {
		if n, err := strconv.ParseInt("-"+x.val, 10, 64); err == nil {
			return fence.Const{Int: n}
		}
	}
	return fence.Apply{Fn: fence.Sub, Args: []fence.Term{l.term(x)}}
}

// words that are values, not columns.
var valueWords = set("current_timestamp current_date current_time localtime localtimestamp sysdate systimestamp rownum default current_user session_user user")

func (l *lowerer) column(e *expr) fence.Term {
	if len(e.name) == 1 && valueWords[e.name[0]] && l.p.t[e.from].kind == tIdent {
		return fence.Opaque{Key: e.name[0], Anew: generators[e.name[0]]}
	}
	return l.resolve(e.name)
}
