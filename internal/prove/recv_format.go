package prove

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/fencelint/fencelint/internal/term"
)

// format writes text of a library that puts arguments in place of ?, of ?0 and the
// like, and of ?name. value writes an argument, named what a name stands for: nil if it
// stands for nothing known.
type format struct {
	value func(*writing, *term.Term)
	named func(name string) clause
}

func (f format) text(text *term.Term, args []*term.Term) clause {
	return func(w *writing) {
		text := unboxed(text)
		pieces := []*term.Term{text}
		if text.Kind == term.Concat {
			pieces = text.Args
		}
		next := 0
		for _, p := range pieces {
			if s, ok := term.StringValue(p); ok {
				f.piece(w, s, args, &next)
			} else {
				w.parts = append(w.parts, p)
			}
		}
	}
}

func (f format) piece(w *writing, s string, args []*term.Term, next *int) {
	for {
		before, rest, found := strings.Cut(s, "?")
		w.str(before)
		if !found {
			return
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end < 0 {
			end = len(rest)
		}
		mark := rest[:end]
		i, err := strconv.Atoi(mark)
		switch {
		case mark == "" && *next < len(args):
			i = *next
			*next++
			fallthrough
		case err == nil && i < len(args):
			listed(w, before, args[i], func(t *term.Term) { f.value(w, t) })
		case mark != "" && err != nil && f.named != nil && f.named(mark) != nil:
			f.named(mark)(w)
		default:
			w.fail("a placeholder without an argument")
			return
		}
		s = rest[end:]
	}
}

// argsOf are the arguments of a step after its text; false if they are not written out.
func argsOf(w *writing, s step, after int) []*term.Term {
	if len(s.args) <= after {
		return nil
	}
	l, ok := elements(s.args[after])
	if !ok {
		w.fail("arguments that are not written out")
	}
	return l
}
