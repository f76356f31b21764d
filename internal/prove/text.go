package prove

import (
	"strings"

	fsql "github.com/fencelint/fencelint/fence/sql"
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
	out := expand(term.Settle(t))
	if len(out) > maxTexts {
		return []text{{none: "the statement has more forms than are followed", from: []*term.Term{t}}}
	}
	for i := range out {
		if strings.TrimFunc(out[i].s, isHole) == "" && len(out[i].holes) > 0 {
			out[i].none = out[i].holes[0].Reason
		}
	}
	return out
}

// HoleRune marks hole i in a statement's text.
const holeRune = 0xE000

func isHole(r rune) bool { return r >= holeRune && r < holeRune+0x1000 }

func expand(t *term.Term) []text {
	switch t.Kind {
	case term.Alt:
		var out []text
		for _, a := range t.Args {
			out = append(out, expand(a)...)
		}
		return out
	case term.Concat:
		out := []text{{}}
		for _, p := range t.Args {
			out = join(out, expand(p))
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
		return expand(t.Args[0])
	}
	if s, ok := term.StringValue(t); ok {
		return []text{{s: s}}
	}
	return []text{hole(t, fsql.Hole{Reason: reasonOf(t)})}
}

func hole(t *term.Term, h fsql.Hole) text {
	return text{s: string(rune(holeRune)), holes: []fsql.Hole{h}, handed: t.Symbolic(), from: []*term.Term{t}}
}

func reasonOf(t *term.Term) string {
	switch {
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
			n := text{s: l.s, holes: l.holes, handed: l.handed || r.handed, from: append(l.from[:len(l.from):len(l.from)], r.from...)}
			for _, c := range r.s {
				if isHole(c) {
					c += rune(len(l.holes))
				}
				n.s += string(c)
			}
			n.holes = append(n.holes[:len(n.holes):len(n.holes)], r.holes...)
			out = append(out, n)
		}
	}
	return out
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
