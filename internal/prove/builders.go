package prove

import (
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// built is a statement that a library puts together; open says that a caller which is not
// seen has begun it.
type built struct {
	*writing
	open bool
}

// builders put together what the calls of such libraries send, in each of its forms; false
// leaves a call to the other tables.
var builders = map[string]func(*judge, *flow.Event, *model.Sink) ([]built, bool){}

// builtBy are the statements of a write that a library puts together.
func (j *judge) builtBy(w *flow.Event, s *model.Sink) ([]built, bool) {
	if f := builders[s.Lib]; f != nil {
		return f(j, w, s)
	}
	return nil, false
}

// builtStatements are those among them that are known, for what is asked of any statement.
func (j *judge) builtStatements(w *flow.Event, s *model.Sink) []stated {
	forms, _ := j.builtBy(w, s)
	var out []stated
	for _, b := range forms {
		stmt, args := b.statement()
		out = append(out, stated{j.widen(stmt), args})
	}
	return out
}

// formsDecision judges a write in each of its forms.
func (j *judge) formsDecision(p *pair, forms []built) decision {
	d := decision{}
	for _, b := range forms {
		d = worse(d, j.builtDecision(p, b.writing, b.open))
	}
	return d
}

// failedForm is a statement of which nothing is known.
func failedForm(reason string, open bool) []built {
	w := &writing{}
	w.fail(reason)
	return []built{{w, open}}
}

// formsOfChain puts together the forms of a chain that a write ends; write puts one into the
// words of SQL.
func formsOfChain(e *flow.Event, pkg string, write func(*writing, []step)) []built {
	lists, roots := chains(e.Recv, pkg)
	if len(lists) == 0 {
		return failedForm(roots[0].Str, false)
	}
	var out []built
	for i, steps := range lists {
		w := &writing{dollar: true}
		switch {
		case len(steps) > 0:
			write(w, steps)
		case roots[i] != nil && roots[i].Kind == term.Unknown:
			w.fail(roots[i].Str)
		default:
			w.fail(outOfSight)
		}
		out = append(out, built{w, e.Recv.Symbolic() && w.failed == outOfSight})
	}
	return out
}
