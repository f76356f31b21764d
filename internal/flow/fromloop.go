package flow

import (
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// fromLoop tells apart what one call made again and again: of transactions that a loop
// begins, and keeps in variables, what is read behind the loop is known by the variable.
func (f *fn) fromLoop(v ssa.Value, t *term.Term) *term.Term {
	in, ok := v.(ssa.Instruction)
	if !ok || t == nil || f.a.Models.Carrier(v.Type()) != "tx" {
		return t
	}
	for _, a := range t.Alternatives() {
		a = unbox(a)
		if a.Kind != term.Call {
			continue
		}
		_, joins := v.(*ssa.Phi) // what an earlier round left, or this one made
		if x := f.madeAt(a.Site); x != nil && inLoop(x.Block()) && (joins || !comesAfter(x, in) || !comesAfter(in, x)) {
			return term.NewCall("kept", f.siteOf(f.keeper(in)), 0, t)
		}
	}
	return t
}

// keeper is the variable that a value was read from, or the reading itself.
func (f *fn) keeper(in ssa.Instruction) ssa.Instruction {
	u, ok := in.(*ssa.UnOp)
	if !ok {
		return in
	}
	at := u.X
	if fa, ok := at.(*ssa.FieldAddr); ok {
		at = fa.X
	}
	if al, ok := at.(*ssa.Alloc); ok {
		return al
	}
	return in
}

// madeAt is the call of this function in which the value with a site was made.
func (f *fn) madeAt(site string) ssa.Instruction {
	rest, ok := strings.CutPrefix(site, f.id)
	if !ok || !strings.HasPrefix(rest, "@") {
		return nil
	}
	rest = rest[1:]
	rest, _, _ = strings.Cut(rest, "/")
	n, err := strconv.Atoi(rest)
	if err != nil {
		return nil
	}
	for _, b := range f.f.Blocks {
		if n < len(b.Instrs) {
			return b.Instrs[n]
		}
		n -= len(b.Instrs)
	}
	return nil
}
