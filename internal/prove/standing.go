package prove

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"

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

// oneStatement makes one finding of those about one statement in the holds of one lock that
// several functions take by the same helper: what mends the statement mends them all. The
// first one leads to the others.
func oneStatement(fs []Finding) []Finding {
	slices.SortStableFunc(fs, func(a, b Finding) int { return cmp.Compare(a.Pos, b.Pos) })
	first := make(map[[3]string]int)
	var out []Finding
	for _, f := range fs {
		at := f.leaves()
		if f.cause == nil || at == (Place{}) || !f.cause.statement {
			out = append(out, f)
			continue
		}
		k := [3]string{f.Rule, fmt.Sprint(f.cause.Lock.Place), fmt.Sprint(at)}
		i, again := first[k]
		if !again {
			first[k] = len(out)
			out = append(out, f)
			continue
		}
		o := &out[i]
		o.Related = append(slices.Clip(o.Related), Related{Place: f.cause.At.Place, Pos: f.Pos, Message: "the same is reached from here, under the same lock"})
	}
	return out
}
