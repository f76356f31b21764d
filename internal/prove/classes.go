package prove

import (
	"go/ast"
	"go/token"
	"go/types"
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
	inner := j.classWithin(e)
	if !pos.IsValid() {
		return
	}
	for _, f := range []struct {
		where string
		find  func() *flow.LockClass
	}{
		{onStatement, func() *flow.LockClass { return lockClass(j.set.Stmt(pos)) }},
		{onHandle, func() *flow.LockClass { return j.classOfHandle(e) }},
		{onInterface, func() *flow.LockClass { return j.classOfInterface(e) }},
		{inWrapper, func() *flow.LockClass { return inner }},
		{inWrapper, func() *flow.LockClass { return j.classOfGiven(e) }},
		{onWrapper, func() *flow.LockClass { return j.classOfMethod(e) }},
		{onType, func() *flow.LockClass { return j.classOfType(e) }},
		{onFunction, func() *flow.LockClass { return j.classOfFunc(sum, e) }},
		{onPackage, func() *flow.LockClass { return j.classOfPackage(e) }},
	} {
		if c := f.find(); c != nil {
			e.Hold.Package = f.where == onPackage || f.where == inWrapper && byPackage(e)
			e.Hold.Lock = c
			if len(e.Chain) == 1 {
				j.classAt[e.Chain[0].Place] = c
			}
			if j.o.Trace {
				j.noteClass(e, f.where)
			}
			return
		}
	}
}

// classWithin is the class that the wrapper gives the lock in its own text. Where functions
// call each other in a circle a copy may come from what was first found out of the wrapper.
func (j *judge) classWithin(e *flow.Event) *flow.LockClass {
	at := e.Chain[len(e.Chain)-1].Place
	for ; e != nil; e = e.Source() {
		if e.Hold.Lock != nil {
			return e.Hold.Lock
		}
	}
	return j.classAt[at]
}

// byPackage reports whether that class is one that a package clause gives to its locks.
func byPackage(e *flow.Event) bool {
	for ; e != nil; e = e.Source() {
		if e.Hold.Lock != nil {
			return e.Hold.Package
		}
	}
	return false
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
		if n := flow.Name(h); n != nil {
			h = n
		}
		switch h.Kind {
		case term.Field, term.Global:
			if c := j.classOfPlace(h); c != nil {
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

// classOfPlace looks at the field or variable that holds the lock, then at the one
// that holds the object of which that is a part.
func (j *judge) classOfPlace(h *term.Term) *flow.LockClass {
	for ; h.Kind == term.Field || h.Kind == term.Global; h = h.Args[0] {
		if c := j.classOfName(h.Str); c != nil {
			return c
		}
		if len(h.Args) == 0 {
			break
		}
	}
	return nil
}

// classOfInterface is the class of a call through an interface: that of the field or
// variable that holds the value, of the method, of the interface.
func (j *judge) classOfInterface(e *flow.Event) *flow.LockClass {
	if e.Kind != flow.May {
		return nil
	}
	names := []string{e.Key, e.Dyn.Iface}
	if k := e.Recv.Kind; k == term.Field || k == term.Global {
		names = append([]string{e.Recv.Str}, names...)
	}
	for _, n := range names {
		if c := j.classOfName(n); c != nil {
			return c
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

// classOfType looks at the types of the project that hold the lock in a field, or embed it.
func (j *judge) classOfType(e *flow.Event) *flow.LockClass {
	for _, h := range e.Hold.Handle.Alternatives() {
		for ; h.Kind == term.Field; h = h.Args[0] {
			if i := strings.LastIndexByte(h.Str, '.'); i > 0 {
				if c := j.classOfName(h.Str[:i]); c != nil {
					return c
				}
			}
		}
	}
	return nil
}

// plainName turns "(*path.T).M" into "path.T.M".
func plainName(id string) string {
	if i := strings.IndexByte(id, '$'); i >= 0 {
		id = id[:i]
	}
	return plain.Replace(id)
}

var plain = strings.NewReplacer("(", "", ")", "", "*", "")

// acquisition notes an acquisition in the register, and reports one without a
// class. The library's call inside a wrapper is no acquisition of its own: each
// use of the wrapper is.
// between are the calls on the way from the use of a lock to the library's call.
func between(e *flow.Event) []Place {
	var out []Place
	for _, s := range e.Chain[1 : len(e.Chain)-1] {
		out = append(out, s.Place)
	}
	return out
}

func (j *judge) acquisition(sum *flow.Summary, e *flow.Event) {
	if at := written(e); at.Source() != nil && !at.Hold.Library && (at.Async || !at.Source().Hold.Passes()) {
		return // the called function or goroutine keeps its lock to itself
	}
	if j.ownUse(e) || j.onlyAsks(sum, e) || j.worksItself(sum, e) || j.onlyProlongs(sum, e) {
		return
	}
	if first := j.tried(sum, e); first != nil {
		j.rows[e] = first
		return
	}
	if e.Hold.Lock == nil && !j.isLock(e) {
		return // a mark or a cached value; only a directive makes it a lock
	}
	if sum.Test && e.Hold.Lock == nil {
		return // what tests lock is their own affair, unless they say more
	}
	row := &Row{
		Place: e.Chain[0].Place, Library: e.Hold.Lib, Idiom: idiom(e), Signal: "unknown", Role: "acquisition",
	}
	row.Method, row.Forwards = lastPart(plainName(sum.ID)), e.Hold.Forwarded
	if n := len(e.Chain); n > 1 {
		row.Inner, row.Through = e.Chain[n-1].Place, between(e)
	}
	if len(j.uses[e]) > 0 || e.Hold.Passes() && ast.IsExported(lastPart(plainName(sum.ID))) {
		row.Role = "wrapper"
	}
	if c := e.Hold.Lock; c != nil {
		row.Class, row.Contract = c.Class, c.Contract
	}
	row.Layer = row.Forwards && takesByName(row.Method)
	if j.o.Trace {
		row.Trace = j.traceHold(sum, e)
	}
	j.rows[e] = row
	j.order = append(j.order, e)
	if row.Class == "correctness" {
		j.carrier(sum, e)
	}
	if row.Role == "wrapper" && (len(j.uses[e]) > 0 || j.usedAsInterface(sum)) || row.Class == "" && len(j.takenBy(e)) > 0 {
		return // its uses are asked for a class, or what it is given
	}
	if sum.Test {
		return
	}
	if row.Class != "" {
		j.sameLock(sum, e)
		return
	}
	if asksClass(e) && !askedBelow(e) && !j.set.Unread(e.Chain[0].Pos) {
		j.unclassified(sum, e)
	}
}

// usedAsInterface reports whether a method belongs to a type that this package makes
// an interface with that method: whoever has the interface uses the lock.
func (j *judge) usedAsInterface(sum *flow.Summary) bool {
	typ, method, ok := strings.Cut(strings.TrimPrefix(sum.ID, "("), ").")
	if !ok {
		return false
	}
	for _, c := range j.a.Conversions() {
		if c.Test || strings.TrimPrefix(c.Type, "*") != strings.TrimPrefix(typ, "*") {
			continue
		}
		if iface := j.interfaceOf(c.Iface); iface != nil && hasMethod(iface, method) {
			return true
		}
	}
	return false
}

func hasMethod(iface *types.Interface, name string) bool {
	for i := range iface.NumMethods() {
		if iface.Method(i).Name() == name {
			return true
		}
	}
	return false
}

// ownUse reports whether a lock that ends with its transaction was taken by a called
// function for writes of its own: its caller has the transaction, and knows nothing
// of the lock.
func (j *judge) ownUse(e *flow.Event) bool {
	src := written(e).Source()
	return src != nil && src.Hold.Works && j.lockScope(rootOf(e)) == "tx"
}

// written is the event in the function or literal in whose text its call stands.
func written(e *flow.Event) *flow.Event {
	for e.Source() != nil && len(e.Source().Chain) == len(e.Chain) && e.Source().Chain[0].Place == e.Chain[0].Place {
		e = e.Source()
	}
	return e
}

// askedBelow reports whether the acquisition is the use of a wrapper in another package
// that was asked for the class: every use has that of the wrapper.
func askedBelow(e *flow.Event) bool {
	for e = e.Source(); e != nil; e = e.Source() {
		if e.Hold != nil && e.Hold.Asked {
			return true
		}
	}
	return false
}

// unclassified reports an acquisition without a class. Uses of a wrapper of this
// package wait until all of them are known, and a wrapper until it is known who is given it.
func (j *judge) unclassified(sum *flow.Summary, e *flow.Event) {
	if root := rootOf(e); root != e && root.Chain[0].Pos.IsValid() {
		j.wrapped = append(j.wrapped, wrappedUse{sum, e, root})
		return
	}
	if e.Hold.Passes() {
		j.passing = append(j.passing, wrappedUse{sum, e, e})
		return
	}
	j.askClass(sum, e, e.Chain[0].Pos)
}

func (j *judge) askClass(sum *flow.Summary, e *flow.Event, pos token.Pos) {
	j.askClassOf(sum, e, pos, j.exprAt(e.Chain[0], e.Key))
}

func (j *judge) askClassOf(sum *flow.Summary, e *flow.Event, pos token.Pos, what string) {
	e.Hold.Asked = !j.u.Foreign // what is said of other people's code is not heard
	rootOf(e).Hold.Asked = !j.u.Foreign
	j.add(Finding{
		Rule: "lockclass", Pos: pos, End: j.endOf(pos),
		Message: what + " acquires a lock, and nothing says what it is for. If two holders at once would cost only time or money, write `//fencelint:lock efficiency` above it; if they could corrupt data, write `//fencelint:lock correctness`, and its writes are followed.",
		Key:     strings.Join([]string{"lockclass", plainName(sum.ID), e.Key}, "|"),
	})
}

// wrappedUse is a use of a wrapper that has no class.
type wrappedUse struct {
	sum  *flow.Summary
	e    *flow.Event
	root *flow.Event
}

// rootOf is the library's call at the bottom of wrappers.
func rootOf(e *flow.Event) *flow.Event {
	for e.Source() != nil && !e.Hold.Library {
		e = e.Source()
	}
	return e
}

// wrappers reports the uses of wrappers without a class: once at the wrapper's
// declaration if none of its uses has one, else each.
func (j *judge) wrappers() {
	classified := make(map[*flow.Event]bool)
	for _, e := range j.order {
		if e.Hold.Lock != nil {
			classified[rootOf(e)] = true
		}
	}
	done := make(map[*flow.Event]bool)
	for _, w := range j.wrapped {
		w.e.Hold.Asked = !j.u.Foreign // here or at the wrapper
		if classified[w.root] {
			j.askClass(w.sum, w.e, w.e.Chain[0].Pos)
			continue
		}
		if !done[w.root] {
			done[w.root] = true
			j.askClass(w.sum, w.root, j.declOf(w.root.Chain[0].Pos))
		}
	}
}

// declOf is the declaration of the function around pos.
func (j *judge) declOf(pos token.Pos) token.Pos {
	for _, f := range j.u.Files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && d.Pos() <= pos && pos < d.End() {
				return fd.Type.Func
			}
		}
	}
	return pos
}

// sameLock reports a second class for a lock that is known by its name or field.
func (j *judge) sameLock(sum *flow.Summary, e *flow.Event) {
	key := j.lockKey(e)
	if key == "" {
		return
	}
	first := j.keys[key]
	if first == nil {
		j.keys[key] = e
		return
	}
	if first.Hold.Lock.Class == e.Hold.Lock.Class {
		return
	}
	if later(first, e) {
		first, e = e, first
		j.keys[key] = first
	}
	j.add(Finding{
		Rule: "lockclass", Pos: e.Chain[0].Pos, End: j.endOf(e.Chain[0].Pos),
		Message: j.exprAt(e.Chain[0], e.Key) + " is classified as " + e.Hold.Lock.Class + ", but the same lock is classified as " + first.Hold.Lock.Class +
			" at " + first.Chain[0].Place.String() + ". One lock protects one thing: give both the same class, or the locks different names.",
		Related: []Related{{Place: first.Chain[0].Place, Pos: first.Chain[0].Pos, Message: "the other class stands here"}},
		Key:     strings.Join([]string{"lockclass", plainName(sum.ID), e.Key, key}, "|"),
	})
}

// later reports whether a stands behind b, by file and position.
func later(a, b *flow.Event) bool { return a.Chain[0].Pos > b.Chain[0].Pos }

// lockKey names the lock of an acquisition where that can be told: a constant
// key, a package variable or a field.
func (j *judge) lockKey(e *flow.Event) string {
	h := e.Hold.Handle
	for h.Kind == term.Iface {
		h = h.Args[0]
	}
	if n := flow.Name(h); n != nil {
		if s, ok := term.StringValue(n); ok && s != "" {
			return e.Hold.Lib + ":" + s
		}
		h = n
	}
	switch h.Kind {
	case term.Global, term.Field:
		return h.Str
	case term.Call:
		return j.constantKey(h)
	}
	return ""
}

func (j *judge) constantKey(h *term.Term) string {
	c := j.models.FuncKey(h.Str)
	if c == nil {
		return ""
	}
	for _, l := range c.Locks {
		recv := 0
		if l.Match.Recv != "" {
			recv = 1
		}
		if i := l.Key.Index + recv; l.Key.Root == "arg" && len(l.Key.Steps) == 0 && i < len(h.Args) {
			if s, ok := term.StringValue(h.Args[i]); ok && s != "" {
				return l.Lib + ":" + s
			}
		}
	}
	return ""
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
