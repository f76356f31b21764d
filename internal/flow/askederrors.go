package flow

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A function that is handed another one may ask which error that has given, and forgive one
// of them. What it does is followed for each error that it asks for, and for any other.

// byError adds to the ways in which an unknown target can fail one for each error that the
// function asks for, and one for an error that is none of these.
func (f *fn) byError(starts []start) []start {
	n := len(starts)
	if n == 0 || !strings.HasPrefix(tupleCode(starts[n-1].tuple[len(starts[n-1].tuple)-1:]), "e") {
		return starts
	}
	asked := f.askedErrors()
	if len(asked) == 0 {
		return starts
	}
	general := starts[n-1]
	out := slices.Clip(starts)
	for _, name := range append(asked, fault) {
		tuple := slices.Clone(general.tuple)
		tuple[len(tuple)-1].name = name
		out = append(out, start{scenario: name + " " + general.scenario, tuple: tuple})
	}
	return out
}

// maxForgiven bounds the errors that are followed one by one.
const maxForgiven = 4

// askedErrors are the package variables that the function compares errors with.
func (f *fn) askedErrors() []string {
	if f.forgives != nil {
		return f.forgives
	}
	out := []string{}
	ask := func(v ssa.Value) {
		if name := errorVariable(v); name != "" && !slices.Contains(out, name) && len(out) < maxForgiven {
			out = append(out, name)
		}
	}
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.BinOp:
				if in.Op == token.EQL || in.Op == token.NEQ {
					ask(in.X)
					ask(in.Y)
				}
			case *ssa.Call:
				if key := callKey(&in.Call); (key == "errors.Is" || key == "github.com/pkg/errors.Is") && len(in.Call.Args) == 2 {
					ask(in.Call.Args[1])
				}
			}
		}
	}
	f.forgives = out
	return out
}

// errorVariable is the name of the package variable that a value is read from, if it is an error.
func errorVariable(v ssa.Value) string {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return ""
	}
	g, ok := load.X.(*ssa.Global)
	if !ok || !isError(load.Type()) {
		return ""
	}
	return g.Pkg.Pkg.Path() + "." + g.Name()
}

// applies reports whether an outcome is what follows when the target gives err: in the
// scenario of just this error, if all has ones for single errors.
func (o *Outcome) applies(err abs, all []Outcome) bool {
	name, way := o.given()
	single := func(of string) bool {
		return slices.ContainsFunc(all, func(x Outcome) bool {
			n, w := x.given()
			return w == way && n != "" && (of == "" || n != fault && sameSentinel(n, of))
		})
	}
	switch {
	case err.k != nonNil || !single(""):
		return name == ""
	case err.name == "" || name == "":
		return err.name == name
	case name == fault:
		return !single(err.name)
	}
	return sameSentinel(name, err.name)
}

// given takes a scenario apart into the error that is given, "" for any, and the result that
// says no.
func (o *Outcome) given() (name, way string) {
	i := strings.LastIndexByte(o.Scenario, ' ')
	return o.Scenario[:max(i, 0)], o.Scenario[i+1:]
}
