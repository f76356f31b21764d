package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

func init() {
	profiles["es.version"] = elasticDecision
	profiles["es.response"] = elasticDecision
	profiles["es.items"] = elasticItems
	profiles["es.query"] = func(*judge, *pair) decision {
		return notSeen("the query that chooses the documents is not read")
	}
}

// document is a request of Elasticsearch about one document.
type document struct {
	verb   string                // index, create, update, delete
	params map[string]*term.Term // by the name of the parameter
	hidden *term.Term            // a part of the request that is not known
	items  bool                  // of a bulk request: the refusal comes to a function
}

// elasticDecision judges a request about one document by the version that it demands.
func elasticDecision(j *judge, p *pair) decision {
	d := decision{}
	for _, doc := range j.documents(p) {
		d = worse(d, j.documentDecision(p, &doc))
	}
	return d
}

// documents are the forms that the request of a call can have.
func (j *judge) documents(p *pair) []document {
	s := j.models.FuncKey(p.w.Key).Sink
	switch s.Kind {
	case "struct_receiver":
		verb, _, _ := strings.Cut(s.Recv, "Request")
		return requestForms(strings.ToLower(verb), p.w.Recv)
	case "struct_input":
		return []document{optionForm(p.w, strings.ToLower(s.Method), s.Input.Index)}
	}
	return chainForms(strings.ToLower(strings.TrimSuffix(s.Recv, "Service")), p.w)
}

// requestForms are the forms of a request that is a struct.
func requestForms(verb string, in *term.Term) []document {
	if in == nil {
		in = term.NewUnknown("")
	}
	var out []document
	for _, a := range term.Settle(in).Alternatives() {
		a = unboxed(a)
		doc := document{verb: verb, params: map[string]*term.Term{}}
		if a.Kind != term.Struct || a.Open {
			doc.hidden = a
		}
		for i, n := range a.Names {
			if v := a.Args[i]; doc.hidden == nil && !(v.Equal(term.Nil) || v.Kind == term.Const && v.Typ == "zero") {
				doc.params[lastPart(n)] = v
			}
		}
		out = append(out, doc)
	}
	return out
}

// optionForm is a request whose parameters are functional options.
func optionForm(w *flow.Event, verb string, first int) document {
	doc := document{verb: verb, params: map[string]*term.Term{}}
	if verb != "index" && len(w.Args) > 1 {
		doc.params["DocumentID"] = w.Args[1]
	}
	if verb == "update" && len(w.Args) > 2 {
		doc.params["Body"] = w.Args[2]
	}
	if first >= len(w.Args) {
		return doc
	}
	options, known := elements(term.Settle(w.Args[first]))
	if !known {
		doc.hidden = w.Args[first]
	}
	for _, o := range options {
		name, found := strings.CutPrefix(lastPart(o.Str), "With")
		if o.Kind != term.Call || !found || len(o.Args) == 0 {
			doc.hidden = o
			continue
		}
		doc.params[name] = o.Args[len(o.Args)-1]
	}
	return doc
}

// chainForms are the forms of a request that is built step by step.
func chainForms(verb string, w *flow.Event) []document {
	recv := w.Recv
	if recv == nil {
		recv = term.NewUnknown("")
	}
	forms, roots := chains(recv, pathOf(w.Key))
	out := make([]document, len(forms))
	for i, steps := range forms {
		doc := document{verb: verb, params: map[string]*term.Term{}}
		begun := slices.ContainsFunc(steps, func(st step) bool { return begins(st, verb) })
		if !begun {
			doc.hidden = roots[i]
			if doc.hidden == nil {
				doc.hidden = term.NewUnknown("")
			}
		}
		for _, st := range steps {
			switch {
			case begins(st, verb) && len(st.args) > 1:
				doc.params["DocumentID"] = st.args[1]
			case !begins(st, verb) && len(st.args) > 0:
				doc.params[st.name] = st.args[0]
			}
		}
		out[i] = doc
	}
	return out
}

// begins reports whether a step makes the request: Client.Index of one library,
// NewIndex of another.
func begins(st step, verb string) bool {
	name := strings.ToLower(st.name)
	return name == "new"+verb || name == "new"+verb+"service" || name == verb && strings.HasSuffix(st.key, ".Client."+st.name)
}

func (d *document) get(names ...string) *term.Term {
	for _, n := range names {
		if v := d.params[n]; v != nil {
			return pointee(v)
		}
	}
	return nil
}

func (j *judge) documentDecision(p *pair, doc *document) decision {
	if doc.hidden != nil {
		d := notSeen("the request is put together out of sight")
		if doc.hidden.Symbolic() {
			d.verdict = waiting
		}
		return d
	}
	version, seq, primary := doc.get("Version"), doc.get("IfSeqNo"), doc.get("IfPrimaryTerm")
	opType, _ := term.StringValue(orZero(nameOf(doc.get("OpType"))))
	switch {
	case strings.EqualFold(doc.verb, "create"), strings.EqualFold(opType, "create"):
		return elasticCreate(doc)
	case isAbsent(version) && isAbsent(seq) && isAbsent(primary):
		return j.elasticPlain(p, doc)
	case version != nil:
		return j.elasticVersion(p, doc, version)
	case seq == nil || primary == nil:
		return notInSight("a sequence number counts only together with a primary term")
	}
	return j.casVerdict(p, decision{}, false)
}

// isAbsent reports whether a parameter is not set on some way.
func isAbsent(t *term.Term) bool {
	return t == nil || slices.ContainsFunc(t.Alternatives(), func(a *term.Term) bool { return a.Equal(term.Nil) })
}

// elasticCreate judges a document that is taken only if there is none of its id.
func elasticCreate(doc *document) decision {
	id := doc.get("DocumentID", "Id")
	if id == nil {
		return unconditional("the server gives each document an id of its own, so that none is refused")
	}
	return createdOnce(id, "only the first one creates the document")
}

// elasticPlain judges a request that demands no version.
func (j *judge) elasticPlain(p *pair, doc *document) decision {
	if doc.verb == "update" && scripted(doc) {
		return notSeen("what the script compares is not read")
	}
	d := unconditional("the request demands no version of the document")
	if j.readBefore(p, j.models.FuncKey(p.w.Key).Sink) {
		d.rule, d.reason = "checkthenact", "the decision rests on a value that was read before, and the request demands no version of the document"
	}
	return d
}

// scripted reports whether an update may run a script.
func scripted(doc *document) bool {
	if doc.get("Script") != nil {
		return true
	}
	body := doc.get("Body", "Request", "Raw")
	if body == nil {
		return false
	}
	body = readFrom(body)
	if body.Kind == term.Struct && !body.Open {
		return !term.IsZero(fieldNamed(body, "Script"))
	}
	xs := texts(body)
	return len(xs) != 1 || xs[0].none != "" || len(xs[0].holes) > 0 || strings.Contains(xs[0].s, `"script"`)
}

// readFrom is what a reader reads, where a function of the standard library made it.
func readFrom(t *term.Term) *term.Term {
	t = unboxed(term.Settle(t))
	if t.Kind != term.Call || len(t.Args) != 1 {
		return t
	}
	switch t.Str {
	case "strings.NewReader", "bytes.NewReader", "bytes.NewBuffer", "bytes.NewBufferString":
		return unboxed(term.Settle(t.Args[0]))
	}
	return t
}

// elasticVersion judges a version that the program gives: the server compares it with
// that of the document and stores it.
func (j *judge) elasticVersion(p *pair, doc *document, version *term.Term) decision {
	d := decision{}
	for _, typ := range orZero(nameOf(doc.get("VersionType"))).Alternatives() {
		d = worse(d, j.elasticOrder(p, doc, version, nameOf(typ)))
	}
	return d
}

func (j *judge) elasticOrder(p *pair, doc *document, version, typ *term.Term) decision {
	name, known := term.StringValue(typ)
	switch name = strings.ToLower(name); {
	case !known && typ.Symbolic():
		return decision{verdict: waiting, rule: "unprovedwrite", guard: "unknown", reason: "the caller says how versions are compared"}
	case !known:
		return notInSight("how versions are compared is not known")
	case name == "", name == "internal":
		return j.casVerdict(p, decision{}, false)
	case name == "external", name == "externalgt", name == "external_gt":
		return j.elasticFence(p, doc, version, fence.LT)
	case name == "externalgte", name == "external_gte":
		return j.elasticFence(p, doc, version, fence.LE)
	}
	return unconditional("versions of type " + name + " are not compared")
}

// nameOf is the text of a word that is a struct with a name, or a variable of the
// library that holds one.
func nameOf(t *term.Term) *term.Term {
	if t == nil {
		return nil
	}
	t = unboxed(t)
	switch {
	case t.Kind == term.Global && strings.Contains(t.Str, "/enums/"):
		return term.NewString(lastPart(t.Str))
	case t.Kind == term.Struct && strings.Contains(t.Str, "/enums/"):
		return fieldNamed(t, "Name")
	}
	return t
}

// documentVersion is the version of a document, as a column.
const documentVersion = "_version"

func (j *judge) elasticFence(p *pair, doc *document, version *term.Term, op fence.Op) decision {
	const arg, content = fence.Arg("version"), fence.Arg("content")
	m := &fence.Mutation{
		Kind: fence.Replace, Resource: "elasticsearch", Semantics: fence.MissingFalse, InsertPath: fence.Open,
		Guard: fence.Cmp{Op: op, L: fence.Stored{Column: documentVersion}, R: fence.Input{Arg: arg}},
		Set:   []fence.Assign{{Column: documentVersion, Value: fence.Input{Arg: arg}}, {Column: "_source", Value: fence.Input{Arg: content}}},
	}
	if doc.verb == "delete" {
		m.Kind, m.InsertPath = fence.Update, fence.Closed // a mark of the deletion keeps the version for a while
	}
	if doc.items {
		p = heardElsewhere(p)
	}
	value := func(a fence.Arg) *term.Term {
		if a == content {
			return term.NewUnknown("the content of the document")
		}
		return number(version)
	}
	l := &lowered{mutation: m, shown: j.callName(p.w), value: value}
	d := j.loweredDecision(p, l)
	d.receiver, d.resource = "", ""
	if doc.verb == "delete" && d.verdict == proved {
		return notInSight("the version of a deleted document is forgotten after index.gc_deletes, and an older epoch then makes it anew")
	}
	return d
}

// heardElsewhere is the pair with a refusal that a function of the program is told.
func heardElsewhere(p *pair) *pair {
	w := *p.w
	w.Outcomes = []flow.Outcome{{Observed: true}}
	q := *p
	q.w = &w
	return &q
}

// elasticItems judges an item of a bulk request. Those of requests that are sent as
// text, or gathered in a list, are not read.
func elasticItems(j *judge, p *pair) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	if s.Recv != "BulkIndexer" {
		return notSeen("the items of the request are not read")
	}
	d := decision{}
	for _, doc := range requestForms("", j.at(s.Input, p.w)) {
		action := doc.get("Action")
		doc.verb, _ = term.StringValue(orZero(action))
		doc.items = true
		switch item := j.documentDecision(p, &doc); {
		case doc.hidden != nil || doc.verb == "":
			d = worse(d, notSeen("the item is put together out of sight"))
		case item.verdict == refuted && item.guard == "none" || item.guard == "create-once":
			d = worse(d, item)
		case doc.get("OnFailure") == nil:
			d = worse(d, notInSight("the refusal of an item comes to its OnFailure, which is not set"))
		default:
			d = worse(d, item)
		}
	}
	return d
}
