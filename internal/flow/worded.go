package flow

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// worded names an error that is made of a text. Code that asks for an error by a variable or
// by a type does not find it, whatever other error the text tells of.
const worded = "a text"

// madeError is what a call gives that makes an error of a text: it has in it the errors that
// the format wraps, and of all others no more than their words.
func madeError(c *ssa.CallCommon, s *state) abs {
	made := abs{k: nonNil, sig: anySignal(c, s), name: worded}
	if callKey(c) != "fmt.Errorf" {
		return made
	}
	format, ok := c.Args[0].(*ssa.Const)
	if !ok || format.Value == nil {
		made.name = wrappedName(c, s)
		return made
	}
	at, ok := wraps(constant.StringVal(format.Value))
	args := arguments(c)[1:]
	if !ok || len(at) > 0 && at[len(at)-1] >= len(args) {
		made.name = wrappedName(c, s)
		return made
	}
	for _, i := range at {
		if made.name = s.of(args[i]).name; made.name != "" {
			break
		}
	}
	return made
}

// wraps lists the operands that a format wraps; false if it names operands by their numbers.
func wraps(format string) (at []int, ok bool) {
	n := 0
	for {
		_, after, found := strings.Cut(format, "%")
		if !found {
			return at, true
		}
		rest := strings.TrimLeft(after, "0123456789+-# .")
		switch {
		case rest == "":
			return at, true
		case rest[0] == '*', rest[0] == '[':
			return nil, false
		case rest[0] == 'w':
			at = append(at, n)
		}
		if rest[0] != '%' {
			n++
		}
		format = rest[1:]
	}
}

// foundWorded decides errors.As for an error that is no more than a text; nil for others.
func foundWorded(a abs, target ssa.Value) *abs {
	if m, ok := target.(*ssa.MakeInterface); ok {
		target = m.X
	}
	ptr, ok := target.Type().Underlying().(*types.Pointer)
	if a.name != worded || !ok {
		return nil
	}
	b := boolean(false)
	if i, ok := ptr.Elem().Underlying().(*types.Interface); ok {
		b = boolean(!slices.ContainsFunc(slices.Collect(i.Methods()), func(m *types.Func) bool { return m.Name() != "Error" }))
	}
	b.sig = a.sig
	return &b
}

// wrapsOutOfSight reports whether a call makes one error of another, in code that is not
// looked into: what a library for retries does with an error after which it shall not retry.
func wrapsOutOfSight(c *ssa.CallCommon) bool {
	f := c.StaticCallee()
	r := c.Signature().Results()
	return f != nil && len(f.Blocks) == 0 && r.Len() == 1 && isError(r.At(0).Type())
}
