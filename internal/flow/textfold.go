package flow

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// Functions of package strings whose effect on a statement must be understood. What
// is known of a text is changed piece by piece; what is not known stays a hole.

// foldMap changes the known pieces of a text one by one.
func foldMap(change func(string) string) func([]*term.Term, int) *term.Term {
	return func(args []*term.Term, _ int) *term.Term {
		if len(args) != 1 || !knowsText(args[0]) {
			return nil
		}
		return mapText(args[0], change)
	}
}

func mapText(t *term.Term, change func(string) string) *term.Term {
	switch t.Kind {
	case term.Alt, term.Concat:
		out := make([]*term.Term, len(t.Args))
		for i, a := range t.Args {
			out[i] = mapText(a, change)
		}
		if t.Kind == term.Alt {
			return term.NewAlt(out...)
		}
		return term.NewConcat(out...)
	}
	if s, ok := term.StringValue(t); ok {
		return term.NewString(change(s))
	}
	return t
}

// knowsText reports whether a part of a text is known.
func knowsText(t *term.Term) bool {
	if t.Kind != term.Alt && t.Kind != term.Concat {
		_, ok := term.StringValue(t)
		return ok
	}
	for _, a := range t.Args {
		if knowsText(a) {
			return true
		}
	}
	return false
}

// foldCut takes something off the ends of a text: cut is what the function does to
// a known text with a known second argument.
func foldCut(front, back bool, cut func(s, what string) string) func([]*term.Term, int) *term.Term {
	return func(args []*term.Term, _ int) *term.Term {
		if len(args) != 2 || !knowsText(args[0]) {
			return nil
		}
		what, ok := term.StringValue(args[1])
		if !ok {
			return nil
		}
		f := func(s string) string { return cut(s, what) }
		t := args[0]
		if s, ok := term.StringValue(t); ok {
			return term.NewString(f(s))
		}
		if front {
			t = mapEnd(t, false, f)
		}
		if back {
			t = mapEnd(t, true, f)
		}
		return t
	}
}

// mapEnd changes the first or last piece of a text, if that is known.
func mapEnd(t *term.Term, last bool, change func(string) string) *term.Term {
	switch t.Kind {
	case term.Alt:
		out := make([]*term.Term, len(t.Args))
		for i, a := range t.Args {
			out[i] = mapEnd(a, last, change)
		}
		return term.NewAlt(out...)
	case term.Concat:
		out := append([]*term.Term{}, t.Args...)
		i := 0
		if last {
			i = len(out) - 1
		}
		out[i] = mapEnd(out[i], last, change)
		return term.NewConcat(out...)
	}
	if s, ok := term.StringValue(t); ok {
		return term.NewString(change(s))
	}
	return t
}

// foldReplace puts a text in place of another one.
func foldReplace(args []*term.Term, _ int) *term.Term {
	if len(args) < 3 || !knowsText(args[0]) {
		return nil
	}
	limit := int64(-1)
	if len(args) == 4 {
		n, ok := term.IntValue(args[3])
		if !ok || args[0].Kind == term.Concat && n >= 0 {
			return nil
		}
		limit = n
	}
	old, ok := term.StringValue(args[1])
	if !ok || old == "" {
		return nil
	}
	return replaced(args[0], func(s string) []*term.Term {
		var out []*term.Term
		for n := limit; n != 0; n-- {
			before, after, found := strings.Cut(s, old)
			if !found {
				break
			}
			out, s = append(out, term.NewString(before), args[2]), after
		}
		return append(out, term.NewString(s))
	})
}

// replaced rewrites the known pieces of a text.
func replaced(t *term.Term, rewrite func(string) []*term.Term) *term.Term {
	switch t.Kind {
	case term.Alt:
		out := make([]*term.Term, len(t.Args))
		for i, a := range t.Args {
			out[i] = replaced(a, rewrite)
		}
		return term.NewAlt(out...)
	case term.Concat:
		var out []*term.Term
		for _, a := range t.Args {
			out = append(out, replaced(a, rewrite))
		}
		return term.NewConcat(out...)
	}
	if s, ok := term.StringValue(t); ok {
		return term.NewConcat(rewrite(s)...)
	}
	return t
}

// foldReplacer is what a Replacer makes of a text, if the texts that it looks for
// are known.
func foldReplacer(args []*term.Term, _ int) *term.Term {
	if len(args) != 2 || !knowsText(args[1]) || args[0].Kind != term.Call || args[0].Str != "strings.NewReplacer" || len(args[0].Args) != 1 {
		return nil
	}
	pairs := args[0].Args[0]
	if pairs.Kind != term.List || pairs.Open || len(pairs.Args)%2 != 0 {
		return nil
	}
	olds := make([]string, len(pairs.Args)/2)
	for i := range olds {
		s, ok := term.StringValue(pairs.Args[2*i])
		if !ok || s == "" {
			return nil
		}
		olds[i] = s
	}
	return replaced(args[1], func(s string) []*term.Term {
		var out []*term.Term
		from := 0
		for i := 0; i < len(s); i++ {
			for k, old := range olds {
				if strings.HasPrefix(s[i:], old) {
					out = append(out, term.NewString(s[from:i]), pairs.Args[2*k+1])
					from, i = i+len(old), i+len(old)-1
					break
				}
			}
		}
		return append(out, term.NewString(s[from:]))
	})
}

// maxRepeat bounds the text that Repeat makes.
const maxRepeat = 4096

func foldRepeat(args []*term.Term, _ int) *term.Term {
	if len(args) != 2 {
		return nil
	}
	s, ok := term.StringValue(args[0])
	n, known := term.IntValue(args[1])
	if ok && !known && strings.Trim(s, "?, ()") == "" { // one and two of them tell what more do
		return term.NewAlt(term.NewString(s), term.NewString(s+s))
	}
	if !ok || !known || n < 0 || int64(len(s))*n > maxRepeat {
		return nil
	}
	return term.NewString(strings.Repeat(s, int(n)))
}

// foldPath joins the elements of a path that are all known.
func foldPath(args []*term.Term, _ int) *term.Term {
	if len(args) != 1 || args[0].Kind != term.List || args[0].Open {
		return nil
	}
	elems := make([]string, len(args[0].Args))
	for i, a := range args[0].Args {
		s, ok := term.StringValue(a)
		if !ok {
			return nil
		}
		elems[i] = s
	}
	return term.NewString(path.Join(elems...))
}

// foldCutOff is a text without a begin or an end that it is known to have.
func foldCutOff(front bool, cut func(s, what string) (string, bool)) func([]*term.Term, int) *term.Term {
	return func(args []*term.Term, n int) *term.Term {
		if len(args) != 2 || n > 1 {
			return nil
		}
		what, ok := term.StringValue(args[1])
		if !ok {
			return nil
		}
		parts := []*term.Term{args[0]}
		if args[0].Kind == term.Concat {
			parts = slices.Clone(args[0].Args)
		}
		at := len(parts) - 1
		if front {
			at = 0
		}
		s, ok := term.StringValue(parts[at])
		if !ok {
			return nil
		}
		rest, has := cut(s, what)
		switch {
		case !has && (len(parts) == 1 || len(s) >= len(what)):
			has = false
		case !has:
			return nil
		}
		if n == 1 {
			return term.NewConst("bool", strconv.FormatBool(has))
		}
		parts[at] = term.NewString(rest)
		return term.NewConcat(parts...)
	}
}
