package prove

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/fence/mongo"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() {
	receivers["mongo-filter"] = mongoDecision
	receivers["mongo-models"] = mongoBulk
}

// mongoDecision judges a write by its filter and its update.
func mongoDecision(j *judge, p *pair) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	d := decision{}
	for _, l := range j.mongoWrites(s, p.w.Recv, p.w.Args) {
		if j.endsClaim(p, l) {
			continue
		}
		l.shown = j.callName(p.w)
		d = worse(d, j.loweredDecision(p, l))
	}
	return d
}

// mongoWrites lowers the forms of a call; args begin after the receiver.
func (j *judge) mongoWrites(s *model.Sink, recv *term.Term, args []*term.Term) []*lowered {
	at := func(i int) *term.Term {
		if i >= 0 && i < len(args) {
			return j.widen(args[i])
		}
		return term.NewConst("nil", "nil")
	}
	update := term.NewConst("nil", "nil")
	if s.Value.Root == "arg" {
		update = at(s.Value.Index)
	}
	opts := at(len(args) - 1)
	var out []*lowered
	kind := mongo.Write{
		Collection: j.collection(recv), Delete: s.Term == "delete", Replace: strings.Contains(s.Method, "Replace"), Upsert: upserts(opts),
	}
	filter := at(s.Stmt)
	if s.Stmt < 0 { // chosen by its id alone
		filter = term.NewStruct("map", "", nil, nil)
	}
	for _, f := range filter.Alternatives() {
		for _, u := range update.Alternatives() {
			out = append(out, j.mongoWrite(kind, f, u))
		}
	}
	return out
}

// mongoWrite lowers one write of a kind with its filter and its update.
func (j *judge) mongoWrite(w mongo.Write, filter, update *term.Term) *lowered {
	c := &documents{terms: map[fence.Arg]*term.Term{}, name: j.bsonName, fields: j.fieldNames}
	w.Filter = c.value(filter)
	c.place = inUpdate
	w.Update = c.value(update)
	return &lowered{
		mutation: mongo.Lower(w), receiver: "mongo:" + w.Collection, handed: filter.Symbolic() && c.hidden || update.Symbolic() && c.hidden,
		value: func(a fence.Arg) *term.Term { return c.terms[a] },
	}
}

// insertsDocument reports whether a call stores a new document of MongoDB.
func insertsDocument(s *model.Sink) bool {
	return s.Lib == "mongo" && s.Method == "InsertOne" && s.Value.Root == "arg"
}

// mongoInserts lowers a call that stores a new document: its key is that of no other.
func (j *judge) mongoInserts(s *model.Sink, e *flow.Event) []*lowered {
	if s.Value.Index >= len(e.Args) {
		return nil
	}
	var out []*lowered
	for _, doc := range j.widen(e.Args[s.Value.Index]).Alternatives() {
		out = append(out, j.mongoWrite(mongo.Write{Collection: j.collection(e.Recv), Insert: true}, term.Nil, doc))
	}
	return out
}

// collection is the name of a collection, "?" if it is not known. One that is kept in a
// field has the name that all have which the package puts there.
func (j *judge) collection(recv *term.Term) string {
	if recv == nil {
		return "?"
	}
	name := ""
	for _, r := range j.widen(recv).Alternatives() {
		n, ok := "", false
		if r = unboxed(r); r.Kind == term.Call && lastPart(r.Str) == "Collection" && len(r.Args) > 1 {
			n, ok = term.StringValue(r.Args[1])
		}
		if !ok || name != "" && n != name {
			return "?"
		}
		name = n
	}
	return name
}

// upserts reports whether the options may ask for an insert where nothing matches.
func upserts(opts *term.Term) bool {
	return opts.Any(func(u *term.Term) bool {
		return u.Kind == term.Call && lastPart(u.Str) == "SetUpsert" && !(len(u.Args) > 1 && u.Args[1].Kind == term.Const && u.Args[1].Str == "false")
	})
}

// documents turns terms into values; scalars that are no constants get a name.
type documents struct {
	terms  map[fence.Arg]*term.Term
	hidden bool // part of it is not in sight
	name   func(field string) string
	fields func(typ string) []string // of a struct type, by their full names; nil if it is not in sight
	place  standing
}

// standing is where in an update a value stands: what a field is set to is stored as it is,
// whatever it holds.
type standing uint8

const (
	inFilter standing = iota
	inUpdate
	inSet    // the fields that $set names
	asStored // the value of one
)

// at reads the value of a field at its own place.
func (c *documents) at(name string, t *term.Term) mongo.Value {
	outer := c.place
	defer func() { c.place = outer }()
	switch {
	case outer == inSet:
		c.place = asStored
	case outer == inUpdate && (name == "$set" || name == "$setOnInsert"):
		c.place = inSet
	case outer == inUpdate:
		c.place = inFilter
	}
	return c.value(t)
}

func (c *documents) value(t *term.Term) mongo.Value {
	typ := typeName(t)
	t = unboxed(t)
	switch {
	case t.Kind == term.Struct && t.Str == "map":
		return c.mapping(t)
	case t.Kind == term.Struct && !strings.HasSuffix(t.Str, ".E") && !strings.HasPrefix(t.Str, "time.") && (!t.Open || c.fields(t.Str) != nil):
		return c.record(term.Settle(t))
	case t.Kind == term.List && !t.Open && (typ == "D" || typ != "A" && isD(t)):
		return c.inOrder(t)
	case t.Kind == term.List && !t.Open:
		return c.list(t)
	case t.Kind == term.Const:
		return constantValue(t)
	}
	if c.place == asStored {
		return c.argument(t)
	}
	if t.Kind == term.Convert && t.Str == "digits" {
		v := c.argument(t)
		v.Textual = true
		return v
	}
	if t.Kind == term.List || slices.ContainsFunc(t.Alternatives(), mayCompare) || t.Kind == term.Struct && strings.HasSuffix(t.Str, "bson.E") || documentTypes[typ] {
		c.hidden = true
		return mongo.Value{Cause: "part of the filter or the update is put together out of sight"}
	}
	return c.argument(t)
}

// mayCompare reports whether what a field is to be may hold operators.
func mayCompare(t *term.Term) bool {
	return t.Kind == term.Unknown || t.Kind == term.Struct && t.Str == "map"
}

// list is a list of values, or the stages of an update, whose values are computed.
func (c *documents) list(t *term.Term) mongo.Value {
	if c.place == inUpdate {
		c.place = inFilter
	}
	v := mongo.Value{Kind: mongo.List}
	for _, e := range t.Args {
		v.List = append(v.List, c.value(e))
	}
	return v
}

// argument gives a value a name; one value keeps one.
func (c *documents) argument(t *term.Term) mongo.Value {
	a := fence.Arg("value." + strconv.Itoa(len(c.terms)))
	for old, u := range c.terms {
		if u.Equal(t) {
			a = old
		}
	}
	c.terms[a] = t
	return mongo.Value{Kind: mongo.Argument, Arg: a}
}

// documentTypes are types whose values may hold operators.
var documentTypes = map[string]bool{"M": true, "D": true, "A": true, "E": true, "Raw": true}

func (c *documents) mapping(t *term.Term) mongo.Value {
	es, ok := entries(t)
	if !ok {
		c.hidden = true
		return mongo.Value{Cause: "part of the filter or the update is put together out of sight"}
	}
	v := mongo.Value{Kind: mongo.Document}
	for _, e := range es {
		v.Doc = append(v.Doc, mongo.Field{Name: e.key, Value: c.at(e.key, e.value)})
	}
	return v
}

// record is a document that a struct stands for. Of one that somebody else began to fill
// each field is in the document, whatever it holds.
func (c *documents) record(t *term.Term) mongo.Value {
	v := mongo.Value{Kind: mongo.Document}
	names := t.Names
	if t.Open {
		names = c.fields(t.Str)
	}
	for _, n := range names {
		name := c.name(n)
		switch {
		case name == "-":
		case slices.Contains(t.Names, n):
			v.Doc = append(v.Doc, mongo.Field{Name: name, Value: c.at(name, term.NewField(n, t))})
		default:
			v.Doc = append(v.Doc, mongo.Field{Name: name, Value: c.argument(term.NewUnknown("somebody else fills the field " + lastPart(n)))})
		}
	}
	return v
}

// isD reports whether a list is an ordered document.
func isD(t *term.Term) bool {
	return len(t.Args) > 0 && strings.HasSuffix(unboxed(t.Args[0]).Str, ".E")
}

func (c *documents) inOrder(t *term.Term) mongo.Value {
	v := mongo.Value{Kind: mongo.Document}
	for _, e := range t.Args {
		e = term.Settle(unboxed(e))
		name, ok := term.StringValue(fieldNamed(e, "Key"))
		if !ok {
			c.hidden = true
			return mongo.Value{Cause: "part of the filter or the update is put together out of sight"}
		}
		v.Doc = append(v.Doc, mongo.Field{Name: name, Value: c.at(name, fieldNamed(e, "Value"))})
	}
	return v
}

func constantValue(t *term.Term) mongo.Value {
	switch t.Typ {
	case "string":
		return mongo.Value{Kind: mongo.String, Text: t.Str}
	case "int":
		if n, ok := term.IntValue(t); ok {
			return mongo.Value{Kind: mongo.Int, Int: n}
		}
	case "bool":
		return mongo.Value{Kind: mongo.Bool, Int: map[bool]int64{true: 1}[t.Str == "true"]}
	case "nil":
		return mongo.Value{Kind: mongo.Null}
	case "zero":
		return mongo.Value{Kind: mongo.Int}
	}
	return mongo.Value{Kind: mongo.String, Text: t.Str}
}

// claimedTerm is the origin of a field of the document that an update hands back
// after it raised that field: the number of the claim that the update made.
func (j *judge) claimedTerm(t *term.Term) (origin, bool) {
	base := unboxed(t.Args[0])
	if base.Kind != term.Call || base.N < flow.OutParam || !strings.HasSuffix(base.Str, "mongo.SingleResult.Decode") || len(base.Args) == 0 {
		return origin{}, false
	}
	call := unboxed(base.Args[0])
	if call.Kind != term.Call || len(call.Args) < 2 || !strings.HasSuffix(call.Str, "mongo.Collection.FindOneAndUpdate") {
		return origin{}, false
	}
	c := j.models.FuncKey(call.Str)
	if c == nil || c.Sink == nil || !returnsNew(call.Args[len(call.Args)-1]) {
		return origin{}, false
	}
	col := j.bsonName(t.Str)
	o := origin{class: epoch, source: j.collection(call.Args[0]) + "." + col, text: t.String()}
	for _, l := range j.mongoWrites(c.Sink, call.Args[0], call.Args[1:]) {
		v, ok := l.mutation.Assigned(col).(fence.Apply)
		if !ok || len(l.mutation.Problems) > 0 || !raisesStored(col, v) {
			return origin{}, false
		}
		j.mayBeginAgain(&o, l)
	}
	return o, true
}

// raisesStored reports whether a value is the column's old one, or 0, plus something.
func raisesStored(col string, v fence.Apply) bool {
	if v.Fn != fence.Add || len(v.Args) != 2 {
		return false
	}
	old := v.Args[0]
	if a, ok := old.(fence.Apply); ok && a.Fn == fence.Coalesce && len(a.Args) == 2 && a.Args[1] == fence.Term(fence.Const{}) {
		old = a.Args[0]
	}
	by, ok := v.Args[1].(fence.Const)
	return ok && by.Int > 0 && old == fence.Term(fence.Stored{Column: col})
}

// returnsNew reports whether the options ask for the document after the update.
func returnsNew(opts *term.Term) bool {
	return opts.Any(func(u *term.Term) bool {
		if u.Kind != term.Call || lastPart(u.Str) != "SetReturnDocument" || len(u.Args) < 2 {
			return false
		}
		n, ok := term.IntValue(unboxed(u.Args[1]))
		return ok && n == 1
	})
}
