package prove

import (
	"maps"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// cheap is what is known of the resources that locks of both classes write.
type cheap struct {
	guarded map[string]*pair // resources in holds of correctness locks, with the first write
	writes  []pendingPair    // writes in holds of efficiency locks
}

// efficiency looks at a boundary in the hold of a lock that is cheap to lose.
func (j *judge) efficiency(p *pair, d decision) {
	if slices.ContainsFunc(p.w.Holds, func(a *flow.Event) bool { return a.Hold.Lock != nil && a.Hold.Lock.Class == "correctness" }) {
		return // judged in that hold
	}
	switch {
	case j.external(p.w):
		if keyless[d.rule] && d.verdict == refuted {
			d.rule = "efficiencyeffect"
			j.report(p, d)
		}
	case j.writtenResource(p, d) != "" && d.verdict != proved && d.verdict != waiting:
		j.cheap.writes = append(j.cheap.writes, pendingPair{p, d})
	}
}

// keyless are the rules that speak of an effect without a stable key.
var keyless = map[string]bool{
	"missingidempotency": true, "unstableidempotency": true, "effectbeforefence": true, "unenforcedheader": true,
	"ambiguousoutcome": true, "unfencedwrite": true,
}

// correctness notes the resource of a write in the hold of a correctness lock.
func (j *judge) correctness(p *pair, d decision) {
	r := j.writtenResource(p, d)
	if r == "" || j.external(p.w) {
		return
	}
	if j.cheap.guarded == nil {
		j.cheap.guarded = make(map[string]*pair)
	}
	if j.cheap.guarded[r] == nil {
		j.cheap.guarded[r] = p
	}
}

// writtenResource names the resource of a write, "" if its name is not literal.
func (j *judge) writtenResource(p *pair, d decision) string {
	if d.resource != "" {
		if strings.HasSuffix(d.resource, ":") || strings.HasSuffix(d.resource, "?") || strings.ContainsFunc(d.resource, isHole) {
			return ""
		}
		return d.resource
	}
	c := j.models.FuncKey(p.w.Key)
	if p.w.Decl != nil || c == nil || c.Sink == nil || c.Sink.Key.IsZero() {
		return ""
	}
	name := literal(j.at(c.Sink.Key, p.w))
	if in := j.at(c.Sink.Input, p.w); name != "" && in != nil && lastStep(c.Sink.Key) == "Key" {
		if b := unboxed(fieldNamed(in, "Bucket")); !term.IsZero(b) {
			if literal(b) == "" {
				return ""
			}
			name = literal(b) + "/" + name
		}
	}
	if name == "" {
		return ""
	}
	return c.Sink.Lib + ":" + name
}

// literal is the text of a constant, also behind a pointer; "" for other values.
func literal(t *term.Term) string {
	if t == nil {
		return ""
	}
	s, _ := term.StringValue(pointee(t))
	return s
}

func lastStep(p model.Path) string {
	if len(p.Steps) == 0 {
		return ""
	}
	return p.Steps[len(p.Steps)-1].Name
}

// contradictions reports the writes under efficiency locks to what a correctness
// lock of this package, or of one that it imports, protects.
func (j *judge) contradictions() {
	for _, w := range j.cheap.writes {
		r := j.writtenResource(w.p, w.d)
		by, at, ok := j.protector(r)
		if !ok {
			continue
		}
		_, name, _ := strings.Cut(r, ":")
		w.d.rule = "efficiencyeffect"
		w.d.reason = "it writes " + name + ", which " + by + " (" + at.String() + ") protects"
		j.report(w.p, w.d)
	}
}

// protector names the correctness lock that protects a resource.
func (j *judge) protector(resource string) (string, Place, bool) {
	if p := j.cheap.guarded[resource]; p != nil {
		return "the correctness lock " + j.exprAt(p.acq.Chain[0], p.acq.Key), p.acq.Chain[0].Place, true
	}
	if j.a.Imported != nil {
		for _, t := range j.a.Imported.Touches {
			if t.How == flow.InHold && t.Resource == resource {
				return "a correctness lock in " + funcName(t.Step.Func), t.Step.Place, true
			}
		}
	}
	return "", Place{}, false
}

// protects lists the resources in holds of correctness locks for packages that
// import this one.
func (j *judge) protects() []flow.Touch {
	var out []flow.Touch
	for _, r := range slices.Sorted(maps.Keys(j.cheap.guarded)) {
		p := j.cheap.guarded[r]
		if !p.sum.Test {
			out = append(out, flow.Touch{How: flow.InHold, Resource: r, Step: p.acq.Chain[0]})
		}
	}
	return out
}
