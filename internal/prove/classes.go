package prove

import (
	"strings"

	"github.com/fencelint/fencelint/classify"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// classify finds the class of an acquisition: the nearest directive counts. The
// order is the statement, the lock's variable or field, the wrapper that is
// called, its type, the enclosing function, the package.
func (j *judge) classify(sum *flow.Summary, e *flow.Event) {
	if len(e.Chain) == 0 {
		return
	}
	pos := e.Chain[0].Pos
	inner := e.Hold.Lock
	if !pos.IsValid() {
		return
	}
	for _, find := range []func() *flow.LockClass{
		func() *flow.LockClass { return lockClass(j.set.Stmt(pos)) },
		func() *flow.LockClass { return j.classOfHandle(e) },
		func() *flow.LockClass { return inner },
		func() *flow.LockClass { return j.classOfMethod(e) },
		func() *flow.LockClass { return lockClass(j.set.Func(pos)) },
		func() *flow.LockClass { return lockClass(j.set.Package()) },
	} {
		if c := find(); c != nil {
			e.Hold.Lock = c
			return
		}
	}
}

func lockClass(l *classify.Lock) *flow.LockClass {
	if l == nil {
		return nil
	}
	return flow.ClassOf(l.Class, l.Resource, l.Contract, l.Replay, l.Activated)
}

// classOfHandle looks where the lock was made and at the field that holds it.
func (j *judge) classOfHandle(e *flow.Event) *flow.LockClass {
	for _, h := range e.Hold.Handle.Alternatives() {
		for h.Kind == term.Iface {
			h = h.Args[0]
		}
		switch h.Kind {
		case term.Field:
			if c := j.classOfName(h.Str); c != nil {
				return c
			}
		case term.Global:
			if c := j.classOfName(h.Str); c != nil {
				return c
			}
		case term.Call:
			if pos, ok := j.a.SitePos(h.Site); ok {
				if c := lockClass(j.set.Stmt(pos)); c != nil {
					return c
				}
			}
		}
	}
	return nil
}

// classOfName finds the class on a declaration of this or another package.
func (j *judge) classOfName(name string) *flow.LockClass {
	if d := j.a.Decl(name, "lock"); d != nil {
		return d.Lock
	}
	return nil
}

// classOfMethod looks at the wrapper that was called, and at its type.
func (j *judge) classOfMethod(e *flow.Event) *flow.LockClass {
	src := e.Source()
	if src == nil || len(src.Chain) == 0 {
		return nil
	}
	name := plainName(src.Chain[0].Func)
	if c := j.classOfName(name); c != nil {
		return c
	}
	if i := strings.LastIndexByte(name, '.'); i > strings.LastIndexByte(name, '/') {
		return j.classOfName(name[:i])
	}
	return nil
}

// plainName turns "(*path.T).M" into "path.T.M".
func plainName(id string) string {
	if i := strings.IndexByte(id, '$'); i >= 0 {
		id = id[:i]
	}
	return strings.NewReplacer("(", "", ")", "", "*", "").Replace(id)
}

// acquisition notes an acquisition in the register, and reports one without a
// class. The library's call inside a wrapper is no acquisition of its own: each
// use of the wrapper is.
func (j *judge) acquisition(sum *flow.Summary, e *flow.Event) {
	pos := e.Chain[0].Pos
	wrapper := e.Hold.Escapes || e.Hold.Region && e.Source() == nil && e.Hold.Library && j.isWrapperRegion(e)
	if e.Source() != nil && !e.Hold.Library && !e.Source().Hold.Escapes && !e.Source().Hold.Region {
		return // the called function keeps its lock to itself
	}
	row := &Row{
		Place: e.Chain[0].Place, Library: e.Hold.Lib, Idiom: idiom(e), Signal: "unknown", Role: "acquisition",
	}
	if wrapper && j.handedOn(e) {
		row.Role = "wrapper"
	}
	if c := e.Hold.Lock; c != nil {
		row.Class, row.Contract = c.Class, c.Contract
	}
	j.rows[e] = row
	j.order = append(j.order, e)
	if row.Class != "" || sum.Test || j.set.Unread(pos) {
		return
	}
	if row.Role == "wrapper" && len(j.uses[e]) > 0 {
		return // its uses are asked for a class
	}
	j.add(Finding{
		Rule: "lockclass", Pos: pos, End: j.endOf(pos),
		Message: j.exprAt(e.Chain[0], e.Key) + " acquires a lock, and nothing says what it is for. If two holders at once would cost only time or money, write `//fencelint:lock efficiency` above it; if they could corrupt data, write `//fencelint:lock correctness`, and its writes are followed.",
		Key:     strings.Join([]string{"lockclass", plainName(sum.ID), e.Key}, "|"),
	})
}

func (j *judge) isWrapperRegion(e *flow.Event) bool { return e.Hold.Region }

// handedOn reports whether callers are seen, or can exist, to whom the hold goes.
func (j *judge) handedOn(e *flow.Event) bool {
	return len(j.uses[e]) > 0 || e.Hold.Escapes || e.Hold.Region
}

// idiom says how the acquisition is written.
func idiom(e *flow.Event) string {
	switch {
	case e.Hold.Region:
		return "callback"
	case e.Source() != nil && !e.Hold.Library:
		return "wrapper-method"
	}
	return "direct"
}
