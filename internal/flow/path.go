package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// pathTerm is the term at a path of the models, nil if the path is not stated or
// leads where no term is.
func (f *fn) pathTerm(p model.Path, c ssa.CallInstruction, t target) *term.Term {
	recv, args := split(t)
	var x *term.Term
	switch p.Root {
	case "recv":
		x = recv
	case "arg":
		if p.Index >= 0 && p.Index < len(args) {
			x = args[p.Index]
		}
	case "ret":
		return term.NewCall(keyOr(t), f.siteOf(c), p.Index, t.args...)
	}
	if x != nil && p.From != "" {
		x = madeFrom(x, p)
	}
	for _, s := range p.Steps {
		if x == nil || s.Call {
			return nil
		}
		x = f.stepInto(x, s.Name, c)
	}
	return x
}

// madeFrom is the argument that went into the constructor of x.
func madeFrom(x *term.Term, p model.Path) *term.Term {
	for _, a := range x.Alternatives() {
		a = unbox(a)
		if a.Kind == term.Call && strings.HasSuffix(a.Str, "."+p.From) && p.FromArg >= 0 && p.FromArg < len(a.Args) {
			return a.Args[p.FromArg]
		}
	}
	return nil
}

// stepInto selects a field by its bare name: from a struct that is in sight, else
// as a field of whatever type the value has.
func (f *fn) stepInto(x *term.Term, name string, c ssa.CallInstruction) *term.Term {
	x = unbox(x)
	if x.Kind == term.Alt {
		var out []*term.Term
		for _, a := range x.Args {
			if y := f.stepInto(a, name, c); y != nil {
				out = append(out, y)
			}
		}
		return term.NewAlt(out...)
	}
	if x.Kind != term.Struct {
		return nil
	}
	for _, n := range x.Names {
		if strings.HasSuffix(n, "."+name) {
			return f.fieldAt(n, x, c)
		}
	}
	return nil
}
