package prove

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

func init() {
	profiles["k8s.patch"] = k8sPatch
	profiles["k8s.delete"] = k8sDelete
	profiles["k8s.create"] = k8sCreate
	profiles["k8s.apply"] = k8sApply
}

// k8sCreate judges the creation of a Kubernetes object, whose name can be taken once.
// A name that the server makes is always a new one.
func k8sCreate(j *judge, p *pair) decision {
	d := decision{verdict: proved, guard: "create-once", reason: "only the first one creates the object"}
	obj := j.at(j.models.FuncKey(p.w.Key).Sink.Value, p.w)
	if obj == nil {
		return d
	}
	obj = unboxed(term.Settle(obj))
	meta := obj
	if obj.Kind == term.Struct && !obj.Open {
		meta = fieldNamed(obj, "ObjectMeta")
	}
	switch {
	case meta.Kind != term.Struct || meta.Open:
		d.verdict, d.guarded, d.reason = unproved, true, "the name of the object is not in sight; only the first one creates it"
	case term.IsZero(fieldNamed(meta, "Name")) && !term.IsZero(fieldNamed(meta, "GenerateName")):
		return unconditional("the server makes a new name for each call, so each call creates an object")
	}
	return d
}

// k8sPatch judges a patch: the server compares nothing unless the patch names a
// resourceVersion, or tests it.
func k8sPatch(j *judge, p *pair) decision {
	i := j.models.FuncKey(p.w.Key).Sink.Stmt
	if i < 0 || i >= len(p.w.Args) {
		return notInSight("the patch is put together out of sight")
	}
	if testsVersion(unboxed(p.w.Args[i])) {
		return j.casVerdict(p, decision{}, false)
	}
	patch := unboxed(term.Settle(p.w.Args[i]))
	if patch.Kind != term.Call {
		return j.patchText(p, patch)
	}
	switch lastPart(patch.Str) { // of controller-runtime
	case "MergeFrom", "StrategicMergeFrom":
		return unconditional("the patch holds the differences alone and no resourceVersion, so the server compares nothing")
	case "MergeFromWithOptions":
		return j.mergePatch(p, patch)
	case "RawPatch":
		if len(patch.Args) == 2 {
			return j.patchText(p, patch.Args[1])
		}
	}
	return j.patchText(p, patch)
}

// mergePatch judges a patch whose options may ask for the comparison.
func (j *judge) mergePatch(p *pair, patch *term.Term) decision {
	locked := patch.Any(func(u *term.Term) bool {
		return u.Kind == term.Struct && strings.HasSuffix(u.Str, ".MergeFromWithOptimisticLock")
	})
	if locked {
		return j.casVerdict(p, decision{}, false)
	}
	return notInSight("the options of the patch do not name the optimistic lock")
}

// patchText judges a patch by its text, in all the forms that it may have.
func (j *judge) patchText(p *pair, t *term.Term) decision {
	d := decision{}
	for _, form := range texts(t) {
		switch {
		case form.none != "" && t.Symbolic() && t.Kind != term.Call: // a call's result stays hidden from every caller
			d = worse(d, decision{verdict: waiting, guard: "unknown", reason: "the caller supplies the patch"})
		case form.none != "" || len(form.holes) > 0:
			n := notInSight("the patch is built at run time, and what it compares is not in sight")
			if namesNoVersion(t) {
				n.guard, n.reason = "none", "the patch is built at run time, of parts that name no resourceVersion"
			}
			d = worse(d, n)
		case !patchCompares(form.s):
			d = worse(d, unconditional("the patch names no resourceVersion, so the server compares nothing"))
		default:
			d = worse(d, j.casVerdict(p, decision{}, false))
		}
	}
	return d
}

// namesNoVersion reports whether the parts of which a patch is built are seen, and none of
// them is named like the resourceVersion: as far as its form goes, the server compares nothing.
func namesNoVersion(patch *term.Term) bool {
	t := unboxed(patch)
	if t.Kind == term.Call && t.Str == "encoding/json.Marshal" && len(t.Args) > 0 {
		t = unboxed(term.Settle(t.Args[0]))
		return seenObject(t, 2) && !speaksOfVersion(t)
	}
	return !speaksOfVersion(t) && t.Any(func(u *term.Term) bool {
		text, ok := term.StringValue(u)
		return ok && strings.Contains(text, "{") // what the code writes around the values
	})
}

// seenObject reports whether the names in a value are seen, down to some depth: of an
// object, and of those within it, or of each of a list.
func seenObject(t *term.Term, depth int) bool {
	switch t = unboxed(t); {
	case depth == 0:
		return true
	case t.Kind == term.Struct && !t.Open:
		return !slices.ContainsFunc(t.Args, func(a *term.Term) bool {
			a = unboxed(a)
			return a.Kind == term.Struct && !seenObject(a, depth-1)
		})
	case t.Kind == term.List, t.Kind == term.Alt, t.Kind == term.Op && t.Str == "append":
		some := false
		for _, a := range t.Args {
			if extended(a) || unboxed(a).Kind == term.Unknown && unboxed(a).Str == term.FromItself {
				continue
			}
			if some = true; !seenObject(a, depth) {
				return false
			}
		}
		return some || t.Kind == term.List
	}
	return false
}

// speaksOfVersion reports whether a name or text in a term is that of the resourceVersion.
func speaksOfVersion(t *term.Term) bool {
	speaks := func(s string) bool { return strings.Contains(strings.ToLower(s), "resourceversion") }
	return t.Any(func(u *term.Term) bool { return speaks(u.Str) || slices.ContainsFunc(u.Names, speaks) })
}

// testsVersion reports whether a patch is made from a list of operations of which one
// tests the resourceVersion.
func testsVersion(patch *term.Term) bool {
	return patch.Kind == term.Call && patch.Str == "encoding/json.Marshal" && len(patch.Args) > 0 && listTests(patch.Args[0])
}

func listTests(t *term.Term) bool {
	t = unboxed(t)
	switch {
	case t.Kind == term.Alt:
		some := false
		for _, a := range t.Args {
			if extended(a) {
				continue // the same list, made longer by a loop
			}
			if !listTests(a) {
				return false
			}
			some = true
		}
		return some
	case t.Kind == term.List:
		return slices.ContainsFunc(t.Args, operationTests)
	case t.Kind == term.Op && t.Str == "append":
		return slices.ContainsFunc(t.Args, listTests)
	}
	return false
}

// extended reports whether a list is one that a loop adds to.
func extended(t *term.Term) bool {
	for t = unboxed(t); t.Kind == term.Op && t.Str == "append" && len(t.Args) > 0; {
		t = unboxed(t.Args[0])
	}
	return t.Kind == term.Unknown && t.Str == term.FromItself
}

// operationTests reports whether an operation of a JSON patch tests the resourceVersion.
func operationTests(o *term.Term) bool {
	o = unboxed(o)
	if o.Kind != term.Struct {
		return false
	}
	verb, path, version := "", "", false
	for i, n := range o.Names {
		text, isText := term.StringValue(unboxed(o.Args[i]))
		switch name := strings.ToLower(lastPart(n)); {
		case name == "op" || name == "operation":
			verb = text
		case name == "path":
			path = text
		case name == "value":
			version = !term.IsZero(unboxed(o.Args[i])) && !(isText && text == "")
		}
	}
	return verb == "test" && path == "/metadata/resourceVersion" && version
}

// patchCompares reports whether a patch in JSON names the resourceVersion of the
// object, or tests it.
func patchCompares(text string) bool {
	var object struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	if json.Unmarshal([]byte(text), &object) == nil {
		return object.Metadata.ResourceVersion != ""
	}
	var steps []struct {
		Op, Path string
		Value    any
	}
	if json.Unmarshal([]byte(text), &steps) != nil {
		return false
	}
	for _, s := range steps {
		if s.Op == "test" && s.Path == "/metadata/resourceVersion" && s.Value != nil && s.Value != "" {
			return true
		}
	}
	return false
}

// k8sDelete judges a deletion by its preconditions.
func k8sDelete(j *judge, p *pair) decision {
	in := j.at(j.models.FuncKey(p.w.Key).Sink.Input, p.w)
	if in == nil {
		return notInSight("the options of the deletion are put together out of sight")
	}
	d := decision{}
	for _, opts := range unboxed(term.Settle(in)).Alternatives() {
		d = worse(d, j.deleteOptions(p, unboxed(opts)))
	}
	return d
}

// deleteOptions judges one form of the options: a struct, or a list of options as
// controller-runtime has it.
func (j *judge) deleteOptions(p *pair, opts *term.Term) decision {
	none := unconditional("the deletion has no preconditions, so whatever has the name is deleted")
	switch {
	case opts.Kind == term.Call && preconditionMakers[lastPart(opts.Str)]:
		return j.casVerdict(p, decision{}, false)
	case term.IsZero(opts):
		return none
	case opts.Kind == term.Struct && !opts.Open:
		d := decision{}
		for _, c := range fieldNamed(opts, "Preconditions").Alternatives() {
			d = worse(d, j.precondition(p, unboxed(c), none))
		}
		return d
	case opts.Kind == term.List && !opts.Open:
		for _, o := range opts.Args {
			if o := unboxed(o); o.Kind == term.Struct && strings.HasSuffix(o.Str, ".Preconditions") {
				return j.precondition(p, o, none)
			}
		}
		if len(opts.Args) == 0 {
			return none
		}
	case opts.Symbolic():
		return decision{verdict: waiting, guard: "unknown", reason: "the caller supplies the options of the deletion"}
	}
	return notInSight("the preconditions of the deletion are put together out of sight")
}

// precondition judges what a deletion demands: a UID or a resourceVersion.
func (j *judge) precondition(p *pair, c *term.Term, none decision) decision {
	switch {
	case term.IsZero(c):
		return none
	case c.Kind == term.Call && preconditionMakers[lastPart(c.Str)]:
		return j.casVerdict(p, decision{}, false)
	case c.Kind != term.Struct || c.Open:
		return notInSight("the preconditions of the deletion are put together out of sight")
	case term.IsZero(fieldNamed(c, "UID")) && term.IsZero(fieldNamed(c, "ResourceVersion")):
		return none
	}
	return j.casVerdict(p, decision{}, false)
}

// makers of preconditions in apimachinery.
var preconditionMakers = map[string]bool{
	"NewUIDPreconditions": true, "NewRVDeletionPrecondition": true, "NewPreconditionDeleteOptions": true,
}

// k8sApply judges a server-side apply. The server refuses it for the sake of other
// field managers, and every instance of a program is the same one.
func k8sApply(_ *judge, p *pair) decision {
	for _, a := range p.w.Args {
		o := unboxed(term.Settle(a))
		if o.Kind != term.Struct || !strings.HasSuffix(o.Str, ".ApplyOptions") {
			continue
		}
		if force := fieldNamed(o, "Force"); force.Kind == term.Const && force.Str == "true" && !p.w.Args[1].Any(appliesVersion) {
			return unconditional("Force takes the fields over from whoever owns them")
		}
	}
	return notInSight("a refusal is about the field manager, and an obsolete owner may have the same one")
}

// appliesVersion reports whether a configuration is given a resourceVersion.
func appliesVersion(t *term.Term) bool {
	return t.Kind == term.Call && lastPart(t.Str) == "WithResourceVersion"
}

func unconditional(reason string) decision {
	return decision{verdict: refuted, rule: "unfencedwrite", guard: "none", reason: reason}
}

func notInSight(reason string) decision {
	return decision{verdict: unproved, rule: "unprovedwrite", guard: "unknown", reason: reason}
}
