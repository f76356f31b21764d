package flow

import (
	"net/http"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// status is the status of a response that was refused or granted, as HTTP has it.
func (s *state) status(fa *ssa.FieldAddr) (abs, bool) {
	obj := s.of(fa.X)
	if obj.k != refused && obj.k != granted || !strings.HasSuffix(fieldName(fa.X.Type(), fa.Field), ".StatusCode") {
		return abs{}, false
	}
	if obj.k == granted {
		return abs{k: isInt, n: http.StatusOK}, true
	}
	return abs{k: isInt, n: http.StatusConflict, sig: true}, true
}

// isClose reports whether a call closes something: that fails for reasons of its own.
func isClose(c *ssa.CallCommon) bool {
	if c.IsInvoke() {
		return c.Method.Name() == "Close"
	}
	callee := c.StaticCallee()
	return callee != nil && callee.Name() == "Close" && callee.Signature.Recv() != nil && len(c.Args) == 1
}
