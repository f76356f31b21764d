package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// A lock without a library is a row, an item, a document or an object that says who
// may work. What a write does to it is read from its lowered form, whatever the
// store; whether it is a lock at all is decided by signs, see isLock.

// grips tells what a write does to a lock that is kept by hand.
func (j *judge) grips(a *flow.Analysis, e *flow.Event) []flow.Grip {
	j.a = a
	c := j.models.FuncKey(e.Key)
	if c == nil || c.Sink == nil {
		return nil
	}
	for _, of := range []func(*flow.Event, *model.Sink) *flow.Grip{gripOfObject, gripOfNode, gripOfEntity, gripOfKey, gripOfPath, j.gripOfElection, j.gripOfRecord, j.gripOfDocument, j.gripOfScript} {
		if g := of(e, c.Sink); g != nil {
			return []flow.Grip{*g}
		}
	}
	if e.Entry != flow.Claim && !j.suggests(e) {
		return nil
	}
	if j.locksTables(e, c.Sink) {
		return []flow.Grip{{Kind: flow.Acquire, Lib: tableLock, Handle: e.Recv, Signs: flow.Named | flow.TakenOver}}
	}
	if g := j.gripOfFunction(e, c.Sink); g != nil {
		return []flow.Grip{*g}
	}
	for _, l := range j.loweredForms(e, c.Sink) {
		if c.Sink.Method == "Save" {
			l = saved(l)
		}
		if g := gripOf(endedNow(l), leaseLib(c.Sink), lastPart(plainName(bottomStep(e).Func))); g != nil {
			return []flow.Grip{*g}
		}
	}
	return nil
}

// saved is what a mapper does with a record that was read before: of insert or update, the
// latter. Of a row that is a lock and nothing more, the rest stays as it is.
func saved(l *lowered) *lowered {
	if l.mutation.Kind != fence.Upsert {
		return l
	}
	m, n := *l.mutation, *l
	m.Kind, m.InsertRow = fence.Update, nil
	if whose := slices.DeleteFunc(slices.Clone(m.Set), func(s fence.Assign) bool { return !isOwnerOrTime(s.Column) }); len(m.Set)-len(whose) <= maxOther {
		m.Set = whose
	}
	n.mutation = &m
	return &n
}

// keepingName finds the functions that prolong what their caller has.
var keepingName = pattern.New(`(?i)^(do_?)?(renew|extend|prolong|refresh|heart_?beat|keep_?alive|touch)`)

// tableLock is a lock of whole tables, which ends with the transaction.
const tableLock = "sql-table-lock"

func leaseLib(s *model.Sink) string {
	switch {
	case s.Lib == "gocql":
		return "cql-lease"
	case insertsDocument(s):
		return "mongo-lease"
	}
	switch s.Dialect {
	case "dynamo-expr":
		return "dynamodb-lease"
	case "mongo-filter":
		return "mongo-lease"
	}
	return "sql-lease"
}

// suggests reports whether the terms of a write hold a word that a lock would have,
// so that it is worth while to read it.
func (j *judge) suggests(e *flow.Event) bool {
	if flow.SpeaksOfLock(lastPart(plainName(bottomStep(e).Func))) { // whatever it writes
		return true
	}
	word := func(t *term.Term) bool {
		if t.Kind != term.Unknown && j.says(t.Str) {
			return true
		}
		for _, n := range t.Names {
			if j.says(n) {
				return true
			}
		}
		return false
	}
	if e.Recv != nil && e.Recv.Kind == term.Call && e.Recv.Any(word) { // what a builder was told
		return true
	}
	for _, a := range e.Args {
		if a.Any(word) {
			return true
		}
	}
	return false
}

// says reports whether a text speaks of a lock or an owner. The same statements and names
// come again with every caller.
func (j *judge) says(text string) bool {
	says, ok := j.words[text]
	if !ok {
		says = flow.SpeaksOfLock(text) || ownerName.MatchString(text) || claimedWord.MatchString(text)
		j.words[text] = says
	}
	return says
}

// locksTables reports whether a statement does nothing but lock whole tables. In a
// longer script the lock is for the rest of that script.
func (j *judge) locksTables(e *flow.Event, s *model.Sink) bool {
	if s.Dialect != "sql" || s.Stmt < 0 || e.Recv == nil {
		return false
	}
	for _, script := range j.scripts(e) {
		if len(script.Statements) == 1 && script.Statements[0].Kind == "lock" {
			return true
		}
	}
	return false
}

// gripOf reads from a lowered write what it does to a lock, nil if nothing is seen. Whether
// one that compares nothing, or but the very time of a lease, takes it or keeps it, the name
// of its function tells.
func gripOf(l *lowered, lib, function string) *flow.Grip {
	m := l.mutation
	c := columnsOf(m, l.partial, l.expires)
	g := &flow.Grip{Lib: lib, Row: l.resource(), Key: l.key(c), Signs: c.signs}
	if flow.SpeaksOfLock(m.Resource) || l.table != nil && namesLock(l.table) {
		g.Signs |= flow.Named
	}
	switch {
	case c.gives:
		g.Kind = flow.Release
	case c.takes && (c.dated || c.plainly) && keepingName.MatchString(function):
		g.Kind = flow.Extend
	case c.takes:
		g.Kind = flow.Acquire
	case c.renews:
		g.Kind = flow.Extend
	default:
		return nil
	}
	if g.Key != nil && namesLock(g.Key) {
		g.Signs |= flow.Named
	}
	if g.Kind == flow.Acquire && g.Signs&flow.Plain != 0 && g.Signs&flow.Named == 0 && !flow.NamedForTaking(function) {
		return nil
	}
	return g
}

// resource is the table or the like, as a term.
func (l *lowered) resource() *term.Term {
	if l.table != nil {
		return l.table
	}
	return term.NewString(l.mutation.Resource)
}

// key is the value by which the write chooses its row, nil if it is not seen.
func (l *lowered) key(c *columns) *term.Term {
	if c.key == nil {
		return nil
	}
	switch k := c.key.(type) {
	case fence.Input:
		if t := l.value(k.Arg); t != nil {
			return pointee(t)
		}
	case fence.Lit:
		return term.NewString(k.Text)
	}
	return nil
}

// loweredForms lowers a write of any store that is read.
func (j *judge) loweredForms(e *flow.Event, s *model.Sink) []*lowered {
	switch {
	case s.Dialect == "sql", strings.HasPrefix(s.Dialect, "sql:"):
		stmt, args := j.statement(e)
		return j.sqlForms(stmt, args)
	case builders[s.Lib] != nil:
		forms, _ := j.builtBy(e, s)
		return j.builtForms(forms)
	case s.Lib == "gocql":
		return j.cqlForms(e)
	case s.Dialect == "dynamo-expr":
		return j.dynamoForms(e, s)
	case s.Dialect == "mongo-filter":
		return j.mongoWrites(s, e.Recv, e.Args)
	case insertsDocument(s):
		return j.mongoInserts(s, e)
	}
	return nil
}

func (j *judge) builtForms(ws []built) []*lowered {
	var out []*lowered
	for _, w := range ws {
		if w.failed == "" {
			stmt, args := w.statement()
			out = append(out, j.sqlForms(j.widen(stmt), args)...)
		}
	}
	return out
}

func (j *judge) sqlForms(stmt, args *term.Term) []*lowered {
	var out []*lowered
	for _, t := range texts(stmt) {
		if t.none != "" {
			continue
		}
		for _, dialect := range j.dialectsOf(t.s) {
			for _, st := range j.parse(t.s, t.holes, dialect).Statements {
				for _, m := range st.Mutations {
					out = append(out, &lowered{mutation: m, value: func(a fence.Arg) *term.Term { return j.argument(a, args) }})
				}
			}
		}
	}
	return out
}

func (j *judge) dynamoForms(e *flow.Event, s *model.Sink) []*lowered {
	in := j.at(s.Input, e)
	kind, ok := dynamoKinds[strings.TrimSuffix(s.Method, "WithContext")]
	if in == nil || !ok {
		return nil
	}
	var out []*lowered
	for _, a := range in.Alternatives() {
		x, values, reason := j.dynamoInput(a, kind)
		if x.Names != nil {
			l := dynamoLowered(x, values)
			l.partial = reason == hiddenItem
			l.table = pointee(fieldNamed(unboxed(term.Settle(a)), "TableName"))
			out = append(out, l)
		}
	}
	return out
}

// asksClass reports whether an acquisition without a class is a finding. A row or
// object that serves as a lock stands in the register only.
func asksClass(e *flow.Event) bool { return e.Entry != flow.ByHand }

// claims reports whether a write is the one by which a lock is taken: that is no
// effect of its own.
func (j *judge) claims(sum *flow.Summary, w *flow.Event) bool {
	takes := func(e *flow.Event) bool { return j.takesBy(e, w) }
	for _, e := range sum.Events {
		if takes(e) && e.SameCall(w) {
			return true
		}
	}
	for src := w.Source(); src != nil; src = src.Source() { // the lock may be kept to itself by what is called
		if slices.ContainsFunc(src.Beside(), takes) {
			return true
		}
	}
	return false
}

// takesBy reports whether an acquisition of a lock that is kept by hand, or made by a call
// that may be for something else, is a write.
func (j *judge) takesBy(e, w *flow.Event) bool {
	return e.Kind == flow.Acquire && (e.Entry == flow.ByHand || rootOf(e).Hold.Maybe) && e.Site == w.Site && e.Key == w.Key && (e.Hold.Lock != nil || j.isLock(e))
}
