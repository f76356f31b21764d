package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// A write that is refused while something is there may take a lock, leave a mark
// that a message was seen, or fill a cache. It counts as a lock if a directive says
// so, or if two independent signs agree.

// isLock reports whether an acquisition without a directive is one.
func (j *judge) isLock(e *flow.Event) bool {
	return !e.Hold.Maybe || locks(signsOf(e))
}

// signsOf joins the signs on the way from a use down to the write.
func signsOf(e *flow.Event) flow.Signs {
	var s flow.Signs
	for ; e != nil; e = e.Source() {
		if e.Hold != nil {
			s |= e.Hold.Signs
		}
	}
	return s
}

// locks weighs the signs. A name is nothing without a second sign. What lets a new
// owner in when the time of the old one is over needs the name alone; an insertion
// that is refused because a row is there is how data is written, too, and needs more.
func locks(s flow.Signs) bool {
	has := func(x flow.Signs) bool { return s&x != 0 }
	switch named := has(flow.Named) || has(flow.Spoken); {
	case has(flow.Plain):
		return has(flow.Named|flow.Verbal) && has(flow.GivenBack|flow.Renewed) && has(flow.Owned|flow.Expires|flow.Spoken)
	case has(flow.TakenOver):
		return named || has(flow.Owned) && has(flow.GivenBack|flow.Renewed)
	default:
		return named && has(flow.GivenBack|flow.Renewed|flow.Retried)
	}
}

// signs adds to each acquisition that may be none what its name and the rest of the
// package tell.
func (j *judge) signs(sums []*flow.Summary) {
	for _, s := range sums {
		for _, e := range s.Events {
			if e.Kind != flow.Acquire || !e.Hold.Maybe {
				continue
			}
			if namedLikeLock(e) {
				e.Hold.Signs |= flow.Named
			}
			e.Hold.Signs |= j.counterparts(s, e)
		}
	}
}

// lockThrough reports whether what a method takes is a lock where it is called
// through an interface: its name, the key and the giving back may show only there.
func (j *judge) lockThrough(s *flow.Summary, m, acq *flow.Event) bool {
	if namedLikeLock(acq) {
		acq.Hold.Signs |= flow.Named
	}
	if takesByName(m.Dyn.Method) || flow.SpeaksOfLock(lastPart(m.Dyn.Iface)) {
		acq.Hold.Signs |= flow.Spoken
	}
	for _, d := range s.Events {
		if d.Kind == flow.Dyn && d.Dyn.Iface == m.Dyn.Iface && endsWith(d.Dyn.Method) {
			acq.Hold.Signs |= flow.GivenBack
		}
	}
	return j.isLock(acq)
}

// takesByName reports whether a method is named for taking a lock.
func takesByName(method string) bool {
	return flow.SpeaksOfLock(method) || strings.Contains(method, "cquire")
}

// classOfFunc is the class of the enclosing function. Beside a lock that is surely
// one, a mark stays a mark.
func (j *judge) classOfFunc(sum *flow.Summary, e *flow.Event) *flow.LockClass {
	if !j.isLock(e) {
		for _, other := range sum.Events {
			if other.Kind == flow.Acquire && !other.Hold.Maybe {
				return nil
			}
		}
	}
	return lockClass(j.set.Func(e.Chain[0].Pos))
}

// classOfPackage is the class of the package clause.
func (j *judge) classOfPackage(e *flow.Event) *flow.LockClass {
	if !j.isLock(e) {
		return nil
	}
	return lockClass(j.set.Package())
}

func namedLikeLock(e *flow.Event) bool {
	for _, h := range e.Hold.Handle.Alternatives() {
		if n := flow.Name(h); n != nil && namesLock(n) {
			return true
		}
	}
	return false
}

// namesLock reports whether a constant, field or variable in a term speaks of a lock. Of a
// name the path of its package says nothing, of a text each part does.
func namesLock(t *term.Term) bool {
	return t.Any(func(u *term.Term) bool {
		switch u.Kind {
		case term.Call, term.Unknown:
			return false
		case term.Const:
			return flow.SpeaksOfLock(u.Str)
		}
		return flow.SpeaksOfLock(u.Str[strings.LastIndexByte(u.Str, '/')+1:])
	})
}

// counterparts tells whether the function, or another one of the package, gives
// back or prolongs what e takes.
func (j *judge) counterparts(sum *flow.Summary, e *flow.Event) flow.Signs {
	var s flow.Signs
	for _, r := range sum.Events {
		if flow.Releases(r, e) {
			s |= flow.GivenBack
		}
	}
	key := lockShape(e.Hold.Handle)
	for _, f := range j.a.Functions() {
		for _, r := range f.Events {
			if r.Kind != flow.Release && r.Kind != flow.Extend || s&counterpart[r.Kind] != 0 {
				continue
			}
			if key != "" && releasesShape(r, e, key) || key == "" && sibling(sum.ID, f.ID) && releasesShape(r, e, "") {
				s |= counterpart[r.Kind]
			}
		}
	}
	return s
}

var counterpart = map[flow.EventKind]flow.Signs{flow.Release: flow.GivenBack, flow.Extend: flow.Renewed}

// releasesShape reports whether a release or renewal names a lock of this shape. A
// table that the program hands around may be the same.
func releasesShape(r, e *flow.Event, key string) bool {
	for _, n := range flow.ReleasedNames(r) {
		s := lockShape(n)
		if s == key || (s == anyRow || key == anyRow) && flow.HeldIn(n) != nil && r.Lib == e.Hold.Lib {
			return true
		}
	}
	return false
}

// anyRow is the shape of a row of a table that is not known by name.
const anyRow = "row ?"

// sibling reports whether two functions are methods of one type, or functions of one
// package whose names both speak of locks.
func sibling(a, b string) bool {
	i, k := strings.LastIndexByte(plainName(a), '.'), strings.LastIndexByte(plainName(b), '.')
	return plainName(a)[:i] == plainName(b)[:k] && flow.SpeaksOfLock(plainName(a)[i:]) && flow.SpeaksOfLock(plainName(b)[k:])
}

// lockShape is how a lock is named wherever the program names it: the constants,
// fields and variables in its key, or the table of a row. It is "" where none is.
func lockShape(handle *term.Term) string {
	for _, h := range handle.Alternatives() {
		if row := flow.HeldIn(h); row != nil {
			return "row " + shape(row)
		}
		n := flow.Name(h)
		if n == nil {
			continue
		}
		if s := shape(n); strings.Trim(s, "?") != "" {
			return s
		}
	}
	return ""
}

func shape(t *term.Term) string {
	t = unboxed(t)
	if s, ok := term.StringValue(t); ok {
		return s
	}
	switch t.Kind {
	case term.Field, term.Global:
		return t.Str
	case term.Concat:
		var b strings.Builder
		for _, p := range t.Args {
			b.WriteString(shape(p))
		}
		return b.String()
	case term.Call:
		if len(t.Args) == 1 && pointers[lastPart(t.Str)] {
			return shape(t.Args[0])
		}
		return t.Str
	}
	return "?"
}
