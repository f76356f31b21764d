package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// sharedChains are the libraries whose query builders change the value that they
// are called on, so that a step counts although its result is dropped (gorm v2:
// after the first step all share one statement).
var sharedChains = set("gorm.io/gorm", "github.com/jinzhu/gorm")

// droppedStep reports whether a step of a builder chain is called on the value and
// its result is thrown away: what the chain says then is not what it looks like.
func (f *fn) droppedStep(v ssa.Value) bool {
	if v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		c, ok := r.(*ssa.Call)
		if !ok || len(*c.Referrers()) > 0 || len(c.Call.Args) == 0 || c.Call.Args[0] != v {
			continue
		}
		callee := c.Call.StaticCallee()
		if callee == nil || callee.Pkg == nil || !sharedChains[callee.Pkg.Pkg.Path()] {
			continue
		}
		if m := f.a.Models.FuncKey(keyOfID(funcID(callee))); m != nil && m.Sink != nil && m.Sink.Kind == "builder_step" {
			return true
		}
	}
	return false
}

// chained is the result of a call, unless a dropped step has changed it since.
func (f *fn) chained(c *ssa.Call) *term.Term {
	if f.droppedStep(c) {
		return term.NewUnknown("a chain that a dropped step has changed")
	}
	return f.callResult(c, 0)
}
