package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

func init() {
	profiles["nats.revision"] = natsRevision
	profiles["nats.delete"] = natsDelete
	profiles["nats.stream"] = natsStream
}

// natsRevision judges a write to a bucket of NATS: an update compares the revision, a
// creation is taken once.
func natsRevision(j *judge, p *pair) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	if s.Method == "Create" {
		return createdOnce(j.at(s.Key, p.w), "only the first one creates the key")
	}
	d := decision{}
	if s.Version < 0 || s.Version >= len(p.w.Args) {
		return notInSight("the revision is not in sight")
	}
	for _, v := range term.Settle(p.w.Args[s.Version]).Alternatives() {
		if term.IsZero(unboxed(v)) {
			d = worse(d, createdOnce(j.at(s.Key, p.w), "only the first one creates the key"))
		} else {
			d = worse(d, j.casVerdict(p, decision{}, false))
		}
	}
	return d
}

// natsDelete judges a deletion by its options.
func natsDelete(j *judge, p *pair) decision {
	options, known := natsOptions(p)
	if options["LastRevision"] != nil {
		return j.casVerdict(p, decision{}, false)
	}
	if !known {
		return notInSight("the options of the deletion are not in sight")
	}
	return unconditional("the deletion demands no revision of the key")
}

// natsStream judges a message: the server may know it by its id, or expect it behind
// the last one that the publisher has seen.
func natsStream(j *judge, p *pair) decision {
	options, _ := natsOptions(p)
	d := effectDecision(j, p)
	if d.verdict == proved {
		return d
	}
	for _, name := range []string{"ExpectLastSequencePerSubject", "ExpectLastSequenceForSubject", "ExpectLastSequence"} {
		if seq := options[name]; seq != nil {
			return j.natsExpects(p, name, seq)
		}
	}
	return d
}

func (j *judge) natsExpects(p *pair, name string, seq *term.Term) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	switch {
	case strings.HasSuffix(s.Method, "Async"):
		return notInSight("the refusal comes to the future of the message, which is not followed")
	case name == "ExpectLastSequencePerSubject" && term.IsZero(seq):
		return createdOnce(j.at(s.Key, p.w), "only the first message of the subject is taken")
	}
	return j.casVerdict(p, decision{}, false)
}

// natsOptions are the first arguments of functional options by their names, without the
// word With; false if there may be others.
func natsOptions(p *pair) (map[string]*term.Term, bool) {
	out := map[string]*term.Term{}
	var options []*term.Term
	known := false
	for _, a := range p.w.Args {
		if a := term.Settle(a); a.Kind == term.List || a.Kind == term.Const && a.Typ == "nil" {
			options, known = elements(a)
		}
	}
	for _, o := range options {
		o = unboxed(o)
		if o.Kind != term.Call || !strings.Contains(o.Str, "/nats") {
			known = false
			continue
		}
		if len(o.Args) > 0 {
			out[strings.TrimPrefix(lastPart(o.Str), "With")] = unboxed(term.Settle(o.Args[0]))
		}
	}
	return out, known
}
