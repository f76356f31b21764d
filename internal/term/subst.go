package term

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Subst replaces parameters and captured variables; nil means that none is
// known, and leaves Unknown with the reason in their place.
type Subst struct {
	Params []*Term
	Free   []*Term
	// Field, if set, selects a field where code has run that may have set it.
	Field func(name string, base *Term) *Term
	// Global, if set, gives the content of a package variable.
	Global func(*Term) *Term
	// Call, if set, computes a call again whose arguments were replaced; nil from it
	// leaves the call.
	Call func(*Term) *Term
	// Boxed, if set, gives what stands in an interface in place of a value that was put
	// there; nil from it leaves the value.
	Boxed func(*Term) *Term
	// any puts all elements of a map in place of one that nobody names.
	any bool
	// Site is put before the sites of the terms, so that what two calls of one
	// function make stays apart.
	Site string

	few  []replaced      // terms share parts, and so do those of one substitution
	done map[*Term]*Term // the same, once they are many
}

type replaced struct{ from, to *Term }

// maxFew is how many terms are looked through faster than a map is.
const maxFew = 8

// before is what was put in place of a term before; nil if there was none.
func (s *Subst) before(t *Term) *Term {
	if s.done != nil {
		return s.done[t]
	}
	for _, r := range s.few {
		if r.from == t {
			return r.to
		}
	}
	return nil
}

func (s *Subst) note(t, to *Term) {
	switch {
	case s.done != nil:
		s.done[t] = to
	case len(s.few) < maxFew:
		s.few = append(s.few, replaced{t, to})
	default:
		s.done = make(map[*Term]*Term, 4*maxFew)
		for _, r := range s.few {
			s.done[r.from] = r.to
		}
		s.done[t] = to
	}
}

// Apply returns t with the substitution made, simplified again.
func (s *Subst) Apply(t *Term) *Term {
	switch t.Kind {
	case Param:
		return pick(s.Params, t, "a parameter that no visible caller supplies")
	case Free:
		return pick(s.Free, t, "a captured variable")
	case Const, Unknown, Func:
		return t
	case Global:
		if s.Global != nil {
			return s.Global(t)
		}
		return t
	}
	if done := s.before(t); done != nil {
		return done
	}
	applied := s.applyInner(t)
	s.note(t, applied)
	return applied
}

func (s *Subst) applyInner(t *Term) *Term {
	if t.Kind == Iface && s.Boxed != nil {
		if r := s.Boxed(t); r != nil {
			return r
		}
	}
	args, same := s.applyAll(t.Args)
	if t.Kind == Field && s.Field != nil {
		return s.Field(t.Str, args[0])
	}
	if t.Kind == Iface && len(args) == 2 {
		return NewUnless(t.Str, args[0], args[1])
	}
	site := joinSites(s.Site, t.Site)
	if t.Kind == Struct && t.Open && t.Str == "map" {
		return s.keyed(t, args, site)
	}
	if !same || site != t.Site {
		t = t.with(args, site)
	}
	if t.Kind == Call && s.Call != nil {
		if r := s.Call(t); r != nil {
			return r
		}
	}
	if s.any && t.Kind == Elem && t.Args[0].Kind == Struct && !t.Args[0].Open {
		return NewAlt(t.Args[0].Args...)
	}
	return t
}

// applyAll returns the terms with the substitution made, and whether they are the same ones.
func (s *Subst) applyAll(ts []*Term) (args []*Term, same bool) {
	args, same = ts, true
	for i, a := range ts {
		n := s.Apply(a)
		if same && n != a {
			args, same = make([]*Term, len(ts)), false
			copy(args, ts[:i])
		}
		if !same {
			args[i] = n
		}
	}
	return args, same
}

// keyed replaces the keys of a map that are parameters; the map is no longer open
// when all its keys are constants.
func (s *Subst) keyed(t *Term, args []*Term, site string) *Term {
	c := *t
	c.Args, c.Site, c.key, c.size = args, site, "", 0
	c.Names, c.Open = slices.Clone(t.Names), false
	for i, n := range c.Names {
		for k, p := range s.Params {
			if p != nil && n == NewParam(k).Key() {
				c.Names[i] = p.Key()
				break
			}
		}
		c.Open = c.Open || !strings.HasPrefix(c.Names[i], constMark)
	}
	return bounded(&c)
}

// constMark begins the key of a constant.
var constMark = string(rune('a' + Const))

// maxSite bounds the length of a site; of a longer one the begin is replaced by its hash. The
// place where a value was made is its end, which stays.
const maxSite = 96

func joinSites(prefix, site string) string {
	if prefix == "" || site == "" {
		return site
	}
	if len(prefix)+1+len(site) <= maxSite {
		return prefix + "/" + site
	}
	begin := innermost(site)
	h := fnv.New64a()
	for _, part := range []string{prefix, "/", site[:begin]} {
		h.Write([]byte(part))
	}
	return hashMark + strconv.FormatUint(h.Sum64(), 36) + "/" + site[begin:]
}

// InnermostSite is the last part of a site, the call itself without those by which it is reached.
func InnermostSite(site string) string {
	site = site[innermost(site):]
	return site[innermost(site):] // behind a hash, too
}

// hashMark begins a site whose begin is a hash.
const hashMark = "#"

// innermost is where the last part of a site begins: each is a function and a number behind
// an at-sign.
func innermost(site string) int {
	if strings.HasPrefix(site, hashMark) {
		return strings.IndexByte(site, '/') + 1
	}
	last := strings.LastIndexByte(site, '@')
	before := strings.LastIndexByte(site[:max(last, 0)], '@')
	if before < 0 {
		return 0
	}
	return before + strings.IndexByte(site[before:], '/') + 1
}

func pick(from []*Term, t *Term, what string) *Term {
	if from == nil {
		return t
	}
	if t.N < len(from) && from[t.N] != nil {
		return from[t.N]
	}
	return NewUnknown(what)
}

// with rebuilds t over other operands through the simplifying constructors.
func (t *Term) with(args []*Term, site string) *Term {
	switch t.Kind {
	case Field:
		return NewField(t.Str, args[0])
	case Elem:
		return NewElem(args[0], args[1])
	case Concat:
		return NewConcat(args...)
	case Alt:
		return NewAlt(args...)
	case Convert:
		return NewConvert(t.Str, args[0])
	case Op:
		if t.Str == "append" && len(args) == 2 {
			return NewAppend(args[0], args[1])
		}
		return NewOp(t.Str, args...)
	}
	c := *t
	c.Args, c.Site, c.key, c.size = args, site, "", 0
	return bounded(&c)
}
