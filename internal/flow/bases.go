package flow

import "github.com/fencelint/fencelint/internal/term"

// findBase finds the base of a write once more, now that it is known what fields hold. It
// may be asked for while it is found, and so may others whose bases need this one: they are
// found anew when the outermost is done, each once, or they would be in every order.
func (f *fn) findBase(st *heapStore) {
	again := st.again
	if again == nil {
		return
	}
	st.again = nil
	f.finding++
	now := again()
	f.finding--
	if !now.Any(fromItself) {
		st.base = now
	} else if st.asked++; st.asked < maxAsked {
		f.unfound = append(f.unfound, func() { st.again = again })
	}
	if f.finding == 0 {
		for _, anew := range f.unfound {
			anew()
		}
		f.unfound = nil
	}
}

// maxAsked bounds how often the base of a write is found anew.
const maxAsked = 3

func fromItself(t *term.Term) bool { return t.Kind == term.Unknown && t.Str == term.FromItself }
