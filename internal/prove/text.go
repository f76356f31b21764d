package prove

import (
	"slices"
	"strings"

	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// text is one form that a statement can have: constants with holes.
type text struct {
	s      string
	holes  []fsql.Hole
	handed bool         // a hole is filled by a caller that is not seen here
	none   string       // set if nothing at all is known: the reason
	from   []*term.Term // what the holes are made from
}

// maxTexts bounds the forms of one statement; more count as unknown text.
const maxTexts = 64

// texts lists the forms that the statement term can have.
func texts(t *term.Term) []text {
	t = term.Settle(t)
	var out []text
	for _, f := range withNumbers(t) {
		out = append(out, (&expander{}).expand(f)...)
	}
	if len(out) > maxTexts {
		out = (&expander{words: true}).expand(t)
	}
	if len(out) > maxTexts {
		return []text{{none: "the statement has more forms than are followed", from: []*term.Term{t}}}
	}
	out = complete(out)
	for i := range out {
		out[i].quoted()
		if strings.TrimFunc(out[i].s, isHole) == "" && len(out[i].holes) > 0 {
			out[i].none = out[i].holes[0].Reason
		}
	}
	return out
}

// HoleRune marks hole i in a statement's text.
const holeRune = 0xE000

func isHole(r rune) bool { return r >= holeRune && r < holeRune+0x1000 }

// expander lists the forms of a text.
type expander struct {
	words bool // several words in one place are one hole for a word
}

func (e *expander) expand(t *term.Term) []text {
	switch t.Kind {
	case term.Alt:
		if x, ok := oneOfWords(t); ok && e.words {
			return []text{x}
		}
		var out []text
		for _, a := range t.Args {
			out = append(out, e.expand(a)...)
		}
		return out
	case term.Concat:
		out := []text{{}}
		for _, p := range t.Args {
			out = join(out, e.expand(p))
			if len(out) > maxTexts {
				return out
			}
		}
		return out
	case term.Convert, term.Iface:
		if s, ok := term.StringValue(t); ok {
			return []text{{s: s}}
		}
		if t.Str == "digits" {
			return []text{hole(t, fsql.Hole{Ident: true, Reason: t.Args[0].String()})}
		}
		return e.expand(t.Args[0])
	}
	if s, ok := term.StringValue(t); ok {
		return []text{{s: s}}
	}
	if t.Kind == term.Call && t.Str == flow.EachText && len(t.Args) > 3 {
		return e.expand(t.Args[3]) // nobody says over what the loop runs
	}
	h := fsql.Hole{Reason: reasonOf(t), Ident: wordFrom(t)}
	switch {
	case t.Kind == term.Unknown:
		h.Starts = t.Typ
	case t.Kind == term.Call && t.Str == flow.EachText:
		h.Starts = flow.BeginOf(t.Args[1])
		if after := endOf(t); after != "" && h.Starts == "" { // or no element is there
			x := hole(t, h)
			x.s += after
			return []text{{}, x}
		}
	}
	return []text{hole(t, h)}
}

// endOf is how the text ends that is added for each element, behind its last place for a value.
func endOf(each *term.Term) string {
	added := each.Args[1]
	if added.Kind != term.Concat || each.Args[2].Str != "" {
		return ""
	}
	end, _ := term.StringValue(added.Args[len(added.Args)-1])
	end = end[strings.LastIndexByte(end, '?')+1:]
	if strings.TrimSpace(end) == "" {
		return ""
	}
	return end
}

func hole(t *term.Term, h fsql.Hole) text {
	return text{s: string(rune(holeRune)), holes: []fsql.Hole{h}, handed: t.Symbolic(), from: []*term.Term{t}}
}

func reasonOf(t *term.Term) string {
	switch {
	case t.Kind == term.Unknown && strings.HasPrefix(t.Str, "the expression "):
		return "its text is not known, since " + t.Str
	case t.Kind == term.Unknown && t.Str != "":
		return "its text is " + t.Str
	case t.Symbolic():
		return "its text is supplied by a caller"
	}
	return "its text comes from " + t.String()
}

// join appends each right form to each left one.
func join(left, right []text) []text {
	var out []text
	for _, l := range left {
		for _, r := range right {
			out = append(out, l.with(r))
		}
	}
	return out
}

// with appends another text. A hole that is made from the same value is the same one.
func (t text) with(r text) text {
	n := text{holes: slices.Clone(t.holes), from: slices.Clone(t.from), handed: t.handed || r.handed}
	at := make([]rune, len(r.holes))
	for i, h := range r.holes {
		k := slices.IndexFunc(n.from, func(u *term.Term) bool { return u.Kind != term.Unknown && u.Equal(r.from[i]) })
		if k < 0 {
			k = len(n.holes)
			n.holes, n.from = append(n.holes, h), append(n.from, r.from[i])
		}
		at[i] = holeRune + rune(k)
	}
	n.s = t.s + strings.Map(func(c rune) rune {
		if isHole(c) {
			return at[c-holeRune]
		}
		return c
	}, r.s)
	return n
}

// dangling is the end of a text that no database takes for a statement.
var dangling = pattern.New(`(?i)(\b(and|or|not|where|set|values|in)|[,=<])\s*;?\s*$`)

// complete leaves out the forms that break off, if there are others.
func complete(forms []text) []text {
	broken := func(t text) bool {
		return dangling.MatchString(t.s) && (writeWords.MatchString(t.s) || readWords.MatchString(t.s))
	}
	if len(forms) < 2 || !slices.ContainsFunc(forms, func(t text) bool { return !broken(t) }) {
		return forms
	}
	return slices.DeleteFunc(forms, broken)
}

// shown is the statement as a message can quote it: one line, not too long.
func (t text) shown() string {
	s := strings.Map(func(r rune) rune {
		if isHole(r) {
			return '…'
		}
		return r
	}, t.s)
	s = strings.Join(strings.Fields(s), " ")
	if strings.HasPrefix(s, "-- name:") {
		if i := strings.Index(t.s, "\n"); i >= 0 {
			return text{s: t.s[i+1:]}.shown()
		}
	}
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "…"
	}
	return s
}
