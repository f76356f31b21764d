package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Statuses of HTTP. Package net/http is not used for them: see TestLinksNoNet.
const (
	statusOK           = 200
	statusConflict     = 409
	statusPrecondition = 412
)

// status is what a response that was refused or granted has in a field that is not an
// answer of its own: the status, as HTTP has it; and a body, which says nothing as long
// as nobody decodes it.
func (s *state) status(fa *ssa.FieldAddr) (abs, bool) {
	obj := s.of(fa.X)
	if obj.k != refused && obj.k != granted {
		return abs{}, false
	}
	name := fieldName(fa.X.Type(), fa.Field)
	switch {
	case !strings.HasSuffix(name, ".StatusCode"):
		return abs{}, false
	case strings.HasPrefix(name, "net/http."):
		if obj.k == granted {
			return abs{}, true // which of those for success is the peer's choice
		}
		return abs{k: isInt, n: statusPrecondition, sig: true}, true
	case obj.k == granted:
		return abs{k: isInt, n: statusOK}, true
	}
	return abs{k: isInt, n: statusConflict, sig: true}, true
}

// readsBody lists functions that read what an answer holds. That they succeed says nothing
// of a refusal, which has a body too; what they decode may.
var readsBody = set("io.ReadAll", "io.Copy", "io.CopyN", "io/ioutil.ReadAll", "encoding/json.Decoder.Decode", "encoding/json.Unmarshal",
	"encoding/xml.Decoder.Decode", "encoding/xml.Unmarshal")

// body runs a call that reads the body of an answer.
func (s *state) body(c *ssa.Call, key string) []abs {
	if !readsBody[key] {
		return nil
	}
	out := make([]abs, c.Call.Signature().Results().Len())
	for i := range out {
		out[i] = abs{sig: true}
	}
	out[len(out)-1] = abs{k: isNil}
	if len(out) == 1 {
		s.flags |= unsure // whoever looks at what was decoded may learn of it
	}
	return out
}

// isClose reports whether a call closes something: that fails for reasons of its own.
func isClose(c *ssa.CallCommon) bool {
	if c.IsInvoke() {
		return c.Method.Name() == "Close"
	}
	callee := c.StaticCallee()
	return callee != nil && callee.Name() == "Close" && callee.Signature.Recv() != nil && len(c.Args) == 1
}
