package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

const bigtablePath = "cloud.google.com/go/bigtable"

func init() { profiles["bt.cond"] = bigtableApply }

// bigtableApply judges a mutation of one row: a conditional one has two mutations, of which
// a filter on the row chooses.
func bigtableApply(j *judge, p *pair) decision {
	if len(p.w.Args) < 3 {
		return notInSight("the mutation is not in sight")
	}
	d := decision{}
	for _, m := range term.Settle(p.w.Args[2]).Alternatives() {
		d = worse(d, j.bigtableMutation(p, unboxed(m)))
	}
	return d
}

func (j *judge) bigtableMutation(p *pair, m *term.Term) decision {
	switch {
	case m.Kind != term.Call || !strings.HasPrefix(m.Str, bigtablePath+"."):
		d := notInSight("the mutation is put together out of sight")
		if m.Symbolic() {
			d.verdict, d.rule = waiting, ""
		}
		return d
	case lastPart(m.Str) != "NewCondMutation" || len(m.Args) != 3:
		return unconditional("the mutation has no condition")
	}
	then, otherwise := term.IsZero(m.Args[1]), term.IsZero(m.Args[2])
	values, whole := j.valueFilters(m.Args[0])
	switch {
	case !then && !otherwise:
		return unconditional("one of its two mutations is applied, whatever the row holds")
	case !whole:
		return notInSight("the filter of the condition is not read")
	case len(values) == 0 && then: // nothing is there
		return createdOnce(p.w.Args[1], "only the first one writes where nothing is")
	case len(values) == 0:
		return unconditional("the mutation is refused only where nothing is")
	case len(values) > 1 || then || lastPart(values[0].Str) != "ValueFilter":
		return notInSight("the values that the filter admits are compared byte by byte, which is not read")
	}
	b := bound{term: values[0].Args[0], origins: j.origins(values[0].Args[0])}
	if !b.isVersion() {
		return notInSight("the value that the filter compares was not read from the row")
	}
	return j.bigtableCas(p)
}

// bigtableCas compares a value that was read. It is a compare-and-set if the mutation stores
// another one, which is not followed; the answer comes through a variable of the caller.
func (j *judge) bigtableCas(p *pair) decision {
	asked := term.NewList(false, p.w.Args[3:]...).Any(func(u *term.Term) bool {
		return u.Kind == term.Call && u.Str == bigtablePath+".GetCondMutationResult"
	})
	if !asked {
		return j.casVerdict(p.answering(func(flow.Outcome) bool { return false }), decision{}, false)
	}
	d := notInSight("the value that was read is compared, and whether the mutation stores another one is not followed")
	d.guard = "cas"
	return d
}

// valueFilters lists the filters on values that a row must pass; false if there may be
// others. Filters that choose cells say where is looked.
func (j *judge) valueFilters(filter *term.Term) (out []*term.Term, whole bool) {
	f := unboxed(term.Settle(filter))
	if f.Kind != term.Call || !strings.HasPrefix(f.Str, bigtablePath+".") {
		return nil, false
	}
	switch lastPart(f.Str) {
	case "ValueFilter", "ValueRangeFilter":
		return []*term.Term{f}, true
	case "ChainFilters":
		parts, ok := elements(term.NewList(false, f.Args...))
		if len(f.Args) == 1 {
			parts, ok = elements(f.Args[0])
		}
		whole = ok
		for _, x := range parts {
			more, all := j.valueFilters(x)
			out, whole = append(out, more...), whole && all
		}
		return out, whole
	case "PassAllFilter", "RowKeyFilter", "FamilyFilter", "ColumnFilter", "ColumnRangeFilter", "LatestNFilter", "CellsPerRowLimitFilter", "StripValueFilter":
		return nil, true
	}
	return nil, false
}
