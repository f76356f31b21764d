package prove

import (
	"regexp"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// A command that sets a key if it is not there may take a lock, leave a mark that
// a message was seen, or fill a cache. It counts as a lock if a directive says
// so, or if two independent signs agree: its name, and that it is deleted again.

// isLock reports whether an acquisition without a directive is one.
func (j *judge) isLock(sum *flow.Summary, e *flow.Event) bool {
	return !e.Hold.Maybe || namedLikeLock(e) && j.givenBack(sum, e)
}

// classOfFunc is the class of the enclosing function. Beside a lock that is surely
// one, a mark stays a mark.
func (j *judge) classOfFunc(sum *flow.Summary, e *flow.Event) *flow.LockClass {
	if !j.isLock(sum, e) {
		for _, other := range sum.Events {
			if other.Kind == flow.Acquire && !other.Hold.Maybe {
				return nil
			}
		}
	}
	return lockClass(j.set.Func(e.Chain[0].Pos))
}

// classOfPackage is the class of the package clause.
func (j *judge) classOfPackage(sum *flow.Summary, e *flow.Event) *flow.LockClass {
	if !j.isLock(sum, e) {
		return nil
	}
	return lockClass(j.set.Package())
}

var lockWord = regexp.MustCompile(`(?i)lock|mutex|lease|leader`)

func namedLikeLock(e *flow.Event) bool {
	for _, h := range e.Hold.Handle.Alternatives() {
		n := flow.Name(h)
		if n == nil {
			continue
		}
		if n.Any(func(u *term.Term) bool { return u.Kind != term.Call && lockWord.MatchString(u.Str) }) {
			return true
		}
	}
	return false
}

// givenBack reports whether the function, or another one by the same field or
// variable, deletes the key again.
func (j *judge) givenBack(sum *flow.Summary, e *flow.Event) bool {
	for _, r := range sum.Events {
		if flow.Releases(r, e) {
			return true
		}
	}
	key := memberOf(e.Hold.Handle)
	if key == "" {
		return false
	}
	for _, s := range j.a.Functions() {
		for _, r := range s.Events {
			if r.Kind == flow.Release && r.Recv != nil && memberOf(r.Recv) == key {
				return true
			}
		}
	}
	return false
}

// memberOf is the field, variable or constant that names a lock, "" if none does.
func memberOf(handle *term.Term) string {
	for _, h := range handle.Alternatives() {
		n := flow.Name(h)
		if n == nil {
			continue
		}
		switch n.Kind {
		case term.Field, term.Global:
			return n.Str
		case term.Const:
			return "=" + n.Str
		case term.Concat:
			if s, ok := term.StringValue(n.Args[0]); ok {
				return "=" + s
			}
		}
	}
	return ""
}
