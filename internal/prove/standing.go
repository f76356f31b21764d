package prove

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
)

// Where a finding stands, once it is known what it says.

// handWritten moves a finding from a generated file, which nobody mends, to the last step of
// its way that a person has written: the call through which the write is reached, or else
// the lock.
func (j *judge) handWritten(f *Finding) {
	if !f.Pos.IsValid() || !j.generated(f.Pos) {
		return
	}
	for _, r := range slices.Backward(f.Related) {
		if r.Pos.IsValid() && !j.generated(r.Pos) && r.Message != leavesHere {
			f.Pos, f.End = r.Pos, j.endOf(r.Pos)
			return
		}
	}
}

// generated reports whether a position is in a file that says that it is generated.
func (j *judge) generated(pos token.Pos) bool {
	return slices.ContainsFunc(j.u.Files, func(f *ast.File) bool {
		return f.FileStart <= pos && pos < f.FileEnd && ast.IsGenerated(f)
	})
}

// leavesHere is what a finding says of the place where the write leaves the process.
const leavesHere = "and leaves the process here"

// acquiredHere is what a finding says of the place where the lock is taken.
const acquiredHere = "the lock is acquired here"

// leaves is where the write leaves the process, the zero Place if that is where the finding
// stands.
func (f *Finding) leaves() Place {
	for _, r := range f.Related {
		if r.Message == leavesHere {
			return r.Place
		}
	}
	return Place{}
}

// bottomStep is the last step of a way, at which the call itself stands.
func bottomStep(w *flow.Event) flow.Step {
	if len(w.Chain) == 0 {
		return flow.Step{}
	}
	return w.Chain[len(w.Chain)-1]
}

// ofStatement reports whether a finding is about a statement, whoever sends it, in the hold
// of a lock; it gives the places of both.
func (f *Finding) ofStatement() (at, lock Place, ok bool) {
	if f.cause != nil && !f.cause.statement || f.cause == nil && f.Rule != "unfencedwrite" && f.Rule != "unprovedwrite" {
		return at, lock, false
	}
	for _, r := range f.Related {
		if r.Message == acquiredHere {
			lock = r.Place
		}
	}
	at = f.leaves()
	return at, lock, at != (Place{}) && lock != (Place{})
}

// oneStatement makes one finding of those about one statement in the holds of one lock that
// several functions take by the same helper, or that several conversions bring together:
// what mends the statement mends them all. The first one leads to the others.
func oneStatement(fs []Finding) []Finding {
	slices.SortStableFunc(fs, func(a, b Finding) int { return cmp.Compare(a.Pos, b.Pos) })
	type key struct {
		rule     string
		at, lock Place
		holder   string // of what is said at a conversion
	}
	first := make(map[key]int)
	var out []Finding
	for _, f := range fs {
		at, lock, ok := f.ofStatement()
		k := key{f.Rule, at, lock, ""}
		if f.cause == nil {
			k.holder = f.Key
		}
		i, again := first[k]
		switch {
		case !ok:
		case again:
			out[i].also(f)
			continue
		default:
			first[k] = len(out)
		}
		out = append(out, f)
	}
	return out
}

// also lets a finding lead to another one of the same cause.
func (f *Finding) also(g Finding) {
	const again = "the same is reached from here, under the same lock"
	if f.Pos != g.Pos && !slices.ContainsFunc(f.Related, func(r Related) bool { return r.Pos == g.Pos && r.Message == again }) {
		f.Related = append(slices.Clip(f.Related), Related{Pos: g.Pos, Message: again})
	}
}

// othersShown bounds how many further writes a finding leads to.
const othersShown = 4

// onePerCall keeps the first of the findings of a rule at a call, which leads to the other
// writes that the call comes to: who mends it mends them, too.
func onePerCall(fs []Finding) []Finding {
	var out []Finding
	for _, f := range fs {
		if n := len(out); n > 0 && out[n-1].Pos == f.Pos && out[n-1].Rule == f.Rule {
			out[n-1].alike(f.leaves())
			continue
		}
		out = append(out, f)
	}
	return out
}

// alike lets a finding lead to another write of its call.
func (f *Finding) alike(at Place) {
	const other = "and so does another write that is open in the same way"
	if at == (Place{}) || slices.Contains(f.beyond, at) || slices.ContainsFunc(f.Related, func(r Related) bool { return r.Place == at }) {
		return
	}
	f.Related = slices.Clone(f.Related)
	shown, last := 0, 0
	for i, r := range f.Related {
		if strings.HasPrefix(r.Message, other) {
			shown, last = shown+1, i
		}
	}
	if shown < othersShown {
		f.Related = append(f.Related, Related{Place: at, Message: other})
		return
	}
	f.beyond = append(slices.Clip(f.beyond), at)
	f.Related[last].Message = fmt.Sprintf("%s, and so do %d more, which the register lists", other, len(f.beyond))
}
