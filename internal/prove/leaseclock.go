package prove

import (
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

func init() { leaseChecks = append(leaseChecks, clientClock) }

// clientClock reports an acquisition that decides by the clock of its own process
// whether the lease of another one is over.
func clientClock(j *judge, sum *flow.Summary) {
	for _, a := range acquisitions(sum) {
		if a.Source() != nil && a.Source().Hold != nil && !a.Hold.Library {
			continue
		}
		column := j.expiredByClock(a)
		if column == "" {
			continue
		}
		j.say("clientclock", sum, a.Chain[0], a,
			"{lock} takes the lease over when {column} lies before the time of this process. A process whose clock is ahead takes it from an owner who is neither late nor paused, and both work. "+
				"Let the store compare with its own clock, in the same statement (`{column} < now()`, `$$NOW`), and send lengths of time only.",
			"{column}", column)
	}
}

// expiredByClock is the column or field that an acquisition compares with a time of
// this process, "" if there is none.
func (j *judge) expiredByClock(a *flow.Event) string {
	c := j.models.FuncKey(a.Key)
	if c == nil || c.Sink == nil {
		return ""
	}
	if c.Sink.Dialect == "sql" {
		return j.sqlExpiry(a)
	}
	for _, t := range a.Args {
		if f := filterExpiry(t, ""); f != "" {
			return f
		}
		if f := expressionExpiry(t); f != "" {
			return f
		}
	}
	return ""
}

func (j *judge) sqlExpiry(a *flow.Event) string {
	_, args := j.statement(a)
	for _, s := range j.scripts(a) {
		for _, st := range s.Statements {
			for _, m := range st.Mutations {
				if col := j.expiryIn(m.Guard, args); col != "" {
					return col
				}
			}
		}
	}
	return ""
}

// expiryIn finds a comparison by order of a stored column with a clock.
func (j *judge) expiryIn(guard fence.Cond, args *term.Term) string {
	found := ""
	fence.WalkCond(guard, func(c fence.Cond) {
		cmp, ok := c.(fence.Cmp)
		if !ok || !cmp.Op.Ordered() {
			return
		}
		for _, sides := range [][2]fence.Term{{cmp.L, cmp.R}, {cmp.R, cmp.L}} {
			col, ok := sides[0].(fence.Stored)
			in, fromGo := sides[1].(fence.Input)
			if ok && fromGo && fromClock(j.argument(in.Arg, args)) {
				found = col.Column
			}
		}
	}, nil)
	return found
}

// fromClock reports whether a value is computed from the time of this process.
func fromClock(t *term.Term) bool {
	return t != nil && t.Any(func(u *term.Term) bool { return u.Kind == term.Call && u.Str == "time.Now" })
}

// filterExpiry finds a field that a filter of MongoDB compares with a clock.
func filterExpiry(t *term.Term, field string) string {
	t = unboxed(t)
	if t.Kind != term.Struct && t.Kind != term.List {
		return ""
	}
	for i, v := range t.Args {
		name := ""
		if i < len(t.Names) {
			name = bareName(t.Names[i])
		}
		if orders[name] && fromClock(v) && field != "" {
			return field
		}
		if name == "" || strings.HasPrefix(name, "$") {
			name = field
		}
		if name == "$set" {
			continue
		}
		if f := filterExpiry(v, name); f != "" {
			return f
		}
	}
	return ""
}

var orders = map[string]bool{"$lt": true, "$lte": true, "$gt": true, "$gte": true}

// bareName is the name of a field or of a constant key of a map.
func bareName(s string) string {
	if i := strings.IndexByte(s, '"'); i >= 0 {
		if k := strings.IndexByte(s[i+1:], '"'); k >= 0 {
			return s[i+1 : i+1+k]
		}
	}
	return lastPart(s)
}

var orderedPair = pattern.New(`([#\w.]+)\s*[<>]=?\s*(:\w+)|(:\w+)\s*[<>]=?\s*([#\w.]+)`)

// expressionExpiry finds an attribute that a condition expression of DynamoDB
// compares with a clock.
func expressionExpiry(t *term.Term) string {
	t = unboxed(t)
	if t.Kind != term.Struct {
		return ""
	}
	text := ""
	var values *term.Term
	for i, n := range t.Names {
		switch lastPart(n) {
		case "ConditionExpression":
			t.Args[i].Any(func(u *term.Term) bool {
				if s, ok := term.StringValue(u); ok && text == "" {
					text = s
				}
				return false
			})
		case "ExpressionAttributeValues":
			values = unboxed(t.Args[i])
		}
	}
	if values == nil || values.Kind != term.Struct {
		return ""
	}
	for _, m := range orderedPair.Regexp().FindAllStringSubmatch(text, -1) {
		column, name := m[1]+m[4], m[2]+m[3]
		for i, n := range values.Names {
			if bareName(n) == name && fromClock(values.Args[i]) {
				return column
			}
		}
	}
	return ""
}
