package flow

import (
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// What package fmt writes: constants go into the format, the rest leaves holes.

func foldSprint(args []*term.Term) *term.Term {
	if len(args) != 1 || args[0].Kind != term.List || len(args[0].Args) != 1 || args[0].Open {
		return nil
	}
	return printed('v', args[0].Args[0])
}

// foldSprintln writes its operands with spaces between them, and a line's end.
func foldSprintln(args []*term.Term, _ int) *term.Term {
	if len(args) != 1 || args[0].Kind != term.List || args[0].Open {
		return nil
	}
	var parts []*term.Term
	for i, a := range args[0].Args {
		if i > 0 {
			parts = append(parts, term.NewString(" "))
		}
		parts = append(parts, printed('v', a))
	}
	return term.NewConcat(append(parts, term.NewString("\n"))...)
}

// foldSprintf writes operands into a format.
func foldSprintf(args []*term.Term, n int) *term.Term {
	if len(args) == 2 && args[1].Kind == term.Const && args[1].Typ == "nil" {
		args = []*term.Term{args[0], term.NewList(false)} // there are no operands
	}
	if len(args) != 2 || args[1].Kind != term.List || args[1].Open {
		return nil
	}
	if args[0].Kind == term.Alt {
		return eachForm(args[0], func(f *term.Term) *term.Term { return foldSprintf([]*term.Term{f, args[1]}, n) })
	}
	format, ok := term.StringValue(args[0])
	if !ok {
		return nil
	}
	return sprintf(format, args[1].Args)
}

// formatter goes through a format and its operands.
type formatter struct {
	rest string
	args []*term.Term
	next int
}

func sprintf(format string, args []*term.Term) *term.Term {
	f := &formatter{rest: format, args: args}
	var parts []*term.Term
	for {
		before, after, found := strings.Cut(f.rest, "%")
		if !found || after == "" {
			return term.NewConcat(append(parts, term.NewString(f.rest))...)
		}
		parts = append(parts, term.NewString(before))
		f.rest = after
		t := f.verb()
		if t == nil {
			return nil
		}
		parts = append(parts, t)
	}
}

// verb reads one verb behind its percent sign; nil if its operand is not there.
func (f *formatter) verb() *term.Term {
	cut := false // a precision cuts a text off, and a flag writes it as Go does
	from := f.rest
	for f.rest != "" {
		c := f.rest[0]
		f.rest = f.rest[1:]
		switch {
		case c == '%':
			return term.NewString("%")
		case c == '[':
			if !f.index() {
				return nil
			}
		case c == '*':
			f.next++ // a width or precision among the operands
		case strings.IndexByte("0123456789+-# .", c) >= 0:
			cut = cut || c == '.' || c == '#'
		case f.next >= len(f.args):
			return nil
		default:
			f.next++
			if cut && c != 'd' {
				return term.NewUnknown("what a precision or a flag makes of a text")
			}
			t := printed(c, f.args[f.next-1])
			if strings.IndexByte("xXob", c) >= 0 && from[0] != '0' && writesDigits(t) { // padded, they are in the order of the numbers
				return inOtherBase(t.Args[0])
			}
			return t
		}
	}
	return nil
}

// index reads the number of an operand, as in %[2]s.
func (f *formatter) index() bool {
	word, after, found := strings.Cut(f.rest, "]")
	if !found {
		return false
	}
	n, ok := term.IntValue(term.NewConst("int", word))
	if !ok || n < 1 {
		return false
	}
	f.rest, f.next = after, int(n)-1
	return true
}

// printed is a value as Sprintf writes it with a verb.
func printed(verb byte, t *term.Term) *term.Term {
	if t.Kind == term.Iface && len(t.Args) == 2 && strings.IndexByte("vsqxX", verb) >= 0 {
		t = t.Args[1] // it writes itself
	} else if t.Kind == term.Iface && verb == 'v' && integers[t.Str] {
		verb = 'd'
	}
	t = unbox(t)
	switch verb {
	case 'd':
		return foldDigits([]*term.Term{t}, 0)
	case 'x', 'X', 'o', 'b':
		if t.Kind == term.Const {
			return term.NewUnknown("a constant in another form")
		}
		return term.NewConvert("digits", t)
	case 'c', 'U', 'T', 'p':
		return term.NewUnknown("a value in another form")
	}
	if t.Kind == term.Const && t.Typ == "int" {
		return term.NewString(t.Str)
	}
	if verb == 'q' {
		if s, ok := term.StringValue(t); ok {
			return term.NewString(`"` + s + `"`)
		}
	}
	if t.Kind == term.Alt {
		return eachForm(t, func(a *term.Term) *term.Term { return printed(verb, a) })
	}
	return t
}

// integers are the types whose values are written as digits whatever the verb does with others.
var integers = set("int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64")
