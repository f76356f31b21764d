package flow

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// built is the text in a strings.Builder or bytes.Buffer where its String is
// called: the pieces written before, in order. What is written on some paths
// only may be missing; what is written in a loop is not known.
func (f *fn) built(c *ssa.Call) *term.Term {
	buf, ok := c.Common().Args[0].(*ssa.Alloc)
	if !ok {
		return nil
	}
	var pieces []piece
	for _, r := range *buf.Referrers() {
		switch r := r.(type) {
		case ssa.CallInstruction:
			if r != c {
				pieces = append(pieces, piece{r, f.pieceOf(r)})
			}
		case *ssa.MakeInterface: // fmt.Fprintf(&b, …)
			for _, u := range *r.Referrers() {
				if w, ok := u.(ssa.CallInstruction); ok {
					pieces = append(pieces, piece{w, f.pieceOf(w)})
				}
			}
		case *ssa.DebugRef:
		default:
			return nil
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(f.ordinal(a.at), f.ordinal(b.at)) })
	var parts []*term.Term
	for _, p := range pieces {
		if p.text != nil && f.ordinal(p.at) < f.ordinal(c) {
			parts = append(parts, f.writtenBefore(p, c))
		}
	}
	return term.NewConcat(parts...)
}

// piece is one write to a buffer; text is nil if the call writes nothing.
type piece struct {
	at   ssa.CallInstruction
	text *term.Term
}

func (f *fn) pieceOf(c ssa.CallInstruction) *term.Term {
	key, args := f.callee(c.Common())
	switch key {
	case "strings.Builder.WriteString", "bytes.Buffer.WriteString":
		return args[1]
	case "strings.Builder.WriteByte", "bytes.Buffer.WriteByte", "strings.Builder.WriteRune", "bytes.Buffer.WriteRune":
		if n, ok := term.IntValue(args[1]); ok {
			return term.NewString(string(rune(n)))
		}
		return term.NewUnknown("a single character")
	case "fmt.Fprintf":
		if t := foldSprintf(args[1:], 0); t != nil {
			return t
		}
		return term.NewUnknown("formatted text")
	case "fmt.Fprint":
		if t := foldSprint(args[1:]); t != nil {
			return t
		}
		return term.NewUnknown("formatted text")
	case "strings.Builder.Len", "strings.Builder.Cap", "strings.Builder.Grow", "bytes.Buffer.Len", "strings.Builder.String", "bytes.Buffer.String":
		return nil
	}
	return term.NewUnknown("text that " + key + " writes")
}

func (f *fn) writtenBefore(p piece, c ssa.CallInstruction) *term.Term {
	switch {
	case inLoop(p.at.Block()) && p.at.Block() != c.Block():
		return term.NewUnknown("text that is added in a loop")
	case f.before(p.at, c):
		return p.text
	}
	return term.NewAlt(p.text, term.NewString(""))
}

// inLoop reports whether a block can come again.
func inLoop(b *ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	work := slices.Clone(b.Succs)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == b {
			return true
		}
		if !seen[x] {
			seen[x] = true
			work = append(work, x.Succs...)
		}
	}
	return false
}
