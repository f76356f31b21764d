package prove

import (
	"strings"

	"github.com/fencelint/fencelint/fence/mongo"
	"github.com/fencelint/fencelint/internal/term"
)

// mongoBulk judges the models of a bulk write, each with its own filter.
func mongoBulk(j *judge, p *pair) decision {
	in := j.at(j.models.FuncKey(p.w.Key).Sink.Input, p.w)
	if in == nil {
		return unreadable("mongo:?", j.callName(p.w), "the models are not an argument of the call", false)
	}
	in = j.widen(in)
	models, more, ok := gathered(in)
	models = append(models, more...)
	if !ok {
		return unreadable("mongo:"+j.collection(p.w.Recv), j.callName(p.w), "the models are put together out of sight", in.Symbolic())
	}
	d := decision{}
	for _, m := range models {
		for _, form := range m.Alternatives() {
			d = worse(d, j.mongoModel(p, form))
		}
	}
	if d.verdict == proved && d.guard != "create-once" && len(models)+len(more) > 1 {
		d.verdict = unproved
		d.reason += "; the answer holds the sum of all models, so that one refusal among them is heard only where the sum is compared"
	}
	return d
}

// bulkModel is one model while its parts are found.
type bulkModel struct {
	kind                    string
	filter, update, replace *term.Term
	upsert                  bool
}

// mongoModel judges one model: made by a function and setters, or written out.
func (j *judge) mongoModel(p *pair, t *term.Term) decision {
	m := bulkModel{}
	t = term.Settle(unboxed(t))
	if !m.built(t) && !m.written(t) {
		return unreadable("mongo:"+j.collection(p.w.Recv), j.callName(p.w), "a model that is not written out", t.Symbolic())
	}
	if m.kind == "InsertOne" {
		d := unconditional("the receiver takes every insert of a new key")
		d.receiver, d.shown = "mongo:"+j.collection(p.w.Recv), j.callName(p.w)
		return d
	}
	none := term.Nil
	update := m.update
	if m.kind == "ReplaceOne" {
		update = m.replace
	}
	if update == nil {
		update = none
	}
	if m.filter == nil {
		m.filter = none
	}
	w := mongo.Write{
		Collection: j.collection(p.w.Recv), Delete: strings.HasPrefix(m.kind, "Delete"), Replace: m.kind == "ReplaceOne", Upsert: m.upsert,
	}
	l := j.mongoWrite(w, m.filter, update)
	l.shown = j.callName(p.w)
	return j.loweredDecision(p, l)
}

// built reads NewUpdateOneModel().SetFilter(f).SetUpdate(u).
func (m *bulkModel) built(t *term.Term) bool {
	for t.Kind == term.Call && strings.Contains(t.Str, "mongo-driver/") {
		last := lastPart(t.Str)
		if kind, ok := strings.CutPrefix(last, "New"); ok && strings.HasSuffix(kind, "Model") {
			m.kind = strings.TrimSuffix(kind, "Model")
			return true
		}
		if len(t.Args) < 2 {
			return false
		}
		switch last {
		case "SetFilter":
			m.filter = either(m.filter, t.Args[1])
		case "SetUpdate":
			m.update = either(m.update, t.Args[1])
		case "SetReplacement":
			m.replace = either(m.replace, t.Args[1])
		case "SetUpsert":
			m.upsert = m.upsert || !(t.Args[1].Kind == term.Const && t.Args[1].Str == "false")
		case "SetHint", "SetCollation", "SetArrayFilters", "SetSort":
		default:
			return false
		}
		t = unboxed(t.Args[0])
	}
	return false
}

// either is the value that was set last, which is met first.
func either(last, before *term.Term) *term.Term {
	if last != nil {
		return last
	}
	return before
}

// written reads &mongo.UpdateOneModel{Filter: f, Update: u}.
func (m *bulkModel) written(t *term.Term) bool {
	kind, ok := strings.CutSuffix(lastPart(t.Str), "Model")
	if t.Kind != term.Struct || t.Open || !ok {
		return false
	}
	m.kind = kind
	m.filter, m.update, m.replace = fieldNamed(t, "Filter"), fieldNamed(t, "Update"), fieldNamed(t, "Replacement")
	m.upsert = !term.IsZero(fieldNamed(t, "Upsert"))
	return true
}
