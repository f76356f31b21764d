package term

// What a context carries is often preferred to something that is always at hand: the
// transaction in it to the pool of connections. The second is an alternative of which it is
// known when it is chosen.

// notChosen is the reason of an alternative that is none, once that is known.
const notChosen = "a value that is not chosen"

// ContextValue is the function that looks for something in a context.
const ContextValue = "context.Context.Value"

// NotChosen reports whether t is an alternative that turned out to be none.
func (t *Term) NotChosen() bool { return t.Kind == Unknown && t.Str == notChosen }

// NewUnless is a value of concrete type typ that is chosen only where a context does not
// carry another one.
func NewUnless(typ string, x, other *Term) *Term {
	if carried(other) {
		return NewUnknown(notChosen)
	}
	if !lookedUp(other) {
		return NewIface(typ, x) // it is not known whether there is another one
	}
	return bounded(&Term{Kind: Iface, Str: typ, Args: []*Term{x, other}})
}

// carried reports whether what a context was asked for is in it, on every way to there.
func carried(t *Term) bool {
	for _, a := range t.Alternatives() {
		switch a.Kind {
		case Unknown, Const:
			return false
		case Call:
			if a.Str == ContextValue {
				return false
			}
		}
	}
	return true
}

// lookedUp reports whether a context is asked for a value that it may carry.
func lookedUp(t *Term) bool {
	for _, a := range t.Alternatives() {
		if a.Kind == Call && a.Str == ContextValue {
			return true
		}
	}
	return false
}

// Unless is what a context does not carry where a value is chosen; nil for other values.
func Unless(t *Term) *Term {
	if t.Kind == Iface && len(t.Args) == 2 {
		return t.Args[1]
	}
	return nil
}

// carries is the question whether a context carries what it is asked for.
const carries = "carried by the context"

// Carries asks whether a context carries something.
func Carries(t *Term) *Term { return NewOp(carries, t) }

// Carried reports whether that is the question, and the answer is yes.
func Carried(t *Term) bool {
	return t.Kind == Op && t.Str == carries && len(t.Args) == 1 && carried(t.Args[0])
}
