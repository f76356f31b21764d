package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/fence/dynamo"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

func init() { receivers["dynamo-expr"] = dynamoDecision }

// dynamoDecision judges a request to DynamoDB by its expressions.
func dynamoDecision(j *judge, p *pair) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	in := j.at(s.Input, p.w)
	if in == nil {
		return unreadable("dynamodb:?", j.callName(p.w), "the request is not an argument of the call", false)
	}
	if strings.Contains(s.Method, "TransactWriteItems") {
		return j.dynamoTransaction(p, in)
	}
	d := decision{}
	for _, a := range dynamoForms(in) {
		l, reason := j.dynamoWrite(a, dynamoKinds[strings.TrimSuffix(s.Method, "WithContext")])
		d = worse(d, j.dynamoItem(p, l, reason, a.Symbolic()))
	}
	return d
}

// dynamoForms lists the forms that a request can have by the texts of its expressions.
func dynamoForms(in *term.Term) []*term.Term {
	out := in.Alternatives()
	for _, name := range []string{"ConditionExpression", "UpdateExpression"} {
		var next []*term.Term
		for _, a := range out {
			next = append(next, formsBy(a, name)...)
		}
		if len(next) > maxChains {
			return in.Alternatives()
		}
		out = next
	}
	return out
}

// formsBy gives a request one form for each text that one of its fields can have.
func formsBy(in *term.Term, field string) []*term.Term {
	s := unboxed(in)
	i := slices.IndexFunc(s.Names, func(n string) bool { return strings.HasSuffix(n, "."+field) })
	if s.Kind != term.Struct || i < 0 {
		return []*term.Term{in}
	}
	xs := texts(pointee(s.Args[i]))
	if len(xs) < 2 || slices.ContainsFunc(xs, func(x text) bool { return x.none != "" || len(x.holes) > 0 }) {
		return []*term.Term{in}
	}
	out := make([]*term.Term, len(xs))
	for k, x := range xs {
		args := slices.Clone(s.Args)
		args[i] = term.NewString(x.s)
		out[k] = term.NewStruct(s.Str, s.Site, s.Names, args)
		out[k].Open = out[k].Kind == term.Struct && s.Open
	}
	return out
}

var dynamoKinds = map[string]fence.Kind{
	"PutItem": fence.Replace, "UpdateItem": fence.Update, "DeleteItem": fence.Delete,
	"Put": fence.Replace, "Update": fence.Update, "Delete": fence.Delete,
	"ConditionCheck": fence.Update,
}

func (j *judge) dynamoItem(p *pair, l *lowered, reason string, handed bool) decision {
	if l == nil {
		return unreadable("dynamodb:?", j.callName(p.w), reason, handed)
	}
	l.shown = j.callName(p.w)
	d := j.loweredDecision(p, l)
	if l.partial && d.guard != "owner" && l.mutation.Guard != nil {
		return unreadable(l.receiver, l.shown, hiddenItem, handed)
	}
	return d
}

// dynamoTransaction: all items are written or none, so one condition that refuses
// an obsolete owner guards the others.
func (j *judge) dynamoTransaction(p *pair, in *term.Term) decision {
	items, ok := elements(fieldNamed(in, "TransactItems"))
	if !ok || len(items) == 0 {
		return unreadable("dynamodb:?", j.callName(p.w), "the items of the transaction are not written out", in.Symbolic())
	}
	var worst decision
	for _, item := range items {
		item = unboxed(term.Settle(item))
		for _, kind := range []string{"Put", "Update", "Delete", "ConditionCheck"} {
			a := unboxed(fieldNamed(item, kind))
			if term.IsZero(a) {
				continue
			}
			l, reason := j.dynamoWrite(a, dynamoKinds[kind])
			d := j.dynamoItem(p, l, reason, a.Symbolic())
			if kind == "ConditionCheck" && d.rule == "equaladmitted" {
				d.verdict, d.rule, d.guarded = proved, "", true
				d.reason = "a check of the same transaction accepts no epoch but the one that is stored"
				d = j.rejection(p, d)
			}
			if d.verdict == proved && d.guard == "fence" {
				return d
			}
			if kind != "ConditionCheck" || d.guard == "unknown" { // it writes nothing by itself
				worst = worse(worst, d)
			}
		}
	}
	return worst
}

// dynamoWrite lowers one write; without a result, the reason why it cannot.
func (j *judge) dynamoWrite(in *term.Term, kind fence.Kind) (*lowered, string) {
	x, values, reason := j.dynamoInput(in, kind)
	if reason != "" && reason != hiddenItem {
		return nil, reason
	}
	l := dynamoLowered(x, values)
	l.partial = reason == hiddenItem
	return l, ""
}

const hiddenItem = "the item is not written out"

// dynamoInput reads a request; the reason says what is not known of it.
func (j *judge) dynamoInput(in *term.Term, kind fence.Kind) (x dynamo.Input, values []entry, reason string) {
	in = unboxed(term.Settle(in))
	if in.Kind != term.Struct || in.Open {
		return x, nil, "the request is put together out of sight"
	}
	x = dynamo.Input{Kind: kind, Names: map[string]string{}}
	built := &expressions{names: x.Names}
	text := func(field string) string {
		if b, part := builtBy(fieldNamed(in, field)); b != nil {
			return built.written(b, part)
		}
		s, why := expressionText(fieldNamed(in, field))
		if why != "" {
			reason = "the " + field + " is " + why
		}
		return s
	}
	x.Table, x.Condition, x.Update = text("TableName"), text("ConditionExpression"), text("UpdateExpression")
	if x.Table == "" {
		x.Table, reason = "?", strings.TrimPrefix(reason, "the TableName is not known")
	}
	if built.failed != "" {
		reason = built.failed
	}
	names, ok := j.mapOrSome(fieldNamed(in, "ExpressionAttributeNames"), x, "#")
	for _, e := range names {
		x.Names[e.key], _ = term.StringValue(pointee(e.value))
	}
	values, known := j.mapOrSome(fieldNamed(in, "ExpressionAttributeValues"), x, ":")
	values = append(values, built.values...)
	keys, _ := j.mapOrNil(fieldNamed(in, "Key"))
	for _, e := range keys {
		x.Keys = append(x.Keys, e.key)
	}
	if kind == fence.Replace {
		item, whole := j.mapOrNil(fieldNamed(in, "Item"))
		if !whole && reason == "" {
			reason = hiddenItem
		}
		for _, e := range item {
			x.Item = append(x.Item, e.key)
			values = append(values, entry{"item." + e.key, e.value})
		}
	}
	if (!ok || !known) && reason == "" {
		reason = "the names and values of the expressions are not written out"
	}
	for i := range values {
		values[i].value = j.marshalled(values[i].value)
	}
	return x, values, reason
}

// marshalled is the value of an attribute that is taken out of an item by its name, where
// the item was made of a record: item["fence"].
func (j *judge) marshalled(t *term.Term) *term.Term {
	u := unboxed(t)
	if u.Kind != term.Elem || len(u.Args) != 2 || unboxed(u.Args[0]).Kind != term.Call {
		return t
	}
	key, ok := term.StringValue(u.Args[1])
	es, whole := j.mapOrNil(u.Args[0])
	if i := slices.IndexFunc(es, func(e entry) bool { return e.key == key }); ok && whole && i >= 0 {
		return es[i].value
	}
	return t
}

func dynamoLowered(x dynamo.Input, values []entry) *lowered {
	find := func(a fence.Arg) (*term.Term, bool) {
		if i := slices.IndexFunc(values, func(e entry) bool { return e.key == string(a) }); i >= 0 {
			return attribute(values[i].value)
		}
		return nil, false
	}
	x.Text = func(a fence.Arg) bool { _, isText := find(a); return isText }
	return &lowered{
		mutation: dynamo.Lower(x), receiver: "dynamodb:" + x.Table,
		value: func(a fence.Arg) *term.Term { t, _ := find(a); return t },
	}
}

// mapOrNil are the entries of a map, or of the map that a record is made into; one
// that is not set has none.
func (j *judge) mapOrNil(t *term.Term) ([]entry, bool) {
	if t = unboxed(t); term.IsZero(t) {
		return nil, true
	}
	if t.Kind == term.Call && lastPart(t.Str) == "MarshalMap" && len(t.Args) > 0 {
		if t = unboxed(t.Args[0]); t.Kind == term.Struct && t.Str != "map" {
			return j.recordEntries(t)
		}
	}
	return entries(t)
}

// mapOrSome are the entries of a map of names or values. Of one that has more entries on
// some ways it is enough to know those that the expressions name, each once.
func (j *judge) mapOrSome(t *term.Term, x dynamo.Input, mark string) ([]entry, bool) {
	if b, _ := builtBy(t); b != nil { // filled by the builder of the expressions
		return nil, true
	}
	if es, ok := j.mapOrNil(t); ok {
		return es, true
	}
	t = unboxed(t)
	if t.Kind != term.Struct || t.Str != "map" {
		return nil, false
	}
	var out []entry
	for i, n := range t.Names {
		key, ok := term.KeyedString(n)
		switch {
		case !ok && !(n == flow.Perhaps && t.Args[i].Kind == term.Unknown):
			return nil, false // an entry under a key that is not known may be any
		case ok && slices.ContainsFunc(out, func(e entry) bool { return e.key == key }):
			return nil, false
		case ok:
			out = append(out, entry{key, t.Args[i]})
		}
	}
	for _, word := range placeholders.Regexp().FindAllString(x.Condition+" "+x.Update, -1) {
		if strings.HasPrefix(word, mark) && !slices.ContainsFunc(out, func(e entry) bool { return e.key == word }) {
			return nil, false
		}
	}
	return out, true
}

// placeholders are the names in an expression that stand for attributes and values.
var placeholders = pattern.New(`[#:]\w+`)

// recordEntries are the attributes into which a record is made.
func (j *judge) recordEntries(t *term.Term) ([]entry, bool) {
	out := make([]entry, len(t.Args))
	for i, n := range t.Names {
		out[i] = entry{j.attributeName(n), t.Args[i]}
	}
	return out, !t.Open
}

// expressionText is a text behind a pointer; why says that it is not known.
func expressionText(t *term.Term) (text, why string) {
	t = pointee(t)
	if term.IsZero(t) && t.Typ != "string" {
		return "", ""
	}
	xs := texts(t)
	if len(xs) != 1 || xs[0].none != "" {
		return "", "not known"
	}
	return xs[0].s, ""
}

// pointers are functions that give the address of their argument.
var pointers = map[string]bool{"String": true, "Ptr": true, "ToPtr": true, "Int64": true, "Int32": true, "Bool": true, "IntPtr": true}

// pointee is what a pointer made by a helper points to: aws.String("x").
func pointee(t *term.Term) *term.Term {
	t = unboxed(t)
	if t.Kind == term.Alt {
		each := make([]*term.Term, len(t.Args))
		for i, a := range t.Args {
			each[i] = pointee(a)
		}
		return term.NewAlt(each...)
	}
	if t.Kind == term.Call && len(t.Args) == 1 && pointers[lastPart(t.Str)] {
		return unboxed(t.Args[0])
	}
	return t
}

// attribute is the Go value in an attribute value, and whether it is sent as text.
func attribute(t *term.Term) (*term.Term, bool) {
	t = unboxed(t)
	switch {
	case t.Kind == term.Struct && strings.HasSuffix(t.Str, ".AttributeValueMemberN"):
		return number(fieldNamed(t, "Value")), false
	case t.Kind == term.Struct && strings.HasSuffix(t.Str, ".AttributeValueMemberS"):
		return number(fieldNamed(t, "Value")), true
	case t.Kind == term.Struct && strings.HasSuffix(t.Str, ".AttributeValue"):
		if n := fieldNamed(t, "N"); !term.IsZero(n) {
			return number(pointee(n)), false
		}
		return number(pointee(fieldNamed(t, "S"))), !term.IsZero(fieldNamed(t, "S"))
	case t.Kind == term.Call && lastPart(t.Str) == "Marshal" && len(t.Args) == 1:
		return unboxed(t.Args[0]), false
	case t.Kind == term.Convert && t.Str == "digits":
		return t.Args[0], true
	}
	return pointee(t), false
}

// number is the number that decimal digits were made from.
func number(t *term.Term) *term.Term {
	t = unboxed(t)
	if t.Kind == term.Convert && t.Str == "digits" {
		return t.Args[0]
	}
	return t
}
