package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() {
	boundaries["external"] = effectDecision
	boundaries["queue"] = effectDecision
}

// effectDecision judges what leaves for a system that knows nothing of the lock:
// all that it can do is to know a repetition by its key.
func effectDecision(j *judge, p *pair) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	d := decision{receiver: s.Boundary + ":" + s.Lib, guard: "none", shown: j.callOf(p.w)}
	method := p.w.Effect(flow.EffectMethod)
	if j.onlyReads(s, p.w, method) {
		return decision{}
	}
	key := p.w.Effect(flow.EffectKey)
	k := j.stability(key)
	d = keyDecision(d, k, s)
	if e := j.failedAttempt(p, key); e != nil && k.is != absent {
		return j.againUnderOtherKey(d, e)
	}
	if d.rule == "" {
		return d
	}
	if c, ok := j.conditional(p); ok {
		c.receiver, c.shown = d.receiver, d.shown
		return c
	}
	if t := j.sentToken(p); t != "" {
		d.verdict, d.rule, d.guard = refuted, "unenforcedheader", "none"
		d.reason = "it sends " + t + " of the lock, and nothing says that the receiver compares it"
		return d
	}
	if d.verdict == refuted {
		d = j.fencedLater(p, d)
	}
	if method != nil && method.Symbolic() && k.is != fleeting && methodOf(method) == "" {
		d.verdict = waiting // it may be a read
	}
	return d
}

// processDecision judges the start of a process: it is an effect on another system
// as far as anybody can see from here.
func processDecision(j *judge, p *pair) decision {
	d := j.opaqueCall(p, "external:process", "what the process that it starts writes is not seen")
	d.rule = "unprovedwrite"
	return d
}

// effects looks at a decided boundary for what else it means beside an effect on
// another system, and for what the class of the lock demands.
func (j *judge) effects(p *pair, d decision) decision {
	switch p.class().Class {
	case "efficiency":
		j.efficiency(p, d)
	case "correctness":
		d = j.recordsFailure(p, d)
		j.correctness(p, d)
	}
	return d
}

// keyDecision is the verdict that follows from the key alone.
func keyDecision(d decision, k keyed, s *model.Sink) decision {
	switch k.is {
	case stable:
		d.verdict, d.guard = proved, "idempotency-key"
		d.reason = "its key is the same for each attempt and each owner; that the receiver honours it is assumed"
	case supplied:
		d.verdict, d.guard, d.reason = waiting, "unknown", "the caller supplies the idempotency key"
	case hazy:
		d.verdict, d.rule, d.guard = unproved, "unprovedwrite", "unknown"
		d.reason = "the idempotency key is " + k.why
	case fleeting:
		d.verdict, d.rule, d.reason = refuted, "unstableidempotency", "its key is "+k.why
	default:
		d.verdict, d.rule, d.reason = refuted, "missingidempotency", noKey(s)
	}
	return d
}

// noKey says why there is no key.
func noKey(s *model.Sink) string {
	switch {
	case s != nil && s.Random:
		return "it sets no idempotency key, so the client draws a new one for each call"
	case s != nil && s.IdemKey+s.Dedupe == "":
		return "it has no idempotency key, and no place for one"
	}
	return "it carries no idempotency key"
}

// callOf names the call that leaves the process, and the one through which this
// function reaches it.
func (j *judge) callOf(w *flow.Event) string {
	first, last := w.Chain[0], w.Chain[len(w.Chain)-1]
	name := j.callName(w)
	if last.Pos.IsValid() {
		name = "the call of " + j.exprAt(last, w.Key)
	}
	if len(w.Chain) > 1 && first.Pos.IsValid() {
		return name + ", by way of " + j.stepName(first) + ","
	}
	return name
}

// onlyReads reports whether a request has a method that changes nothing.
func (j *judge) onlyReads(s *model.Sink, w *flow.Event, method *term.Term) bool {
	if s.Dialect == "http-method" && s.Stmt >= 0 && s.Stmt < len(w.Args) {
		method = w.Args[s.Stmt]
	}
	if s.Dialect == "grpc-method" && s.Stmt >= 0 && s.Stmt < len(w.Args) {
		return readsByName(w.Args[s.Stmt])
	}
	if method == nil {
		return false
	}
	return slices.Contains(readMethods, methodOf(method))
}

// readsByName reports whether the method of a remote procedure, /package.Service/Method,
// is one of the standard methods that have no effect (AIP-131, 132, 231).
func readsByName(t *term.Term) bool {
	name, ok := term.StringValue(t)
	name = name[strings.LastIndexByte(name, '/')+1:]
	return ok && slices.ContainsFunc([]string{"Get", "List", "BatchGet"}, func(verb string) bool {
		rest, found := strings.CutPrefix(name, verb)
		return found && (rest == "" || 'A' <= rest[0] && rest[0] <= 'Z')
	})
}

var readMethods = []string{"GET", "HEAD", "OPTIONS", "TRACE"}

// methodOf is the method of a request if all ways to it have one that only reads,
// or else the first; "" if it is not known. An empty method means GET.
func methodOf(t *term.Term) string {
	found := ""
	for _, a := range t.Alternatives() {
		a = requestMethod(a)
		m, ok := term.StringValue(a)
		if !ok {
			return ""
		}
		if m = strings.ToUpper(m); m == "" {
			m = "GET"
		}
		if found == "" || !slices.Contains(readMethods, m) {
			found = m
		}
	}
	return found
}

// requestMethod finds the method where the request was made.
func requestMethod(t *term.Term) *term.Term {
	if t.Kind != term.Field || t.Args[0].Kind != term.Call {
		return term.Settle(t)
	}
	switch c := t.Args[0]; {
	case c.Str == "net/http.NewRequest" && len(c.Args) > 0:
		return c.Args[0]
	case c.Str == "net/http.NewRequestWithContext" && len(c.Args) > 1:
		return c.Args[1]
	}
	return t
}

// sentToken names the fencing token that goes along, "" if none does. A token that
// is the key is judged as a key.
func (j *judge) sentToken(p *pair) string {
	parts := slices.Clone(p.w.Args)
	if t := p.w.Effect(flow.EffectSent); t != nil {
		parts[len(parts)-1] = t
	} else if p.w.Effect(flow.EffectKey) != nil {
		parts = parts[:len(parts)-1]
	}
	key := p.w.Effect(flow.EffectKey)
	for _, t := range parts {
		if key != nil && key.Kind != term.Const {
			t = term.Replace(t, key, term.Nil)
		}
		if name := j.tokenIn(t); name != "" {
			return name
		}
	}
	return ""
}

// tokenIn names the epoch inside a term; fields that are keys are left out.
func (j *judge) tokenIn(t *term.Term) string {
	if t.Kind == term.Call && t.Str == flow.HeaderBy {
		if t = j.a.SentBy(t.Args[0]); t == nil || t.Any(func(u *term.Term) bool { return u.Str == flow.HeaderBy }) {
			return ""
		}
	}
	if t.Kind == term.Call || t.Kind == term.Field {
		for _, o := range j.tokenOrigins(t) {
			if o.class == epoch || o.class == epochReread || o.class == volatile {
				return o.text
			}
		}
	}
	for i, a := range t.Args {
		if i < len(t.Names) && strings.Contains(t.Names[i], "IdempotencyKey") {
			continue
		}
		if name := j.tokenIn(a); name != "" {
			return name
		}
	}
	return ""
}

// tokenOrigins is the origin of a term that is itself what a lock gives out, with
// the accessor for a text.
func (j *judge) tokenOrigins(t *term.Term) []origin {
	o, ok := j.token(t)
	if !ok && t.Kind == term.Field {
		o, ok = j.modelField(t)
		o.record = nil
	}
	if !ok {
		return nil
	}
	switch {
	case t.Kind != term.Field:
		o.text = lastPart(t.Str) + "()"
	case o.record != nil || o.grant != nil:
		o.text = lastPart(t.Args[0].Str) + "()." + lastPart(t.Str)
	default:
		o.text = lastPart(t.Str)
	}
	return one(o)
}

// declaredKey judges a boundary whose directive names a parameter by which the
// receiver knows repetitions.
func (j *judge) declaredKey(p *pair, d decision) decision {
	k := j.stability(p.w.Args[p.w.Decl.Idempotency])
	d.reason = "declared: the receiver knows repetitions by their key"
	if k.is == stable {
		d.verdict, d.guard = proved, "idempotency-key"
		return d
	}
	return keyDecision(d, k, nil)
}

// external reports whether a boundary is at another system: by its model or by
// its directive.
func (j *judge) external(w *flow.Event) bool {
	if w.Decl != nil {
		return w.Decl.Kind == "external"
	}
	c := j.models.FuncKey(w.Key)
	return c != nil && c.Sink != nil && strings.Contains(c.Sink.Boundary, "external")
}

// atOther reports whether a boundary is at another system or a queue.
func (j *judge) atOther(w *flow.Event) bool {
	return j.external(w) || w.Effect(flow.EffectKey) != nil || w.Decl != nil && w.Decl.Kind == "queue"
}
