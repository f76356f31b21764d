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
	ScriptZero  = "script 0"
	ScriptValue = "script ?"
	ScriptNil   = "script nil"
	ScriptError = "script error"
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

// scriptReply runs a method of go-redis that takes a script's answer out of its
// command; typ is the type of the command, a its state.
func scriptReply(c *ssa.Call, typ string, a abs) []abs {
	if !strings.HasSuffix(typ, ".Cmd") || !a.sig {
		return nil
	}
	err := abs{k: isNil}
	if a.k == declined {
		err = abs{k: nonNil, sig: true}
		if a.name != "" {
			err.name = strings.TrimSuffix(typ, "Cmd") + a.name
		}
	}
	var out []abs
	for i := range c.Call.Signature().Results().Len() {
		t := c.Call.Signature().Results().At(i).Type()
		b, _ := t.Underlying().(*types.Basic)
		switch {
		case isError(t):
			out = append(out, err)
		case a.k != refused || b == nil:
			out = append(out, abs{sig: true})
		case b.Info()&types.IsBoolean != 0:
			out = append(out, boolean(false).signal())
		case b.Info()&types.IsInteger != 0:
			out = append(out, abs{k: isInt, sig: true})
		default:
			out = append(out, abs{sig: true})
		}
	}
	return out
}
