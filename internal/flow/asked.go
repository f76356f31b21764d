package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/model"
)

// askedByCall finds what a call asks that is no setting of the package: the library's own
// opinion, or a function that is kept somewhere and asks a carrier.
func (f *fn) askedByCall(in *ssa.Call) (*question, *Carrier) {
	if l := f.checks(in); l != nil {
		c := &Carrier{}
		for _, a := range f.a.acquired {
			if a.Lib == l.Lib && f.a.mayAsk(l, a) {
				c.add([]*Event{a})
			}
		}
		if ans := answerOf(l, in.Common().Signature()); len(c.Acqs) > 0 && ans != nil && len(ans.refused) > 0 {
			q := &question{at: in, index: -1, yes: plain(ans.granted), no: plain(ans.refused[0].tuple)}
			if l.Handle.Root == "recv" && len(l.Handle.Steps) == 0 {
				q.of = f.value(receiverOf(in.Common()))
			}
			return q, c
		}
		return nil, nil
	}
	if !byValue(in.Common()) {
		return nil, nil
	}
	return f.askedByValue(in)
}

// byValue reports whether a call is that of a function value.
func byValue(c *ssa.CallCommon) bool {
	return !c.IsInvoke() && c.StaticCallee() == nil && !isBuiltin(c)
}

// byValue lists the calls of function values in the function.
func (f *fn) byValue() []*ssa.Call {
	if f.valueCalls == nil {
		f.valueCalls = []*ssa.Call{}
		for _, b := range f.f.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.Call); ok && byValue(c.Common()) {
					f.valueCalls = append(f.valueCalls, c)
				}
			}
		}
	}
	return f.valueCalls
}

// receiverOf is the object whose method is called.
func receiverOf(c *ssa.CallCommon) ssa.Value {
	if c.IsInvoke() {
		return c.Value
	}
	return c.Args[0]
}

// mayAsk reports whether a question about one kind of lock may be about an acquisition: a
// library that has mutexes and elections tells of each by methods of its own.
func (a *Analysis) mayAsk(l *model.Lock, acq *Event) bool {
	call := a.known.byKey(acq.Key)
	if call == nil || l.Handle.Root != "recv" {
		return true
	}
	for _, m := range call.Locks {
		if m.Role == model.RoleAcquire && m.Handle.Root == "recv" && len(m.Handle.Steps) == 0 && m.Match.Recv != l.Match.Recv {
			return false
		}
	}
	return true
}

// checks is the entry by which a library tells whether it believes that the lock is held.
func (f *fn) checks(in *ssa.Call) *model.Lock {
	call := f.a.known.byKey(f.a.known.called(in.Common()).key)
	if call == nil {
		return nil
	}
	for _, l := range call.Locks {
		if l.Role == model.RoleCheck && len(l.OK) > 0 {
			return l
		}
	}
	return nil
}

func plain(tuple []abs) []abs {
	out := make([]abs, len(tuple))
	for i, a := range tuple {
		out[i] = abs{k: a.k, n: a.n}
	}
	return out
}

// askedByValue looks at the functions that a called value may be.
func (f *fn) askedByValue(in *ssa.Call) (*question, *Carrier) {
	for _, id := range f.keptFuncs(in) {
		sum := f.a.byName(id)
		if sum == nil {
			continue
		}
		c := &Carrier{}
		success := ""
		for _, e := range sum.Events {
			if (e.Kind == Acquire || e.Kind == May) && e.Belief != nil && e.Hold.Escapes && e.Hold.Success != "" {
				c.add([]*Event{e})
				success = e.Hold.Success
			}
		}
		if len(c.Acqs) == 0 {
			continue
		}
		q := &question{at: in, index: -1, yes: plain(parseTuple(success))}
		q.no = make([]abs, len(q.yes))
		for i, v := range q.yes {
			q.no[i], _ = contrary(v)
		}
		return q, c
	}
	return nil, nil
}

// keptFuncs lists the ids of the functions that a called value may be, as the package
// keeps them.
func (f *fn) keptFuncs(in *ssa.Call) []string {
	name := f.a.places.name(in.Common().Value)
	if name == "" {
		return nil
	}
	var out []string
	for _, m := range f.a.places.members(f.a.places.find(name)) {
		if id, ok := strings.CutPrefix(m, "func "); ok {
			out = append(out, id)
		}
	}
	return out
}

// asksLibraries notes the acquisitions of the package, and reports whether some code asks
// a library of theirs whether the lock is held.
func (a *Analysis) asksLibraries() bool {
	libs := make(map[string]bool)
	for _, f := range a.order {
		for _, e := range f.sum.Events {
			if e.Kind == Acquire && e.src == nil && e.Belief == nil && e.lasting() && !f.inTest() {
				a.acquired = append(a.acquired, e)
				libs[e.Lib] = true
			}
		}
	}
	for _, f := range a.order {
		for _, e := range f.sum.Events {
			if e.Kind == Check && libs[e.Lib] {
				return true
			}
			if e.Kind == Acquire && e.src == nil && e.site != nil {
				if c, ok := e.site.call.(*ssa.Call); ok && a.toldByChannel(c) {
					return true
				}
			}
		}
	}
	a.acquired = nil
	return false
}

// questionWords begin the names of methods that ask whether a lock is held, and acquire
// nothing.
var questionWords = pattern.New(`^(Is|Am|Has|Should|Can)[A-Z]`)

// isQuestion reports whether a possible acquisition is rather a look at one that was made
// before: what is done whatever the answer does not belong to its hold.
func (e *Event) isQuestion() bool {
	return e.Belief != nil || e.Dyn.Results == "(bool)" && questionWords.MatchString(e.Dyn.Method) ||
		e.Dyn.Results == "(string)" && holderWords.MatchString(e.Dyn.Method)
}

// toldByChannel reports whether a call gives a channel on which the library tells when the
// lock is acquired: it may be long after the call.
func (a *Analysis) toldByChannel(c *ssa.Call) bool {
	call := a.known.byKey(a.known.called(c.Common()).key)
	if call == nil {
		return false
	}
	for _, l := range call.Locks {
		if l.Role == model.RoleAcquire && len(l.OK) > 0 && l.OK[0].Path.Root == "elem" {
			return true
		}
	}
	return false
}

// channelsOfLocks adds the channels on which libraries tell of an acquisition.
func (a *Analysis) channelsOfLocks() {
	for _, f := range a.order {
		for _, e := range f.sum.Events {
			if e.Kind != Acquire || e.src != nil || e.site == nil || e.Belief != nil || f.inTest() {
				continue
			}
			if c, ok := e.site.call.(*ssa.Call); ok && a.toldByChannel(c) {
				root := a.places.find(a.places.nameOfResult(c, 0))
				a.carriers[root] = &Carrier{Name: root, Yes: "t", No: "f", yes: []abs{boolean(true)}, Acqs: []*Event{e}, told: true}
			}
		}
	}
}
