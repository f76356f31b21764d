package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

func init() {
	profiles["gcs.match"] = gcsMatch
	profiles["kv.previous"] = kvPrevious
}

// kvPrevious judges a write that is given the pair which was read before, as libkv has
// it: the store compares its index. Without one the key must not be there.
func kvPrevious(j *judge, p *pair) decision {
	i := len(p.w.Args) - 1
	if j.models.FuncKey(p.w.Key).Sink.Method == "AtomicPut" {
		i-- // the options come last
	}
	if i < 0 {
		return notInSight("the previous pair is not in sight")
	}
	if prev := unboxed(p.w.Args[i]); prev.Kind == term.Const && term.IsZero(prev) {
		return decision{verdict: proved, guard: "create-once", reason: "only the first one creates the key"}
	}
	return j.casVerdict(p, decision{}, false)
}

// gcsMatch judges a write of an object of Google's storage by the conditions of its
// handle, which If gives.
func gcsMatch(j *judge, p *pair) decision {
	d := decision{}
	if p.w.Recv == nil {
		return notInSight("the handle of the object is not in sight")
	}
	for _, handle := range j.widen(p.w.Recv).Alternatives() {
		d = worse(d, j.gcsHandle(p, unboxed(handle)))
	}
	return d
}

func (j *judge) gcsHandle(p *pair, h *term.Term) decision {
	if h.Kind == term.Alt {
		d := decision{}
		for _, a := range h.Args {
			d = worse(d, j.gcsHandle(p, unboxed(a)))
		}
		return d
	}
	for h.Kind == term.Call && strings.Contains(h.Str, "/storage.") && len(h.Args) > 0 {
		switch lastPart(h.Str) {
		case "If":
			return j.gcsConditions(p, unboxed(term.Settle(h.Args[1])), unboxed(h.Args[0]))
		case "Object":
			return unconditional("nothing is demanded of the object that is overwritten")
		case "CopierFrom", "ComposerFrom", "NewWriter", "Key", "Generation", "ReadCompressed", "Retryer":
		default:
			return notInSight("the step " + lastPart(h.Str) + " of the handle is not followed")
		}
		if h = unboxed(h.Args[0]); h.Kind == term.Alt {
			return j.gcsHandle(p, h)
		}
	}
	if h.Symbolic() {
		return decision{verdict: waiting, rule: "unprovedwrite", guard: "unknown", reason: "the caller supplies the handle of the object"}
	}
	return notInSight("the handle of the object is put together out of sight")
}

func (j *judge) gcsConditions(p *pair, c, object *term.Term) decision {
	field := func(name string) *term.Term { return unboxed(fieldNamed(c, name)) }
	switch once := field("DoesNotExist"); {
	case c.Kind != term.Struct || c.Open:
		return notInSight("the conditions of the handle are put together out of sight")
	case once.Kind == term.Const && once.Str == "true":
		return createdOnce(object, "only the first one creates the object")
	case !term.IsZero(once):
		return notInSight("whether the object may exist is not known")
	case !term.IsZero(field("GenerationMatch")):
		return j.casVerdict(p, decision{}, false)
	case !term.IsZero(field("MetagenerationMatch")): // counts anew in each generation
		return notInSight("the number of changes to the metadata does not tell which object is there")
	}
	return unconditional("the conditions of the handle compare no generation")
}
