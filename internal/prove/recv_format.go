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

// ormValue writes an argument: an identifier, raw text, or a value that is bound.
func ormValue(w *writing, t *term.Term) {
	v := unboxed(t)
	switch typ := typeName(t); {
	case typ == "Ident" || typ == "Name" || typ == "Safe":
		w.parts = append(w.parts, v)
	case v.Kind == term.Call && listMakers[lastPart(v.Str)] && (strings.HasPrefix(v.Str, bunPath) || strings.HasPrefix(v.Str, pgPath)) && len(v.Args) > 0:
		w.arg(v.Args[0])
	case strings.Contains(t.Str, bunPath), strings.Contains(t.Str, pgPath):
		w.fail("a query within the statement")
	default:
		w.arg(v)
	}
}

var listMakers = map[string]bool{"In": true, "List": true, "InMulti": true, "Array": true}

// formatted is a statement as the library sends it that puts the arguments in place.
func (j *judge) formatted(text, args *term.Term) (stmt, vals *term.Term) {
	list, ok := elements(orZero(args))
	if !ok {
		return text, args
	}
	f := format{value: ormValue, named: func(name string) clause { return j.namedField(name, list) }}
	var stmts []*term.Term
	for _, t := range text.Alternatives() {
		w := &writing{dollar: true}
		f.text(t, list)(w)
		s, v := w.statement()
		if vals != nil && v != nil && !vals.Equal(v) {
			return term.NewUnknown("a text with other arguments on each way"), nil
		}
		stmts = append(stmts, s)
		if v != nil {
			vals = v
		}
	}
	return term.NewAlt(stmts...), vals
}

// namedField is what ?name stands for: a field of a record among the arguments.
func (j *judge) namedField(name string, args []*term.Term) clause {
	for _, a := range args {
		cs, _ := j.columns(a, pgName)
		for _, c := range cs {
			if c.name == name || snake(c.field) == name {
				return func(w *writing) { w.arg(c.value) }
			}
		}
	}
	return nil
}
