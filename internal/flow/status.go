package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Statuses of HTTP. Package net/http is not used for them: see TestLinksNoNet.
const (
	statusOK       = 200
	statusConflict = 409
)

// status is the status of a response that was refused or granted, as HTTP has it.
func (s *state) status(fa *ssa.FieldAddr) (abs, bool) {
	obj := s.of(fa.X)
	if obj.k != refused && obj.k != granted || !strings.HasSuffix(fieldName(fa.X.Type(), fa.Field), ".StatusCode") {
		return abs{}, false
	}
	if obj.k == granted {
		return abs{k: isInt, n: statusOK}, true
	}
	return abs{k: isInt, n: statusConflict, sig: true}, true
}

// isClose reports whether a call closes something: that fails for reasons of its own.
func isClose(c *ssa.CallCommon) bool {
	if c.IsInvoke() {
		return c.Method.Name() == "Close"
	}
	callee := c.StaticCallee()
	return callee != nil && callee.Name() == "Close" && callee.Signature.Recv() != nil && len(c.Args) == 1
}
