package fence

import (
	"strconv"
	"strings"
)

// Text writes a condition as SQL would, nested ones in parentheses. What is not
// understood stands as {…}; the nil condition is "true".
func Text(c Cond) string { return shower{}.cond(c, false) }

// TermText writes a value as SQL would.
func TermText(t Term) string { return shower{}.term(t) }

type shower struct{}

// cond writes c; inner says that it stands in another condition.
func (s shower) cond(c Cond, inner bool) string {
	switch c := c.(type) {
	case nil:
		return "true"
	case And:
		return s.joined(c.Of, " AND ", "true", inner)
	case Or:
		return s.joined(c.Of, " OR ", "false", inner)
	case Not:
		return "NOT " + s.cond(c.Of, true)
	case Cmp:
		return s.term(c.L) + " " + s.op(c) + " " + s.term(c.R)
	case Is:
		return s.cond(c.Of, true) + " IS " + [...]string{True: "TRUE", False: "FALSE", Unknown3: "UNKNOWN"}[c.Value]
	case IsNull:
		return s.term(c.Of) + " IS NULL"
	case NoRow:
		return "there is no row"
	case Truthy:
		return s.term(c.Of)
	case Exists:
		from := ""
		if len(c.Tables) > 0 {
			from = "in " + strings.Join(c.Tables, ", ") + ": "
		}
		return "EXISTS (" + from + s.cond(c.Of, false) + ")"
	case Gate:
		return "the " + c.On.Kind.String() + " of " + c.On.Resource + " has met a row"
	case Atom:
		return s.hole(c.Of)
	}
	return "{…}"
}

func (shower) op(c Cmp) string {
	if c.Op == Same {
		if _, null := c.R.(Null); !null {
			return "IS NOT DISTINCT FROM"
		}
	}
	return c.Op.String()
}

func (s shower) joined(of []Cond, by, none string, inner bool) string {
	switch len(of) {
	case 0:
		return none
	case 1:
		return s.cond(of[0], inner)
	}
	parts := make([]string, len(of))
	for i, c := range of {
		parts[i] = s.cond(c, true)
	}
	text := strings.Join(parts, by)
	if inner {
		return "(" + text + ")"
	}
	return text
}

func (s shower) term(t Term) string {
	switch t := t.(type) {
	case nil, Null:
		return "NULL"
	case Stored:
		return strings.TrimPrefix(t.Table+"."+t.Column, ".")
	case Input:
		return string(t.Arg)
	case Const:
		return strconv.FormatInt(t.Int, 10)
	case Lit:
		return "'" + t.Text + "'"
	case Apply:
		return s.apply(t)
	case Case:
		return s.cases(t)
	case Bool:
		return "(" + s.cond(t.Of, false) + ")"
	case Opaque:
		return s.hole(t.Of)
	}
	return "{…}"
}

func (s shower) cases(c Case) string {
	var b strings.Builder
	b.WriteString("CASE")
	for _, a := range c.Arms {
		b.WriteString(" WHEN " + s.cond(a.When, false) + " THEN " + s.term(a.Then))
	}
	if c.Else != nil {
		b.WriteString(" ELSE " + s.term(c.Else))
	}
	return b.String() + " END"
}

// hole stands for what is not understood, with what it depends on.
func (s shower) hole(of []Term) string {
	if len(of) == 0 {
		return "{…}"
	}
	return "{… of " + strings.Join(s.terms(of), ", ") + "}"
}

func (s shower) terms(ts []Term) []string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = s.term(t)
	}
	return out
}

var fnNames = [...]string{
	Coalesce: "COALESCE", Greatest: "GREATEST", Least: "LEAST", GreatestNull: "GREATEST", LeastNull: "LEAST",
	NullIf: "NULLIF", CastInt: "to integer", CastText: "to text", CastFloat: "to float", CastNarrow: "to a narrow integer",
}

func (s shower) apply(a Apply) string {
	args := s.terms(a.Args)
	switch {
	case a.Fn == Add:
		return strings.Join(args, " + ")
	case a.Fn == Sub && len(args) == 1:
		return "-" + args[0]
	case a.Fn == Sub:
		return strings.Join(args, " - ")
	}
	return fnNames[a.Fn] + "(" + strings.Join(args, ", ") + ")"
}
