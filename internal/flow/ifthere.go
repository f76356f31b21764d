package flow

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
)

// A number that was read may be compared only where there is one, as in
//
//	if cur.Valid && cur.Int64 > epoch { return errStale }
//
// The comparison does not stand on each path to the write then; those without it are the ones
// on which nothing was there to compare with.

// comparedIfThere lists the comparisons that each path from a branch to a block takes, but for
// those on which the branch has found that what is compared is missing.
func (f *fn) comparedIfThere(d *ssa.If, b *ssa.BasicBlock) []Cond {
	asked := presenceOf(d.Cond)
	if asked == nil {
		return nil
	}
	there, missing := d.Block().Succs[0], d.Block().Succs[1]
	if asked.missing {
		there, missing = missing, there
	}
	if len(there.Preds) != 1 || missing != b && !reachable(missing)[b] {
		return nil
	}
	for x := there; x != b; {
		branch, ok := x.Instrs[len(x.Instrs)-1].(*ssa.If)
		if !ok {
			return nil
		}
		yes := x.Succs[0] == b || reachable(x.Succs[0])[b]
		if no := x.Succs[1] == b || reachable(x.Succs[1])[b]; yes == no {
			return nil
		}
		if out := f.comparedNumbers(branch, yes, asked); len(out) > 0 {
			return out
		}
		next := x.Succs[1]
		if yes {
			next = x.Succs[0]
		}
		if len(next.Preds) != 1 {
			return nil
		}
		x = next
	}
	return nil
}

// comparedNumbers are the comparisons of what was asked for that a branch makes itself.
func (f *fn) comparedNumbers(branch *ssa.If, want bool, asked *presence) []Cond {
	c, ok := branch.Cond.(*ssa.BinOp)
	if !ok || !asked.leadsTo(c) {
		return nil
	}
	out := slices.DeleteFunc(f.at(branch, want, f.decided(c, want)), func(c Cond) bool { return !comparesNumbers(c.Term) })
	for i := range out {
		out[i].Null = asked.null
	}
	return out
}

// presence is what a branch asks to be there.
type presence struct {
	missing bool                   // the branch is taken if it is not there
	null    bool                   // what is missing is a value of a record that is there
	is      func(v ssa.Value) bool // whether a value is what was asked for
}

// presenceOf is what a condition asks to be there, nil if it asks for something else.
func presenceOf(cond ssa.Value) *presence {
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			if p := presenceOf(c.X); p != nil {
				p.missing = !p.missing
				return p
			}
			return nil
		}
		return validIn(c)
	case *ssa.BinOp:
		return comparedWithNothing(c)
	case *ssa.Call:
		return errorOfNothing(c)
	}
	return nil
}

// nullableField is the flag of a nullable type: those of database/sql, of pgx, and of packages
// that are named for it.
var nullableField = pattern.New(`^(database/sql\.Null\w*|.*/pgtype\.\w+|.*[/.]null(/v\d+)?\.\w+)\.Valid$`)

// validIn is for a nullable value that says of itself whether there is one.
func validIn(load *ssa.UnOp) *presence {
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok || load.Op != token.MUL || !nullableField.MatchString(fieldName(fa.X.Type(), fa.Field)) {
		return nil
	}
	return &presence{null: true, is: func(v ssa.Value) bool {
		x, ok := v.(*ssa.FieldAddr)
		return ok && x.Field != fa.Field && sameCell(x.X, fa.X)
	}}
}

// comparedWithNothing is for a pointer that may be nil, and for a text that may be empty.
func comparedWithNothing(c *ssa.BinOp) *presence {
	x, y := c.X, c.Y
	if _, ok := x.(*ssa.Const); ok {
		x, y = y, x
	}
	k, ok := y.(*ssa.Const)
	if !ok || c.Op != token.EQL && c.Op != token.NEQ || isError(x.Type()) {
		return nil
	}
	empty := k.Value != nil && k.Value.ExactString() == `""`
	if !k.IsNil() && !empty {
		return nil
	}
	return &presence{missing: c.Op == token.EQL, null: !empty, is: func(v ssa.Value) bool { return v == x || sameLoad(v, x) }}
}

// errorOfNothing is for an error that says that there was nothing to read: it comes from the
// call that read, or was told where to put what it reads.
func errorOfNothing(c *ssa.Call) *presence {
	if key := callKey(c.Common()); key != "errors.Is" && key != "github.com/pkg/errors.Is" || len(c.Call.Args) != 2 || !meansNothing(c.Call.Args[1]) {
		return nil
	}
	err := c.Call.Args[0]
	if x, ok := err.(*ssa.Extract); ok {
		err = x.Tuple
	}
	read, ok := err.(*ssa.Call)
	if !ok {
		return nil
	}
	return &presence{missing: true, is: func(v ssa.Value) bool {
		if x, ok := v.(*ssa.Extract); ok && x.Tuple == read {
			return true
		}
		_, ok := v.(*ssa.Alloc)
		return ok && slices.ContainsFunc(arguments(read.Common()), func(a ssa.Value) bool { return putsInto(a, v) })
	}}
}

// nothingThere are the errors of stores that say that there was nothing to read.
var nothingThere = set("ErrNoRows", "ErrNoDocuments", "ErrRecordNotFound", "ErrNotFound", "ErrKeyNotFound", "ErrNoNode", "=redis: nil")

func meansNothing(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		c, ok := m.X.(*ssa.Const)
		return ok && c.Value != nil && c.Value.ExactString() == `"redis: nil"`
	}
	name := errorVariable(v)
	return nothingThere[name[strings.LastIndexByte(name, '.')+1:]]
}

// putsInto reports whether an argument is a variable's address, or a list with it.
func putsInto(arg, cell ssa.Value) bool {
	switch a := arg.(type) {
	case *ssa.MakeInterface:
		return putsInto(a.X, cell)
	case *ssa.Slice:
		list, ok := a.X.(*ssa.Alloc)
		return ok && slices.ContainsFunc(*list.Referrers(), func(r ssa.Instruction) bool {
			at, ok := r.(*ssa.IndexAddr)
			return ok && slices.ContainsFunc(*at.Referrers(), func(r ssa.Instruction) bool {
				st, ok := r.(*ssa.Store)
				return ok && st.Addr == at && putsInto(st.Val, cell)
			})
		})
	}
	return arg == cell
}

// sameCell reports whether two addresses are certainly those of one variable, or of one field
// of one.
func sameCell(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok := a.(*ssa.FieldAddr)
	y, ok2 := b.(*ssa.FieldAddr)
	return ok && ok2 && x.Field == y.Field && sameCell(x.X, y.X)
}

// sameLoad reports whether two values are read from one variable.
func sameLoad(a, b ssa.Value) bool {
	x, ok := a.(*ssa.UnOp)
	y, ok2 := b.(*ssa.UnOp)
	return ok && ok2 && x.Op == token.MUL && y.Op == token.MUL && sameCell(x.X, y.X)
}

// maxSideways bounds the values that are looked at behind a comparison.
const maxSideways = 40

// leadsTo reports whether a side of a comparison is computed from what was asked for.
func (p *presence) leadsTo(c *ssa.BinOp) bool {
	todo, seen := []ssa.Value{c.X, c.Y}, map[ssa.Value]bool{}
	for len(todo) > 0 && len(seen) < maxSideways {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		in, ok := v.(ssa.Instruction)
		if !ok || seen[v] {
			continue
		}
		seen[v] = true
		if p.is(v) {
			return true
		}
		switch v.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.Field, *ssa.Convert, *ssa.ChangeType, *ssa.Extract, *ssa.Call:
			for _, op := range in.Operands(nil) {
				if *op != nil {
					todo = append(todo, *op)
				}
			}
		}
	}
	return false
}
