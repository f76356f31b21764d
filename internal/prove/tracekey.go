package prove

import (
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// key tells what an effect is known by at its receiver, and where that comes from.
func (t *tracer) key() {
	key := t.w.Effect(flow.EffectKey)
	if key == nil {
		return
	}
	k := t.j.stability(key)
	if k.is == absent {
		t.add(Argument, 0, "there is no idempotency key")
		return
	}
	t.add(Argument, 0, "the idempotency key is "+t.j.show(key, t.fn))
	at := t.keySteps(term.Settle(key), 1)
	switch k.is {
	case stable:
		t.add(Origin, at, "the same for each attempt and each owner")
	case supplied:
		t.add(Lost, at, "certainty ends here: a caller that is not in sight supplies it")
	case hazy:
		t.add(Lost, at, "certainty ends here: it is "+k.why)
	case fleeting:
		t.add(Origin, at, k.why)
	}
}

// keySteps follows a key back through the part that makes it worst; the depth at which
// it ends.
func (t *tracer) keySteps(v *term.Term, depth int) int {
	for depth < maxTrail {
		step := Reason{Kind: Origin, Text: t.j.describe(v, t.fn), Depth: depth}
		if pos := t.j.sourceOf(v); pos.IsValid() {
			step.Place = t.j.a.PlaceOf(pos)
		}
		if v.Kind != term.Iface {
			t.steps = append(t.steps, step)
			depth++
		}
		next := t.worstPart(v)
		if next == nil {
			break
		}
		v = next
	}
	return depth
}

// worstPart is the part of a value that makes it what it is worth as a key, nil if the
// value itself does.
func (t *tracer) worstPart(v *term.Term) *term.Term {
	whole := t.j.keyPart(v, 0)
	var found *term.Term
	for _, a := range v.Args {
		if a.Kind == term.Const {
			continue
		}
		if k := t.j.keyPart(a, 0); k.is == whole.is && (found == nil || k.is > stable) {
			if found = a; k.why == whole.why {
				break
			}
		}
	}
	return found
}
