package prove

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fencelint/fencelint/classify"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/rule/names"
	"github.com/fencelint/fencelint/model"
)

// Run analyses one package. It reports an error only for faults of its own or of
// what it was given (a model file, a fact that cannot be read); what it cannot
// understand in the package is a finding or an unproved verdict.
func Run(u *Unit, o Options) (*Result, error) {
	models, err := o.table()
	if err != nil {
		return nil, err
	}
	if u.Module != "" {
		models = models.For(u.Module)
	}
	set := classify.Read(u.Fset, u.Files, names.All())
	if u.Foreign && set.Empty() && !touches(u, models) {
		return &Result{}, nil
	}
	imported, err := flow.Join(importPaths(u), u.ImportFact)
	if err != nil {
		return nil, err
	}
	j := &judge{
		u: u, o: o, set: set, models: models,
		decided: make(map[[2]*flow.Event]decision), proofs: newProofs(), rows: make(map[*flow.Event]*Row), kept: make(map[*flow.Event]bool),
		keys: make(map[string]*flow.Event), classAt: make(map[flow.Place]*flow.LockClass), words: make(map[string]bool), implement: make(map[string][]string), writesNot: make(map[string]bool), unchosen: make(map[string]string), byType: make(map[*flow.Event]bool),
	}
	j.a = flow.Run(flow.Input{
		Fset: u.Fset, Files: u.Files, Pkg: u.Pkg, Info: u.Info, Models: models, Classes: set, ReadFile: u.ReadFile, Imported: imported, Grips: j.grips,
	})
	sums := j.a.Functions()
	j.signs(sums)
	j.uses = usesOf(sums)
	for _, s := range sums {
		j.register(s)
	}
	j.beliefs(sums)
	for _, s := range sums {
		j.function(s)
	}
	j.settle()
	j.mixed()
	j.freeing(sums)
	j.ownWrites(sums)
	j.contradictions()
	j.wrappers()
	j.passed()
	j.peers(sums)
	j.lockConversions(sums)
	j.closeLocks(sums)
	j.openLocks(sums)
	j.conversions()
	j.bypasses(sums)
	j.closeMain()
	j.meet()
	j.uselessLocks(sums)
	j.directives()
	j.oncePerCause()
	res, err := j.result()
	if err == nil {
		err = imported.Err()
	}
	if o.Trace && err == nil {
		res.Loose = j.loose(sums)
	}
	return res, err
}

func (o Options) table() (*model.Table, error) {
	if o.Table != nil {
		return o.Table, nil
	}
	return model.Builtin().With(o.Models)
}

func importPaths(u *Unit) []string {
	if u.ImportFact == nil {
		u.ImportFact = func(string) []byte { return nil }
	}
	var out []string
	for _, p := range u.Pkg.Imports() {
		out = append(out, p.Path())
	}
	return out
}

// touches reports whether a package of another module imports a lock or a store,
// and is not itself covered by a model.
func touches(u *Unit, models *model.Table) bool {
	return !models.Leaf(u.Pkg.Path()) && slices.ContainsFunc(importPaths(u), models.Stores)
}

// directives reports faulty and unused directives.
func (j *judge) directives() {
	for _, p := range slices.Concat(j.set.Problems(), j.set.Unused()) {
		j.add(Finding{Rule: "fencedirective", Pos: p.Pos, End: p.End, Message: p.Message, Key: "fencedirective|" + p.Message})
	}
}

func (j *judge) result() (*Result, error) {
	res := &Result{Findings: j.findings}
	for i := range res.Findings {
		j.handWritten(&res.Findings[i])
	}
	res.Findings = oneStatement(res.Findings)
	slices.SortFunc(res.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Rule, b.Rule), comparePlaces(a.leaves(), b.leaves()), cmp.Compare(a.Message, b.Message))
	})
	res.Findings = onePerCall(res.Findings)
	for _, e := range j.order {
		res.Rows = append(res.Rows, *j.rows[e])
	}
	slices.SortStableFunc(res.Rows, func(a, b Row) int { return comparePlaces(a.Place, b.Place) })
	for i := range res.Rows {
		slices.SortStableFunc(res.Rows[i].Boundaries, func(a, b Boundary) int { return comparePlaces(a.Place, b.Place) })
	}
	var err error
	res.Fact, err = j.fact()
	return res, err
}

// fact is what packages that import this one have to know.
func (j *judge) fact() ([]byte, error) {
	if j.o.Facts == FactUnused {
		return nil, nil
	}
	fact := j.a.Export(j.duties)
	fact.Touches = j.touched()
	fact.Reported = j.reportedIn(fact)
	data, err := fact.Encode(j.o.Facts == FactKept)
	if err != nil {
		return nil, fmt.Errorf("writing the summaries of %s: %w", j.u.Pkg.Path(), err)
	}
	return data, nil
}

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Pkg, b.Pkg), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
}
