package term

import (
	"slices"
	"strings"
)

// What is too large to follow as a whole is followed as far as it has room.

// tooLarge is what is left of most of it.
var tooLarge = Shared(NewUnknown(TooLarge))

// fitting makes the parts of a function value that are too large unknown: which function
// it is must not be lost for what it was given.
func fitting(parts []*Term) []*Term {
	n := 1
	for _, p := range parts {
		n += p.Size()
	}
	if n <= MaxSize {
		return parts
	}
	out := make([]*Term, len(parts))
	for i, p := range parts {
		if p.Size() > MaxSize/(len(parts)+1) {
			p = p.bare()
		}
		out[i] = p
	}
	return out
}

// bare is what is left of a large term: of a function value which function it is.
func (t *Term) bare() *Term {
	if t.Kind != Closure && t.Kind != Bound {
		return tooLarge
	}
	c := &Term{Kind: t.Kind, Str: t.Str, Args: make([]*Term, len(t.Args))}
	for i := range c.Args {
		c.Args[i] = NewUnknown("too large to follow")
	}
	return c
}

// trimmed is what is left of a term that is too large: of a record or a list the parts
// that are small, in which a condition is said, of a chain of calls which calls they are,
// of a function value which one it is. A map keeps all its keys: who asks for one of its
// elements is given every one, known or not. Others become Unknown as a whole.
func trimmed(t *Term, room int) *Term {
	if b := t.bare(); b.Size() > 1 && b.Size() <= room {
		return b
	}
	switch {
	case t.ofRequest() && room > requestSize:
		return t.over(fewer(t.Args, room-1))
	case t.Kind == Call:
		return trimmedChain(t, room)
	case t.Kind == Alt:
		return trimmedAlt(t, room)
	case t.Kind != Struct && t.Kind != List && t.Kind != Iface, room <= len(t.Args):
		return tooLarge
	}
	return t.over(fewer(t.Args, room-1))
}

// trimmedAlt makes alternatives smaller that all leave something.
func trimmedAlt(t *Term, room int) *Term {
	if room <= len(t.Args) {
		return begun(TooLarge, t.Args)
	}
	ts := fewer(t.Args, room-1)
	for i, u := range ts {
		if u.Kind == Unknown && t.Args[i].Kind != Unknown {
			return begun(TooLarge, t.Args)
		}
	}
	return NewAlt(ts...)
}

// trimmedChain makes the large arguments unknown that the calls of a chain are given.
func trimmedChain(t *Term, room int) *Term {
	var calls []*Term
	given := 0
	for c := t; ; c = c.Args[0] {
		calls = append(calls, c)
		given += len(c.Args) - 1
		if !c.continues() {
			break
		}
	}
	if len(calls) == 1 || len(calls)+given >= room {
		return tooLarge
	}
	first := calls[len(calls)-1]
	args := slices.Clone(first.Args)
	for i := len(calls) - 2; i >= 0; i-- {
		args = append(args, calls[i].Args[1:]...)
	}
	args = fewer(args, room-len(calls))
	chain := first.over(args[:len(first.Args)])
	args = args[len(first.Args):]
	for i := len(calls) - 2; i >= 0; i-- {
		n := len(calls[i].Args) - 1
		chain = calls[i].over(append([]*Term{chain}, args[:n]...))
		args = args[n:]
	}
	return chain
}

// requestSize is more than what the fields of a request and the call that makes it need for
// themselves.
const requestSize = 8

// ofRequest reports whether t is a request that is made by a call, or a field of it: who
// asks what is set in its headers must not lose it for the body that it sends.
func (t *Term) ofRequest() bool {
	for t.Kind == Field {
		t = t.Args[0]
	}
	return t.Kind == Call && strings.HasPrefix(t.Str, "net/http.NewRequest")
}

// continues reports whether a call is made on what another one of the same package gave.
func (t *Term) continues() bool {
	return len(t.Args) > 0 && t.Args[0].Kind == Call && len(t.Args[0].Args) > 0 && t.N == 0 && packageOf(t.Args[0].Str) == packageOf(t.Str)
}

// packageOf is the package of a function.
func packageOf(fn string) string {
	i := strings.LastIndexByte(fn, '/') + 1
	if k := strings.IndexByte(fn[i:], '.'); k >= 0 {
		return strings.TrimLeft(fn[:i+k], "(*")
	}
	return fn
}

// over is t with other parts, which fit.
func (t *Term) over(args []*Term) *Term {
	c := *t
	c.Args, c.key, c.size = args, "", 0
	return &c
}

// fewer makes the largest parts smaller, until they have room together.
func fewer(parts []*Term, room int) []*Term {
	bySize := make([]int, len(parts))
	for i := range bySize {
		bySize[i] = i
	}
	slices.SortStableFunc(bySize, func(i, k int) int { return parts[i].Size() - parts[k].Size() })
	out := slices.Clone(parts)
	for done, i := range bySize {
		if share := room / (len(bySize) - done); out[i].Size() > share {
			out[i] = trimmed(out[i], share)
		}
		room -= out[i].Size()
	}
	return out
}
