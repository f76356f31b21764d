package prove

import (
	"strings"

	"github.com/fencelint/fencelint/classify"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// Where a class can be declared, in words.
const (
	onStatement = "at the acquisition"
	onHandle    = "where the lock is made or kept"
	onInterface = "on the interface"
	inWrapper   = "within the function that takes the lock"
	onWrapper   = "on the function that takes the lock"
	onType      = "on the type of the lock"
	onFunction  = "on the function around it"
	onPackage   = "on the package"
)

// classSource is where the class of an acquisition comes from.
type classSource struct {
	where string
	place Place // zero if it is in another package
}

func (j *judge) noteClass(e *flow.Event, where string) {
	if j.sources == nil {
		j.sources = make(map[*flow.Event]classSource)
	}
	src := classSource{where: where}
	if where == inWrapper {
		for s := e.Source(); s != nil; s = s.Source() {
			if from, ok := j.sources[s]; ok {
				src.place = from.place
				break
			}
		}
	} else if l := j.classDirective(e, where); l != nil && l.Dir != nil {
		src.place = j.a.PlaceOf(l.Dir.Pos)
	}
	j.sources[e] = src
}

// classDirective finds the directive again that gave the class.
func (j *judge) classDirective(e *flow.Event, where string) *classify.Lock {
	pos := e.Chain[0].Pos
	switch where {
	case onStatement:
		return j.set.Stmt(pos)
	case onFunction:
		return j.set.Func(pos)
	case onPackage:
		return j.set.Package()
	}
	own := j.u.Pkg.Path() + "."
	for _, name := range j.classNames(e) {
		if member, ok := strings.CutPrefix(name, own); ok && member != "" {
			if l := j.set.Decl(member); l != nil {
				return l
			}
		}
	}
	for _, h := range e.Hold.Handle.Alternatives() {
		if h = unboxed(h); h.Kind == term.Call {
			if at, ok := j.a.SitePos(h.Site); ok && j.set.Stmt(at) != nil {
				return j.set.Stmt(at)
			}
		}
	}
	return nil
}

// classNames lists the declarations that may give the class.
func (j *judge) classNames(e *flow.Event) []string {
	names := []string{e.Key}
	for _, h := range e.Hold.Handle.Alternatives() {
		h = unboxed(h)
		if n := flow.Name(h); n != nil {
			h = n
		}
		names = append(names, h.Str)
	}
	if e.Recv != nil {
		names = append(names, e.Recv.Str)
	}
	if e.Dyn != nil {
		names = append(names, e.Dyn.Iface)
	}
	if src := e.Source(); src != nil && len(src.Chain) > 0 {
		names = append(names, plainName(src.Chain[0].Func))
	}
	for _, n := range names {
		if i := strings.LastIndexByte(n, '.'); i > strings.LastIndexByte(n, '/') {
			names = append(names, n[:i])
		}
	}
	return names
}

// traceHold tells where a lock is taken, what it is for, and until where it lasts.
func (j *judge) traceHold(sum *flow.Summary, e *flow.Event) []Reason {
	var out []Reason
	for i, s := range e.Chain {
		text := "in " + funcName(s.Func) + ": " + j.exprAt(s, e.Key)
		if i < len(e.Chain)-1 && !s.Pos.IsValid() {
			text = "in " + funcName(s.Func)
		}
		out = append(out, Reason{Kind: Acquired, Text: text, Place: s.Place})
	}
	src := j.sources[e]
	out = append(out, Reason{Kind: Classed, Text: classText(e.Hold.Lock, src.where), Place: src.place})
	return append(out, j.lasts(sum, e)...)
}

// traceInterface tells of a lock that is taken through an interface: m is the call,
// acq what it comes down to in the type that was found.
func (j *judge) traceInterface(sum *flow.Summary, m, acq *flow.Event) []Reason {
	var out []Reason
	for i, s := range acq.Chain {
		text := "in " + funcName(s.Func)
		if i < len(m.Chain) {
			text += ": " + j.exprAt(s, m.Key)
		}
		out = append(out, Reason{Kind: Acquired, Text: text, Place: s.Place})
	}
	src := j.sources[m]
	out = append(out, Reason{Kind: Classed, Text: classText(acq.Hold.Lock, src.where), Place: src.place})
	return append(out, j.lasts(sum, m)...)
}

func classText(l *flow.LockClass, where string) string {
	if l == nil {
		return "none: no directive says what the lock is for"
	}
	text := l.Class
	for _, more := range [][2]string{{"resource", l.Resource}, {"contract", l.Contract}, {"replay", l.Replay}} {
		if more[1] != "" {
			text += ", " + more[0] + " " + more[1]
		}
	}
	if l.Activated {
		text += ", activated"
	}
	if where != "" {
		text += "; declared " + where
	}
	return text
}

// lasts tells where a hold ends.
func (j *judge) lasts(sum *flow.Summary, e *flow.Event) []Reason {
	var out []Reason
	for _, r := range sum.Events {
		if len(r.Chain) == 0 || r.Detached || !flow.Releases(r, e) {
			continue
		}
		text := "until it is released"
		if r.Deferred {
			text += ", when the function returns"
		} else if r.Async {
			text += ", by a goroutine or callback"
		}
		out = append(out, Reason{Kind: Lasts, Text: text, Place: r.Chain[0].Place})
	}
	switch {
	case e.Hold.Region && !e.Hold.Given:
		out = append(out, Reason{Kind: Lasts, Text: "while the function runs that it is given"})
	case e.Hold.Escapes:
		out = append(out, Reason{Kind: Lasts, Text: "and beyond: " + funcName(sum.ID) + " can return while it is held"})
	case len(out) == 0:
		out = append(out, Reason{Kind: Lasts, Text: "until the lock service ends it: no release is in sight"})
	}
	return out
}
