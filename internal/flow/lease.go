package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// keyed wraps the name of a lock that is known by its name alone, so that it is
// equal to nothing but the same name in another call.
const keyed = "key"

// keyHandle is the handle of a lock that is known by its name: more than one
// where a call names several.
func (f *fn) keyHandle(l *model.Lock, t target) *term.Term {
	if l.Handle.Root != "key" {
		return nil
	}
	_, args := split(t)
	if len(l.Keys) < 2 {
		return handlesOf(at(l.Key, args))
	}
	parts := make([]*term.Term, len(l.Keys))
	for i, k := range l.Keys {
		if parts[i] = at(k, args); parts[i] == nil {
			return nil
		}
		parts[i] = pointee(parts[i])
	}
	return term.NewOp(keyed, parts...)
}

// pointee sees through the helpers that make a pointer of a value.
func pointee(t *term.Term) *term.Term {
	if t = unbox(t); t.Kind == term.Alt {
		return eachForm(t, pointee)
	}
	if t.Kind == term.Call && len(t.Args) == 1 && pointers[t.Str[strings.LastIndexByte(t.Str, '/')+1:]] {
		return t.Args[0]
	}
	return t
}

var pointers = set("aws.String", "aws.Int64", "aws.Int32", "aws.Bool", "to.Ptr", "pointer.String", "ptr.To")

// handlesOf makes handles of a name or of a list of names.
func handlesOf(names *term.Term) *term.Term {
	if names == nil {
		return nil
	}
	elems := []*term.Term{names}
	if names.Kind == term.List {
		elems = names.Args
	}
	out := make([]*term.Term, len(elems))
	for i, e := range elems {
		out[i] = term.NewOp(keyed, unbox(e))
	}
	if len(out) == 0 {
		return nil
	}
	return term.NewAlt(out...)
}

// Name is the name of a lock that is known by its name, nil for other handles.
func Name(handle *term.Term) *term.Term {
	if handle.Kind == term.Op && handle.Str == keyed {
		return handle.Args[len(handle.Args)-1]
	}
	return nil
}

// at is the argument at a path of the models, with its fields; nil if there is none.
func at(p model.Path, args []*term.Term) *term.Term {
	if p.Root != "arg" || p.Index < 0 || p.Index >= len(args) {
		return nil
	}
	t := args[p.Index]
	for _, s := range p.Steps {
		if s.Call || s.Type != "" {
			return nil
		}
		if s.Name == "*" {
			continue
		}
		if t = fieldNamed(t, s.Name); t == nil {
			return nil
		}
	}
	return t
}

// fieldNamed is a field of a struct literal by its bare name.
func fieldNamed(t *term.Term, name string) *term.Term {
	t = unbox(t)
	if t.Kind != term.Struct {
		return nil
	}
	for i, n := range t.Names {
		if n[strings.LastIndexByte(n, '.')+1:] == name {
			return t.Args[i]
		}
	}
	if t.Open {
		return nil // it began as a copy of a value that is not seen
	}
	return term.Nil
}

// At is the argument of an event at a path of the models, nil if it is not known.
func (e *Event) At(p model.Path) *term.Term { return at(p, e.Args) }

// dependent lists the events of entries that hold for a call because of its
// arguments: a mode that demands that the key is not there.
func (f *fn) dependent(c ssa.CallInstruction, t target) []*Event {
	var out []*Event
	for _, l := range t.call.Depends {
		kind, ok := lockEvents[l.Role]
		switch {
		case !ok:
		case l.Match.Kind == "call" && whereHolds(l, t):
			out = append(out, f.lockEvent(c, t, l, kind))
		case l.Match.Kind == "rediscmd":
			if words := commandIs(l, t); words != nil {
				out = append(out, f.commandEvent(c, t, l, kind, words))
			}
		case l.Match.Kind == "lua" && kind == Acquire:
			if e := f.scriptAcquire(c, t, l); e != nil {
				out = append(out, e)
			}
		}
	}
	return append(out, f.builtEvents(c, t)...)
}

// whereHolds reports whether the arguments say what the entry demands.
func whereHolds(l *model.Lock, t target) bool {
	_, args := split(t)
	for _, w := range l.Match.Where {
		if w.At.Root == "opt" {
			if given, known := optionGiven(w.At.Name, args); !known || given != w.Present {
				return false
			}
			continue
		}
		v := at(w.At, args)
		if v == nil {
			return false
		}
		s, _ := term.StringValue(pointee(v))
		switch {
		case w.Present && term.IsZero(v), w.Absent && !term.IsZero(v), w.Eq != "" && s != w.Eq, w.Re != "":
			return false
		}
	}
	return true
}

// optionGiven reports whether a functional option of the given name is among the arguments;
// known is false where not all options are in sight.
func optionGiven(name string, args []*term.Term) (given, known bool) {
	if len(args) == 0 {
		return false, false
	}
	opts := args[len(args)-1]
	if opts.Equal(term.Nil) {
		return false, true
	}
	if opts.Kind != term.List {
		return false, false
	}
	for _, o := range opts.Args {
		if o = unbox(o); o.Kind != term.Call {
			return false, false
		}
		given = given || strings.HasSuffix(o.Str, "."+name)
	}
	return given, true
}

// freed reports whether a write is the deletion by which a release of the hold
// is made.
func (st *site) freed(ev, a *Event) bool {
	if ev.Kind != Write {
		return false
	}
	for _, r := range st.events {
		if (r.Kind == Release || r.Kind == Extend) && r.Site == ev.Site && r.Key == ev.Key && releases(r, a) {
			return true
		}
	}
	return false
}

// answer is what a call returns when a lock is granted, and for each part of the
// answer what it returns when that part says no.
type answer struct {
	granted []abs
	refused []start
}

// answerOf reads the conditions of success in the models.
func answerOf(l *model.Lock, sig *types.Signature) *answer {
	n := sig.Results().Len()
	a := &answer{granted: make([]abs, n)}
	for i := range n {
		if isError(sig.Results().At(i).Type()) {
			a.granted[i] = abs{k: isNil}
		}
	}
	conds := make(map[int]model.Cond)
	for _, c := range l.OK {
		if c.Path.Root != "ret" || c.Path.Index < 0 || c.Path.Index >= n {
			return nil
		}
		if t := sig.Results().At(c.Path.Index).Type(); len(c.Path.Steps) > 0 && !isReply(t) && !tellsByField(c, t) && !tellsByError(c, t) {
			return nil
		}
		if c.Op == "closed" {
			continue // who waits for it has looked
		}
		conds[c.Path.Index] = c
		a.granted[c.Path.Index] = condAbs(c)
		if len(c.Path.Steps) > 0 {
			a.granted[c.Path.Index] = abs{k: granted}
		}
	}
	for i := range n {
		if c, ok := conds[i]; ok {
			tuple := a.without(i, l, c, sig)
			if l.Match.Kind == "rediscmd" && tuple[i].k == refused { // any answer but this one is a value
				tuple[i] = abs{k: declined, sig: true, name: "Nil"}
			}
			name := partName(sig.Results().At(i).Type())
			switch {
			case name != "answer" || len(c.Path.Steps) == 0:
			case c.Path.Steps[0].Call:
				name = "error"
			default:
				name = "flag in the response"
			}
			a.refused = append(a.refused, start{scenario: name, tuple: tuple})
		}
	}
	a.named(l)
	return a
}

// tellsByField reports whether a condition is about a bool in the struct that a call returns.
func tellsByField(c model.Cond, t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok && len(c.Path.Steps) == 1 && !c.Path.Steps[0].Call && (c.Value == "true" || c.Value == "false")
}

// busy names the errors by which a lock tells that another owner has it.
var busy = map[string]string{
	"etcd.Mutex.TryLock":      "go.etcd.io/etcd/client/v3/concurrency.ErrLocked",
	"redislock.Client.Obtain": "github.com/bsm/redislock.ErrNotObtained",
	"redislock.Obtain":        "github.com/bsm/redislock.ErrNotObtained",
}

// named adds the refusal by an error that code can ask for.
func (a *answer) named(l *model.Lock) {
	name := busy[l.ID]
	for _, r := range a.refused {
		if name != "" && r.scenario == "error" {
			tuple := append([]abs(nil), r.tuple...)
			tuple[len(tuple)-1].name = name
			a.refused = append(a.refused, start{scenario: r.scenario, tuple: tuple})
			return
		}
	}
}

// handleOnError is the trap of libraries that give a handle beside an error.
const handleOnError = "nonnil_handle_on_err"

// without is the answer in which one part says no. An error leaves nothing else, unless
// the library is known for it.
func (a *answer) without(i int, l *model.Lock, c model.Cond, sig *types.Signature) []abs {
	out := append([]abs(nil), a.granted...)
	if isError(sig.Results().At(i).Type()) {
		for k := range out {
			out[k] = abs{}
			if !slices.Contains(l.Traps, handleOnError) {
				out[k] = zeroOf(sig.Results().At(k).Type())
			}
		}
		out[i] = abs{k: nonNil, sig: true}
		return out
	}
	out[i] = opposite(c, len(c.Path.Steps) > 0)
	return out
}

func opposite(c model.Cond, reply bool) abs {
	switch {
	case reply:
		return abs{k: refused, sig: true}
	case c.Value == "nil":
		return abs{k: isNil, sig: true}
	case c.Value == "true" || c.Value == "false":
		return boolean((c.Value == "true") != (c.Op == "==")).signal()
	}
	return abs{sig: true}
}

// zeroOf is the zero value that goes with an error.
func zeroOf(t types.Type) abs {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return boolean(false).signal()
		case u.Info()&types.IsInteger != 0:
			return abs{k: isInt}.signal()
		}
	case *types.Pointer, *types.Chan, *types.Interface, *types.Map, *types.Slice, *types.Signature:
		return abs{k: isNil, sig: true}
	}
	return abs{}
}

// partName names the part of an answer by its type.
func partName(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return "channel"
	case *types.Basic:
		if u.Info()&types.IsBoolean != 0 {
			return "bool"
		}
	}
	if isError(t) {
		return "error"
	}
	if isReply(t) {
		return "reply"
	}
	return "answer"
}

// isReply reports whether a type is a command of go-redis, which holds the reply.
func isReply(t types.Type) bool {
	name := typeName(t)
	return strings.Contains(name, "redis/") && strings.HasSuffix(name, "Cmd")
}

// embedder is the command of which v is the embedded part.
func embedder(v ssa.Value) ssa.Value {
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		v = u.X
	}
	if fa, ok := v.(*ssa.FieldAddr); ok {
		return fa.X
	}
	return v
}

// reply runs a call that asks a command of go-redis for its reply: a bool that
// says no has no error, other commands say no by one.
func (s *state) reply(c *ssa.Call, key string) []abs {
	i := strings.LastIndexByte(key, '.')
	if i < 0 || !strings.Contains(key, "redis/") || len(c.Call.Args) == 0 {
		return nil
	}
	if r := s.scriptReply(c); r != nil {
		return r
	}
	a := s.of(c.Call.Args[0])
	cmd := embedder(c.Call.Args[0])
	if a = s.of(cmd); a.k != refused && a.k != granted && a.name != fault {
		return nil
	}
	typ, method := strings.TrimPrefix(typeName(cmd.Type()), "*"), key[i+1:]
	val, err := abs{}, abs{k: isNil}
	if a.name == fault {
		err = abs{k: nonNil, sig: true, name: fault}
	}
	switch {
	case strings.HasSuffix(typ, ".BoolCmd"):
		val = boolean(a.k == granted)
		val.sig = a.sig
	case !strings.HasSuffix(typ, ".StatusCmd"):
		return nil // what a script or a counter answers is not known here
	case a.k == refused:
		err = abs{k: nonNil, sig: true, name: "=redis: nil"}
	}
	switch method {
	case "Val":
		return []abs{val}
	case "Err":
		return []abs{err}
	case "Result":
		return []abs{val, err}
	}
	return nil
}

// Releases reports whether a release ends the hold of an acquisition of the same
// summary.
func Releases(r, a *Event) bool { return r.Kind == Release && releases(r, a) }

// lockKind is the kind of event for an entry of the models. Calls that take a lock
// from its owner or take over a grant give a lock where they return one.
func lockKind(l *model.Lock) (EventKind, bool) {
	if l.Role == model.RoleSteal || l.Role == model.RoleAdopt {
		switch l.Handle.Root {
		case "ret":
			return Acquire, true
		case "recv", "key":
			return Steal, true
		}
		return 0, false
	}
	k, ok := lockEvents[l.Role]
	return k, ok
}
