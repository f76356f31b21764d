package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A script refuses by what it answers, and only its text tells how: with a number,
// with nil, with an error, or with something else. Each is followed as a scenario
// of its own; whoever knows the text picks those that can happen.
const (
	ScriptZero     = "script 0"
	ScriptPositive = "script +"
	ScriptNegative = "script -"
	ScriptValue    = "script ?"
	ScriptNil      = "script nil"
	ScriptError    = "script error"
)

// scriptStarts lists the ways in which a call that runs a script can be refused.
func scriptStarts(sig *types.Signature) []start {
	var out []start
	for _, r := range []struct {
		scenario string
		object   abs // that carries the answer
		value    abs // the answer, where the call hands it out with an error beside
		err      abs
	}{
		{ScriptZero, abs{k: refused, sig: true}, abs{k: isInt, sig: true}, abs{k: isNil}},
		{ScriptPositive, abs{k: refused, sig: true, name: "+"}, answerNumbers["+"], abs{k: isNil}},
		{ScriptNegative, abs{k: refused, sig: true, name: "-"}, answerNumbers["-"], abs{k: isNil}},
		{ScriptValue, abs{k: granted, sig: true}, abs{sig: true}, abs{k: isNil}},
		{ScriptNil, abs{k: declined, sig: true, name: "Nil"}, abs{k: isNil, sig: true}, abs{k: isNil}},
		{ScriptError, abs{k: declined, sig: true}, abs{sig: true}, abs{k: nonNil, sig: true}},
	} {
		st := start{scenario: r.scenario}
		for i := range sig.Results().Len() {
			switch {
			case isError(sig.Results().At(i).Type()):
				st.tuple = append(st.tuple, r.err)
			case sig.Results().Len() == 1:
				st.tuple = append(st.tuple, r.object)
			default:
				st.tuple = append(st.tuple, r.value)
			}
		}
		out = append(out, st)
	}
	return out
}

// answerNumbers are the answers of a script that are a number other than 0, by the name that the
// command has which carries one.
var answerNumbers = map[string]abs{"-": {k: isInt, n: -1, sig: true}, "+": {k: above, sig: true}}

// scriptReply runs a method of go-redis that takes a script's answer out of its
// command, which may have it from what it embeds; nil for other methods.
func (s *state) scriptReply(c *ssa.Call) []abs {
	recv := c.Call.Args[0]
	if fa, ok := recv.(*ssa.FieldAddr); ok {
		recv = fa.X
	}
	ptr, ok := recv.Type().(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := ptr.Elem().(*types.Named)
	if !ok || named.Obj().Name() != "Cmd" || named.Obj().Pkg() == nil {
		return nil
	}
	a := s.of(recv)
	if a == (abs{k: granted}) {
		return saidYes(c.Call.Signature().Results(), abs{k: above})
	}
	if !a.sig || a.k != refused && a.k != granted && a.k != declined {
		return nil
	}
	err := abs{k: isNil}
	if a.k == declined {
		err = abs{k: nonNil, sig: true}
		if a.name != "" {
			err.name = named.Obj().Pkg().Path() + "." + a.name
		}
	}
	var out []abs
	for i := range c.Call.Signature().Results().Len() {
		out = append(out, scriptAnswer(c.Call.Signature().Results().At(i).Type(), a, err))
	}
	return out
}

// saidYes is what a call gives whose peer says yes: no error, a yes, and number for a number.
func saidYes(res *types.Tuple, number abs) []abs {
	out := make([]abs, res.Len())
	for i := range out {
		switch t := res.At(i).Type(); {
		case isError(t):
			out[i] = abs{k: isNil}
		case isBoolean(t):
			out[i] = boolean(true)
		case isInteger(t):
			out[i] = number
		}
	}
	return out
}

// documentReply runs a method of MongoDB's answer of one document: where none was
// found, each gives the same error.
func (s *state) documentReply(c *ssa.Call, key string) []abs {
	pkg, ok := strings.CutSuffix(key[:max(0, strings.LastIndexByte(key, '.'))], ".SingleResult")
	if !ok || len(c.Call.Args) == 0 || s.of(c.Call.Args[0]).k != refused {
		return nil
	}
	var out []abs
	for i := range c.Call.Signature().Results().Len() {
		if isError(c.Call.Signature().Results().At(i).Type()) {
			out = append(out, abs{k: nonNil, sig: true, name: pkg + ".ErrNoDocuments"})
		} else {
			out = append(out, abs{sig: true})
		}
	}
	return out
}

// scriptAnswer is one result of asking a refused script.
func scriptAnswer(t types.Type, a, err abs) abs {
	b, _ := t.Underlying().(*types.Basic)
	switch {
	case isError(t):
		return err
	case a.k != refused || b == nil:
	case b.Info()&types.IsBoolean != 0 && a.name == "":
		return boolean(false).signal()
	case b.Info()&types.IsInteger != 0:
		if n, ok := answerNumbers[a.name]; ok {
			return n
		}
		return abs{k: isInt, sig: true}
	}
	return abs{sig: true}
}
