package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

func init() {
	profiles["gcs.match"] = gcsMatch
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
	for h.Kind == term.Call && strings.Contains(h.Str, "/storage.") && len(h.Args) > 0 {
		switch lastPart(h.Str) {
		case "If":
			return j.gcsConditions(p, unboxed(term.Settle(h.Args[1])))
		case "Object":
			return unconditional("nothing is demanded of the object that is overwritten")
		case "CopierFrom", "ComposerFrom", "NewWriter", "Key", "Generation", "ReadCompressed", "Retryer":
		default:
			return notInSight("the step " + lastPart(h.Str) + " of the handle is not followed")
		}
		h = unboxed(h.Args[0])
	}
	if h.Symbolic() {
		return decision{verdict: waiting, rule: "unprovedwrite", guard: "unknown", reason: "the caller supplies the handle of the object"}
	}
	return notInSight("the handle of the object is put together out of sight")
}

func (j *judge) gcsConditions(p *pair, c *term.Term) decision {
	field := func(name string) *term.Term { return unboxed(fieldNamed(c, name)) }
	switch once := field("DoesNotExist"); {
	case c.Kind != term.Struct || c.Open:
		return notInSight("the conditions of the handle are put together out of sight")
	case once.Kind == term.Const && once.Str == "true":
		return decision{verdict: proved, guard: "create-once", reason: "only the first one creates the object"}
	case !term.IsZero(once):
		return notInSight("whether the object may exist is not known")
	case !term.IsZero(field("GenerationMatch")):
		return j.casVerdict(p, decision{}, false)
	case !term.IsZero(field("MetagenerationMatch")): // counts anew in each generation
		return notInSight("the number of changes to the metadata does not tell which object is there")
	}
	return unconditional("the conditions of the handle compare no generation")
}
