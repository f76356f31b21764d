// Package mongo reads filters and updates of MongoDB for fence.Prove.
//
// What enters is a filter and an update as documents of [Value]; what leaves is a
// fence.Mutation. The package must not know Go, drivers, or which argument is a
// token.
//
// An ordered comparison with a field that is missing is false; $ne and $not match
// such documents. What is not understood becomes a Problem.
package mongo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
)

// Value is a value in a document.
type Value struct {
	Kind  Kind
	Doc   []Field
	List  []Value
	Arg   fence.Arg
	Text  string
	Int   int64
	Cause string // of Unknown: the reason

	Textual bool // of Argument: it is a string, whose order is that of its bytes
}

// Kind says which field of a Value counts.
type Kind uint8

// The kinds of values.
const (
	Unknown Kind = iota // may be anything, also an operator
	Document
	List
	Argument // a scalar from outside
	String
	Int
	Null
	Bool // Int is 0 or 1
)

// Field is one field of a document.
type Field struct {
	Name  string
	Value Value
}

// Write is one write.
type Write struct {
	Collection string
	Delete     bool
	Insert     bool // the update is a new document; there is no filter
	Replace    bool // the update is the whole new document
	Upsert     bool
	Filter     Value
	Update     Value
}

// Lower gives the mutation that a write performs.
func Lower(w Write) *fence.Mutation {
	m := &fence.Mutation{Kind: fence.Update, Resource: w.Collection, Semantics: fence.MissingMongo}
	l := &lowerer{m: m}
	if w.Insert {
		l.insert(w.Update)
		return m
	}
	m.Guard = l.filter(w.Filter)
	switch {
	case w.Delete:
		m.Kind = fence.Delete
	case w.Replace:
		l.replace(w.Update)
	default:
		l.update(w.Update)
	}
	if w.Upsert {
		m.InsertPath, m.OnConflict = fence.Open, "error"
		if m.Guard != nil && !Keyed(w.Filter) {
			l.problem("an upsert that is refused inserts another document, unless a unique index covers its filter")
		}
		m.Notes = append(m.Notes, "the filter names a unique key, so that a refused upsert is a duplicate")
	}
	return m
}

// Keyed reports whether a filter names the key of one document.
func Keyed(filter Value) bool {
	return slices.ContainsFunc(filter.Doc, func(f Field) bool {
		if f.Name == "$and" {
			return slices.ContainsFunc(f.Value.List, Keyed)
		}
		return f.Name == "_id" && f.Value.Kind != Document && f.Value.Kind != Unknown
	})
}

type lowerer struct {
	m     *fence.Mutation
	depth int
}

// maxDepth bounds the nesting that is read.
const maxDepth = 40

func (l *lowerer) problem(reason string) {
	l.m.Problems = append(l.m.Problems, fence.Problem{Reason: reason})
}

func (l *lowerer) unknown(v Value) {
	cause := v.Cause
	if cause == "" {
		cause = "part of the filter or the update is put together out of sight"
	}
	l.problem(cause)
}

// filter is the condition under which a document matches.
func (l *lowerer) filter(v Value) fence.Cond {
	l.depth++
	defer func() { l.depth-- }()
	if v.Kind != Document || l.depth > maxDepth {
		l.unknown(v)
		return fence.Atom{Key: "filter"}
	}
	and := fence.And{}
	for _, f := range v.Doc {
		and.Of = append(and.Of, l.field(f))
	}
	if len(and.Of) == 0 {
		return nil
	}
	return and
}

func (l *lowerer) field(f Field) fence.Cond {
	switch f.Name {
	case "$and":
		return fence.And{Of: l.filters(f.Value)}
	case "$or":
		return fence.Or{Of: l.filters(f.Value)}
	case "$nor":
		return fence.Not{Of: fence.Or{Of: l.filters(f.Value)}}
	case "$expr":
		return l.expr(f.Value)
	case "$comment":
		return fence.And{}
	}
	if f.Name == "" || strings.HasPrefix(f.Name, "$") {
		l.problem("the operator " + f.Name + " is not followed")
		return fence.Atom{Key: f.Name}
	}
	return l.match(fence.Stored{Column: f.Name}, f.Value)
}

func (l *lowerer) filters(v Value) []fence.Cond {
	if v.Kind != List {
		l.unknown(v)
		return []fence.Cond{fence.Atom{Key: "list"}}
	}
	var out []fence.Cond
	for _, x := range v.List {
		c := l.filter(x)
		if c == nil {
			c = fence.And{}
		}
		out = append(out, c)
	}
	return out
}

// match is what a filter demands of one field.
func (l *lowerer) match(col fence.Term, v Value) fence.Cond {
	if v.Kind == Null {
		return fence.IsNull{Of: col}
	}
	if v.Kind != Document || len(v.Doc) == 0 || !strings.HasPrefix(v.Doc[0].Name, "$") {
		return fence.Cmp{Op: fence.EQ, L: col, R: l.scalar(v)}
	}
	and := fence.And{}
	for _, f := range v.Doc {
		and.Of = append(and.Of, l.operator(col, f))
	}
	return and
}

var comparisons = map[string]fence.Op{
	"$lt": fence.LT, "$lte": fence.LE, "$gt": fence.GT, "$gte": fence.GE, "$eq": fence.EQ, "$ne": fence.NE,
}

func (l *lowerer) operator(col fence.Term, f Field) fence.Cond {
	l.depth++
	defer func() { l.depth-- }()
	if l.depth > maxDepth {
		l.problem("a filter that is nested too deep")
		return fence.Atom{Key: "deep"}
	}
	if op, ok := comparisons[f.Name]; ok {
		switch {
		case f.Value.Kind == Null && op == fence.EQ:
			return fence.IsNull{Of: col}
		case f.Value.Kind == Null && op == fence.NE:
			return fence.Not{Of: fence.IsNull{Of: col}}
		}
		r := l.scalar(f.Value)
		if op.Ordered() && f.Value.Textual {
			col, r = fence.Apply{Fn: fence.CastText, Args: []fence.Term{col}}, fence.Apply{Fn: fence.CastText, Args: []fence.Term{r}}
		}
		return fence.Cmp{Op: op, L: col, R: r}
	}
	switch f.Name {
	case "$not":
		return fence.Not{Of: l.match(col, f.Value)}
	case "$exists":
		if f.Value.Kind != Bool && f.Value.Kind != Int {
			return fence.Atom{Key: "exists", Of: []fence.Term{col}}
		}
		if f.Value.Int != 0 {
			return fence.Not{Of: fence.IsNull{Of: col}}
		}
		return fence.IsNull{Of: col}
	case "$in", "$nin":
		or := fence.Or{}
		if f.Value.Kind != List {
			return fence.Atom{Key: f.Name + fmt.Sprint(col), Of: []fence.Term{col}}
		}
		for _, x := range f.Value.List {
			or.Of = append(or.Of, l.match(col, x))
		}
		if f.Name == "$nin" {
			return fence.Not{Of: or}
		}
		return or
	}
	return fence.Atom{Key: f.Name + fmt.Sprint(col), Of: []fence.Term{col}}
}

// scalar is a value that is compared or stored.
func (l *lowerer) scalar(v Value) fence.Term {
	switch v.Kind {
	case Argument:
		return fence.Input{Arg: v.Arg}
	case String:
		return fence.Lit{Text: v.Text}
	case Int, Bool:
		return fence.Const{Int: v.Int}
	case Null:
		return fence.Null{}
	case Unknown:
		l.unknown(v)
	}
	return fence.Opaque{Key: fmt.Sprintf("%+v", v)}
}

// expr is an aggregation expression used as a condition.
func (l *lowerer) expr(v Value) fence.Cond {
	l.depth++
	defer func() { l.depth-- }()
	if v.Kind != Document || len(v.Doc) != 1 || l.depth > maxDepth {
		l.unknown(v)
		return fence.Atom{Key: "expr"}
	}
	f := v.Doc[0]
	switch f.Name {
	case "$and", "$or":
		var of []fence.Cond
		for _, x := range f.Value.List {
			of = append(of, l.expr(x))
		}
		if f.Name == "$and" {
			return fence.And{Of: of}
		}
		return fence.Or{Of: of}
	case "$not":
		if f.Value.Kind == List && len(f.Value.List) == 1 {
			return fence.Not{Of: l.expr(f.Value.List[0])}
		}
		return fence.Not{Of: l.expr(f.Value)}
	}
	op, ok := comparisons[f.Name]
	if !ok || len(f.Value.List) != 2 {
		return fence.Atom{Key: fmt.Sprintf("%+v", v), Of: []fence.Term{l.computed(f.Value)}}
	}
	a, b := l.computed(f.Value.List[0]), l.computed(f.Value.List[1])
	// Here a missing field has a place in the order: it is below every number.
	if op.Ordered() {
		c := fence.Cond(fence.Cmp{Op: op, L: a, R: b})
		if s, ok := a.(fence.Stored); ok && (op == fence.LT || op == fence.LE) {
			c = fence.Or{Of: []fence.Cond{fence.IsNull{Of: s}, c}}
		}
		if s, ok := b.(fence.Stored); ok && (op == fence.GT || op == fence.GE) {
			c = fence.Or{Of: []fence.Cond{fence.IsNull{Of: s}, c}}
		}
		return c
	}
	return fence.Cmp{Op: op, L: a, R: b}
}

// computed is an aggregation expression used as a value.
func (l *lowerer) computed(v Value) fence.Term {
	l.depth++
	defer func() { l.depth-- }()
	switch {
	case l.depth > maxDepth:
		l.problem("an expression that is nested too deep")
	case v.Kind == String && strings.HasPrefix(v.Text, "$$"):
		return fence.Opaque{Key: v.Text}
	case v.Kind == String && strings.HasPrefix(v.Text, "$"):
		return fence.Stored{Column: v.Text[1:]}
	case v.Kind == Document && len(v.Doc) == 1 && v.Doc[0].Value.Kind == List:
		if fn, ok := functions[v.Doc[0].Name]; ok {
			a := fence.Apply{Fn: fn}
			for _, x := range v.Doc[0].Value.List {
				a.Args = append(a.Args, l.computed(x))
			}
			return a
		}
	case v.Kind == Document && len(v.Doc) == 1 && v.Doc[0].Name == "$literal":
		return l.scalar(v.Doc[0].Value)
	}
	if v.Kind == Document || v.Kind == List {
		return fence.Opaque{Key: fmt.Sprintf("%+v", v), Of: columns(v)}
	}
	return l.scalar(v)
}

var functions = map[string]fence.Fn{"$add": fence.Add, "$subtract": fence.Sub, "$max": fence.Greatest, "$min": fence.Least, "$ifNull": fence.Coalesce}

// columns are the fields and arguments in an expression.
func columns(v Value) []fence.Term {
	var out []fence.Term
	switch v.Kind {
	case String:
		if strings.HasPrefix(v.Text, "$") && !strings.HasPrefix(v.Text, "$$") {
			out = append(out, fence.Stored{Column: v.Text[1:]})
		}
	case Argument:
		out = append(out, fence.Input{Arg: v.Arg})
	}
	for _, x := range v.List {
		out = append(out, columns(x)...)
	}
	for _, f := range v.Doc {
		out = append(out, columns(f.Value)...)
	}
	return out
}

func (l *lowerer) assign(column string, v fence.Term) {
	l.m.Set = append(l.m.Set, fence.Assign{Column: column, Value: v})
}

// update is a document of operators, or a pipeline of stages.
func (l *lowerer) update(v Value) {
	if v.Kind == List {
		for _, stage := range v.List {
			l.stage(stage)
		}
		l.m.Sequential = len(v.List) > 1
		return
	}
	if v.Kind != Document {
		l.unknown(v)
		return
	}
	for _, op := range v.Doc {
		if op.Value.Kind != Document {
			l.unknown(op.Value)
			continue
		}
		for _, f := range op.Value.Doc {
			l.assignment(op.Name, f)
		}
	}
}

func (l *lowerer) stage(v Value) {
	if v.Kind != Document || len(v.Doc) != 1 {
		l.unknown(v)
		return
	}
	switch op := v.Doc[0]; op.Name {
	case "$set", "$addFields":
		for _, f := range op.Value.Doc {
			l.assign(f.Name, l.computed(f.Value))
		}
	case "$unset":
		for _, x := range append(op.Value.List, op.Value) {
			if x.Kind == String {
				l.assign(x.Text, fence.Null{})
			}
		}
	default:
		l.problem("the stage " + op.Name + " is not followed")
	}
}

func (l *lowerer) assignment(op string, f Field) {
	col := fence.Stored{Column: f.Name}
	orZero := fence.Apply{Fn: fence.Coalesce, Args: []fence.Term{col, fence.Const{}}}
	switch op {
	case "$set":
		l.assign(f.Name, l.scalar(f.Value))
	case "$inc":
		l.assign(f.Name, fence.Apply{Fn: fence.Add, Args: []fence.Term{orZero, l.scalar(f.Value)}})
	case "$max":
		l.assign(f.Name, fence.Apply{Fn: fence.Greatest, Args: []fence.Term{col, l.scalar(f.Value)}})
	case "$min":
		l.assign(f.Name, fence.Apply{Fn: fence.Least, Args: []fence.Term{col, l.scalar(f.Value)}})
	case "$unset":
		l.assign(f.Name, fence.Null{})
	case "$setOnInsert":
		l.m.InsertRow = append(l.m.InsertRow, fence.Assign{Column: f.Name, Value: l.scalar(f.Value)})
	default:
		l.assign(f.Name, fence.Opaque{Key: op + f.Name, Of: columns(f.Value)})
	}
}

// insert stores a new document, if there is none under its key.
func (l *lowerer) insert(v Value) {
	l.m.Kind, l.m.InsertPath, l.m.OnConflict = fence.Insert, fence.Open, "error"
	if v.Kind != Document {
		l.unknown(v)
		return
	}
	for _, f := range v.Doc {
		l.m.InsertRow = append(l.m.InsertRow, fence.Assign{Column: f.Name, Value: l.scalar(f.Value)})
	}
}

// replace stores a whole document: fields that it has not are gone.
func (l *lowerer) replace(v Value) {
	if v.Kind != Document {
		l.unknown(v)
		return
	}
	var have []string
	for _, f := range v.Doc {
		have = append(have, f.Name)
		l.assign(f.Name, l.scalar(f.Value))
	}
	fence.WalkCond(l.m.Guard, func(fence.Cond) {}, func(t fence.Term) {
		fence.WalkTerm(t, func(t fence.Term) {
			if s, ok := t.(fence.Stored); ok && s.Column != "_id" && !slices.Contains(have, s.Column) {
				have = append(have, s.Column)
				l.assign(s.Column, fence.Null{})
			}
		})
	})
}
