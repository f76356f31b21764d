package prove

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// dynamic judges a call of an unknown target in a hold: by the implementations
// that this package makes of the interface, and as an obligation for the others.
func (j *judge) dynamic(p *pair) {
	if p.w.Dyn.Iface == "" || p.w.Dyn.Method == "" {
		if j.supplied(p) || p.w.Dyn.Results == flow.Cancels {
			return
		}
		j.record(p, j.opaqueCall(p, "?", "who supplies the function decides"))
		return
	}
	if j.a.OthersCall(p.w) {
		j.record(p, j.opaqueCall(p, "interface:"+shortKey(p.w.Dyn.Iface), "who supplies the "+shortKey(p.w.Dyn.Iface)+" decides"))
		return
	}
	if src := p.w.Source(); src != nil && p.acq.Source() != nil && p.acq.SameCall(p.w) && src.OpenFor(p.acq.Source()) && !inLiteral(src.Chain[0].Func) {
		j.asSupplied(p)
		return
	}
	o := &flow.Obligation{
		ID:   strings.Join([]string{plainName(p.sum.ID), p.acq.Key, p.w.Key, p.w.Site}, "|"),
		Hold: p.acq, Call: p.w,
	}
	for _, a := range j.set.AcceptsOn(p.w.Chain[0].Pos) {
		a.Use()
		o.Accepts = append(o.Accepts, flow.Accept{Rule: a.Rule, Reason: a.Reason, Compensation: a.Compensation, Until: a.Until, Owner: a.Owner})
	}
	j.throughTypes(p, o)
	if o.Waits {
		p.w.Open = append(p.w.Open, p.acq) // judged again as callers call it
	}
	slices.Sort(o.Done)
	o.Done = slices.Compact(o.Done)
	if len(o.Done) == 0 && mayWrite(p.w) && !flow.GivesBack(p.w, p.acq) {
		j.record(p, j.unimplemented(p))
		o.Harmless = j.harmless(o)
	}
	j.duties = append(j.duties, o)
}

// telling names the interfaces by which a program talks about itself, and whose
// methods give nothing back: logs and metrics are no effects.
var telling = pattern.New(`(^|[a-z])([lL]og|[lL]ogger|[lL]ogging|[mM]etrics?|[tT]racer|[mM]eter|[cC]ounter|[gG]auge|[hH]istogram|[sS]tats|[tT]elemetry)$`)

// tells names the methods by which a program writes its log, whatever the interface is
// called.
var tells = pattern.New(`^(Debug|Info|Warn|Warning|Error|Print|Trace|Log|Notice)(f|ln|w|Context)?$`)

// mayWrite leaves out calls that do nothing outside the process: those that only ask a
// value for another, and those by which a program talks about itself.
func mayWrite(w *flow.Event) bool {
	switch nothing := w.Dyn.Results == "()" || w.Dyn.Results == ""; {
	case nothing:
		return !telling.MatchString(w.Dyn.Iface[strings.LastIndexByte(w.Dyn.Iface, '.')+1:]) && !tells.MatchString(w.Dyn.Method)
	case strings.Contains(w.Dyn.Results, "error"):
		return true
	}
	return len(w.Args) > 0
}

// opaqueCall is the decision about a call of which it is not known what it does. What the
// lock issued stops an obsolete owner only where it gets to: a call on something that was
// there before, and is given nothing of the lock, has no guard by it.
func (j *judge) opaqueCall(p *pair, receiver, reason string) decision {
	d := decision{verdict: unproved, guard: "unknown", receiver: receiver, reason: reason}
	if !j.handedGrant(p) {
		d.guard, d.reason = "none", reason+", and it is handed nothing that the lock issued"
	}
	return d
}

// handedGrant reports whether a call gets at what the acquisition gave: by an argument, or
// by the object that it is made on.
func (j *judge) handedGrant(p *pair) bool {
	a := p.acq
	if p.w.Recv == nil || p.w.Recv.Lost() || a.Recv != nil && p.w.Recv.Equal(a.Recv) {
		return true
	}
	l := j.entry(a)
	issues, ofStatement := l == nil || l.Token.Class != "none", j.statementLock(a) != nil
	of := func(u *term.Term) bool {
		if ofStatement && a.Hold.Handle != nil && u.Equal(a.Hold.Handle) {
			return true // the connection
		}
		switch u.Kind {
		case term.Unknown:
			return issues
		case term.Call:
			if ofStatement {
				return false // what is called like the lock's call need not be that
			}
			return u.Str == a.Key || u.Str == flow.DynPrefix+a.Key || a.Hold.Handle != nil && u.Equal(a.Hold.Handle)
		}
		return false
	}
	return p.w.Recv.Any(of) || slices.ContainsFunc(p.w.Args, func(t *term.Term) bool { return t != nil && t.Any(of) })
}

// conversionsTo lists where this package makes values of the interface, or has them
// made by a constructor, without tests.
func (j *judge) conversionsTo(iface string) []flow.Conversion {
	out := slices.DeleteFunc(j.a.ConversionsTo(iface), func(c flow.Conversion) bool { return c.Test })
	slices.SortStableFunc(out, func(a, b flow.Conversion) int { return cmp.Compare(a.Pos, b.Pos) })
	return out
}

// possible are the types that imported packages made into the interface. Which of
// them is meant is not known; they count only where no type was found before.
func (j *judge) possible(iface string, done []string) []flow.Conversion {
	if len(done) > 0 {
		return nil
	}
	var out []flow.Conversion
	for _, c := range j.a.Imported.Conversions {
		same := func(o flow.Conversion) bool { return o.Type == c.Type }
		if c.Iface == iface && !slices.ContainsFunc(out, same) && !j.onlyForTests(typesPackage(c.Type)) {
			out = append(out, c)
		}
	}
	return out
}

// discharge judges an obligation for one concrete type: the type's method runs
// where the interface's was called.
func (j *judge) discharge(o *flow.Obligation, c flow.Conversion, report func(*pair, decision)) {
	j.implementedIn(o, o.Call, c, make(map[string]bool), 0, visitor{func(w *flow.Event, done []flow.Conversion) { j.handOn(o, w, done) }, func(q *pair, d decision) {
		o.Waits = o.Waits || d.verdict == waiting
		j.record(q, d)
		if d.rule != "" && d.verdict != waiting && q.class().Class == "correctness" && !accepted(o, d.rule) && !saidOfClaim(q.acq, d) {
			report(q, d)
		}
	}})
}

// handedOn is put between the name of an obligation and that of the call that it became.
const handedOn = "||"

// handOn makes an obligation of a call through an interface by what was chosen for another
// one: what it means may come to light in a package that knows more types.
func (j *judge) handOn(o *flow.Obligation, w *flow.Event, done []flow.Conversion) {
	if l := o.Hold.Hold.Lock; l != nil && l.Class != "correctness" || flow.TheOne(w.Recv) != nil || !mayWrite(w) || endsSomething(w) || j.a.OthersCall(w) {
		return
	}
	root, _, _ := strings.Cut(o.ID, handedOn)
	id := root + handedOn + w.Key + "|" + lastPlace(w).String()
	if o.ID == "" || j.handed[id] {
		return
	}
	if j.handed == nil {
		j.handed = make(map[string]bool)
	}
	j.handed[id] = true
	next := &flow.Obligation{ID: id, Hold: o.Hold, Call: w, Accepts: o.Accepts}
	for _, c := range done {
		next.Done = append(next.Done, c.Type)
	}
	slices.Sort(next.Done)
	next.Done = slices.Compact(next.Done)
	if p := (&pair{sum: &flow.Summary{ID: o.Call.Chain[0].Func}, acq: o.Hold, w: w}); len(done) == 0 {
		j.record(p, j.unimplemented(p))
		next.Harmless = j.harmless(next)
	}
	j.duties = append(j.duties, next)
}

// visitor is told what a type's method does in place of an interface's: its writes, and its
// calls through further interfaces with the types that were found for them.
type visitor struct {
	calls  func(*flow.Event, []flow.Conversion)
	writes func(*pair, decision)
}

// implemented visits what a type's method writes where the interface's was called, and
// what that calls through interfaces in turn, each call once for a type.
func (j *judge) implemented(o *flow.Obligation, c flow.Conversion, visit func(*pair, decision)) {
	j.implementedIn(o, o.Call, c, make(map[string]bool), 0, visitor{writes: visit})
}

func (j *judge) implementedIn(o *flow.Obligation, call *flow.Event, c flow.Conversion, seen map[string]bool, depth int, v visitor) {
	done := j.a.Implement(o.Hold, call, c)
	for _, w := range done {
		if w.Kind == flow.Dyn && depth < maxNested && w.Dyn.Iface != "" && w.Dyn.Method != "" {
			ts := j.typesOf(w)
			for _, t := range ts {
				if k := w.Key + "|" + w.Site + "|" + t.Type; t.Type != c.Type && !seen[k] {
					seen[k] = true
					j.implementedIn(o, w, t, seen, depth+1, v)
				}
			}
			if v.calls != nil {
				v.calls(w, ts)
			}
			continue
		}
		if w.Kind != flow.Write || slices.ContainsFunc(done, func(e *flow.Event) bool { return j.takesBy(e, w) }) {
			continue
		}
		q := &pair{sum: &flow.Summary{ID: call.Chain[0].Func}, acq: o.Hold, w: w}
		j.implementing = append(j.implementing, w)
		if d := j.decide(q); d.verdict != silent {
			v.writes(q, d)
		}
	}
}

// typesOf are the types that a call through an interface can mean: the one that the
// receiver is known to have, else those that this package or one that it imports
// makes into the interface.
func (j *judge) typesOf(w *flow.Event) []flow.Conversion {
	if one := flow.TheOne(w.Recv); one != nil {
		return []flow.Conversion{{Type: one.Str, Iface: w.Dyn.Iface, Value: one.Args[0]}}
	}
	out := j.conversionsOf(w.Dyn)
	for _, c := range j.possibleOf(w.Dyn, nil) {
		if !slices.ContainsFunc(out, func(o flow.Conversion) bool { return o.Type == c.Type }) {
			out = append(out, c)
		}
	}
	return out
}

func accepted(o *flow.Obligation, rule string) bool {
	return slices.ContainsFunc(o.Accepts, func(a flow.Accept) bool { return a.Rule == rule })
}

// reportHere reports at the call in the acquirer, as for any other call.
func (j *judge) reportHere(p, q *pair, d decision) {
	q.sum = p.sum
	j.report(q, d)
}

// conversions discharges the obligations of imported packages at the places of
// this one where concrete types become the interface.
func (j *judge) conversions() {
	for _, o := range j.late {
		j.dischargeAll(o, j.conversionsOf(o.Call.Dyn))
		if j.closes() || o.Call.Chain[0].Pos.IsValid() {
			j.dischargeAll(o, j.possibleOf(o.Call.Dyn, o.Done))
		}
	}
	ids := make([]string, 0, len(j.a.Imported.Obligations))
	for id := range j.a.Imported.Obligations {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		o := j.a.Imported.Obligations[id]
		if j.onlyForTests(o.Call.Chain[0].Place.Pkg) {
			continue
		}
		j.dischargeAll(o, j.conversionsOf(o.Call.Dyn))
		if j.closes() {
			j.dischargeAll(o, j.possibleOf(o.Call.Dyn, o.Done))
		}
		j.duties = append(j.duties, o)
	}
}

// dischargeAll judges an obligation for each type that was not judged where it was
// converted first, in a package that this one imports.
func (j *judge) dischargeAll(o *flow.Obligation, cs []flow.Conversion) {
	done := slices.Clone(o.Done)
	for _, c := range j.madeFor(o, cs) {
		if !slices.Contains(o.Done, c.Type) {
			done = append(done, c.Type)
			j.discharge(o, c, func(q *pair, d decision) { j.reportAt(j.standsAt(c, q), q, d) })
		}
	}
	if len(done) > len(o.Done) {
		j.settled(o)
	}
	slices.Sort(done)
	o.Done = slices.Compact(done)
}

// settled notes in the register that the call's implementation came to light.
func (j *judge) settled(o *flow.Obligation) {
	if row := j.rowOf(&pair{acq: o.Hold, w: o.Call}); row != nil {
		row.Settled = append(row.Settled, o.Call.Chain[len(o.Call.Chain)-1].Place)
	}
}

// reportAt reports an obligation at the conversion that discharges it.
func (j *judge) reportAt(pos token.Pos, q *pair, d decision) {
	related := j.related(q)
	last := q.w.Chain[len(q.w.Chain)-1]
	if len(q.w.Chain) == 1 {
		related = append(related, Related{Place: last.Place, Pos: last.Pos, Message: leavesHere})
	}
	j.add(Finding{
		Rule: d.rule, Pos: pos, End: j.endOf(pos), Message: j.message(pos, q, d), Related: related,
		Key: strings.Join([]string{d.rule, plainName(q.sum.ID), q.acq.Key, d.receiver, d.shown}, "|"),
	})
}

// closes reports whether open obligations are judged in this package: nothing
// imports it, or it says so.
func (j *judge) closes() bool { return j.u.Pkg.Name() == "main" || len(j.set.On("", "root")) > 0 }

// closeMain reports the obligations for which a whole program has no
// implementation: one finding for each method, at the package clause.
func (j *judge) closeMain() {
	if !j.closes() {
		return
	}
	seen := make(map[string]bool)
	for _, o := range j.duties {
		if len(o.Done) == 0 && (o.Harmless || j.harmless(o)) {
			j.settled(o)
		}
		if seen[o.Call.Key] || !unanswered(o) {
			continue
		}
		reason := "the program has no visible implementation of " + shortKey(o.Call.Dyn.Iface) + "; put //fencelint:writes on its method " + o.Call.Dyn.Method
		if types, known := j.implementers(o.Call.Dyn); !known {
			continue
		} else if len(types) > 0 {
			t := j.writerAmong(types, o)
			if t == "" {
				continue
			}
			reason = "nothing is seen to choose what implements " + shortKey(o.Call.Dyn.Iface) + ", and " + shortKey(t) + ", which writes, does"
		} else if strings.Contains(o.ID, handedOn) {
			continue // behind an interface that has something: it is in the register
		}
		seen[o.Call.Key] = true
		pos := j.clause()
		q := &pair{sum: &flow.Summary{ID: o.Call.Chain[0].Func}, acq: o.Hold, w: o.Call}
		d := decision{
			rule: "unprovedwrite", verdict: unproved, receiver: "interface:" + shortKey(o.Call.Dyn.Iface), shown: "the call of " + shortKey(o.Call.Key),
			reason: reason,
		}
		last := o.Call.Chain[len(o.Call.Chain)-1]
		j.add(Finding{
			Rule: d.rule, Pos: pos, End: pos + token.Pos(len("package")), Message: j.message(pos, q, d),
			Related: append(j.related(q), Related{Place: last.Place, Pos: last.Pos, Message: "the interface is called here"}),
			Key:     strings.Join([]string{d.rule, plainName(q.sum.ID), q.acq.Key, d.receiver}, "|"),
		})
	}
}

// unanswered reports whether a call in the hold of a correctness lock may write, and nothing
// was found or decided that answers for it.
func unanswered(o *flow.Obligation) bool {
	return len(o.Done) == 0 && correct(o.Hold) && !accepted(o, "unprovedwrite") && mayWrite(o.Call) && !endsSomething(o.Call)
}

// clause is the package clause of the first file by name.
func (j *judge) clause() token.Pos {
	first := j.u.Files[0]
	for _, f := range j.u.Files[1:] {
		if j.u.Fset.Position(f.Package).Filename < j.u.Fset.Position(first.Package).Filename {
			first = f
		}
	}
	return first.Package
}
