package prove

import (
	"go/ast"
	"slices"
	"strconv"

	"github.com/fencelint/fencelint/internal/flow"
)

// batchDecision judges statements that one call sends, with a number of rows for each. In
// a transaction that a library runs, a refusal that is answered with an error undoes them
// all.
func (j *judge) batchDecision(p *pair, list []stated) decision {
	out := make([]decision, len(list))
	guard := -1
	for i, s := range list {
		d := j.statedDecision(p, s)
		if d.verdict == proved && d.guard == "fence" && !j.countsLookedAt(p.w, i) {
			d.verdict, d.rule, d.reason = refuted, "rejectionignored", "nothing looks at the number of rows of this statement"
		}
		if d.verdict == proved && d.guard == "fence" && d.column != "" {
			guard = i
		}
		out[i] = d
	}
	worst := decision{}
	for _, d := range out {
		if guard >= 0 && j.runsTx(unitOf(p.w)) && d.guard != "fence" && d.verdict != silent && d.resource != "" && d.resource != out[guard].resource {
			d.verdict, d.rule, d.guard, d.guarded = proved, "", "fence", true
			d.reason = "another statement of the same batch refuses obsolete owners, and undoes the transaction"
		}
		worst = worse(worst, d)
	}
	return worst
}

// countsLookedAt reports whether the program looks at the number of rows of statement i:
// in a loop over all numbers, or by its index.
func (j *judge) countsLookedAt(w *flow.Event, i int) bool {
	call := j.callAt(rootEvent(w).Chain[0].Pos)
	for _, f := range j.u.Files {
		if call == nil || f.Pos() > call.Pos() || call.Pos() >= f.End() {
			continue
		}
		counts := resultIdent(f, call)
		if counts == nil {
			return false
		}
		obj := j.u.Info.ObjectOf(counts)
		same := func(e ast.Expr) bool {
			id, ok := e.(*ast.Ident)
			return ok && id != counts && j.u.Info.ObjectOf(id) == obj
		}
		found := false
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				found = found || same(n.X)
			case *ast.IndexExpr:
				v := j.u.Info.Types[n.Index].Value
				found = found || same(n.X) && (v == nil || v.String() == strconv.Itoa(i))
			case *ast.CallExpr, *ast.ReturnStmt:
				found = found || slices.ContainsFunc(handedOver(n), same)
			}
			return !found
		})
		return found
	}
	return false
}

// handedOver are the values that a call or a return hands on.
func handedOver(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "len" {
			return nil
		}
		return n.Args
	case *ast.ReturnStmt:
		return n.Results
	}
	return nil
}

// resultIdent is the variable that takes the first result of a call.
func resultIdent(f *ast.File, call *ast.CallExpr) *ast.Ident {
	var found *ast.Ident
	ast.Inspect(f, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && a.Rhs[0] == ast.Expr(call) {
			found, _ = a.Lhs[0].(*ast.Ident)
		}
		return found == nil
	})
	return found
}
