package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/fence/mongo"
	"github.com/fencelint/fencelint/internal/term"
)

// Stores that refuse what exists: the first one is accepted, whoever it is.

func init() {
	profiles["mongo.insert"] = mongoInsert
	profiles["redis.exists"] = redisExists
}

// mongoInsert judges an insert of documents by their ids, which are unique. A document
// without one is given a new one by the driver.
func mongoInsert(j *judge, p *pair) decision {
	if len(p.w.Args) < 2 {
		return notInSight("the document is not in sight")
	}
	docs := j.widen(p.w.Args[1]).Alternatives()
	if j.models.FuncKey(p.w.Key).Sink.Method == "InsertMany" {
		list := unboxed(term.Settle(p.w.Args[1]))
		if list.Kind != term.List || list.Open || len(list.Args) == 0 {
			return notInSight("the documents are put together out of sight")
		}
		docs = list.Args
	}
	d := decision{}
	for _, doc := range docs {
		d = worse(d, j.insertedDocument(p, doc))
	}
	if name := j.collection(p.w.Recv); name != "?" {
		d.receiver, d.resource = "mongo:"+name, "mongo:"+name
	}
	return d
}

func (j *judge) insertedDocument(p *pair, doc *term.Term) decision {
	c := &documents{terms: map[fence.Arg]*term.Term{}, name: j.bsonName, fields: j.fieldNames}
	v := c.value(doc)
	if v.Kind != mongo.Document {
		d := notInSight("the document is put together out of sight")
		if doc.Symbolic() {
			d.verdict, d.rule = waiting, ""
		}
		return d
	}
	i := slices.IndexFunc(v.Doc, func(f mongo.Field) bool { return f.Name == "_id" })
	if i < 0 {
		if j.readBefore(p, j.models.FuncKey(p.w.Key).Sink) {
			return decision{verdict: refuted, rule: "checkthenact", guard: "none", reason: readBefore}
		}
		return unconditional("the document names no _id, so that it is given a new one each time")
	}
	return createdOnce(c.terms[v.Doc[i].Value.Arg], "only the first one creates the document")
}

// redisExists judges a command that writes only where there is nothing yet, or something.
func redisExists(j *judge, p *pair) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	key := j.at(s.Key, p.w)
	switch s.Method {
	case "HSetNX":
		return createdOnce(key, "only the first one sets the field")
	case "SetNX":
		if len(p.w.Args) < 4 {
			return notInSight("the command is put together out of sight")
		}
		if ttl := unboxed(term.Settle(p.w.Args[3])); term.IsZero(ttl) {
			return createdOnce(key, "only the first one creates the key")
		} else if ttl.Symbolic() {
			return decision{verdict: waiting, guard: "unknown", reason: "the caller says whether the key expires"}
		}
		return unconditional("only the first one creates the key, but the key expires, and after that it is accepted anew")
	case "SetXX":
		return unconditional("it is refused only where there is no key")
	}
	return notSeen("conditions of this receiver are not read")
}
