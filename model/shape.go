package model

import "go/types"

// Shape returns what is known of a method by its name and signature alone: a
// method of the program's own interface that looks like one of a modelled client,
// such as ExecContext(context.Context, string, ...any) (sql.Result, error).
// Its row has no receiver and no carrier, since any client may be behind it.
// It is nil for functions, for methods of concrete types, and for what no row
// resembles.
func (t *Table) Shape(fn *types.Func) *Call {
	sig := fn.Signature()
	if sig.Recv() == nil || !types.IsInterface(sig.Recv().Type()) || sig.Results().Len() == 0 {
		return nil
	}
	result := sig.Results().At(0).Type()
	carrier := t.Carrier(result)
	if carrier == "" {
		return nil
	}
	path := typeName(result).Pkg().Path()
	for ; t != nil; t = t.base {
		c := t.content(path)
		if c == nil {
			continue
		}
		for _, l := range c.doc.libs {
			for _, s := range l.Sinks {
				if s.Method == fn.Name() && s.GivesCarrier == carrier && s.resembles(sig) {
					row := *s
					row.Recv, row.DeclaredOn, row.Carrier, row.ByShape = "", nil, "", true
					return &Call{Sink: &row}
				}
			}
		}
	}
	return nil
}

// resembles reports that text and bind arguments stand where the row has them.
func (s *Sink) resembles(sig *types.Signature) bool {
	if s.Recv == "" || s.Gives.Root != "ret" || s.Gives.Index != 0 || s.Condition == "receiver" {
		return false
	}
	params := sig.Params()
	if s.Stmt >= params.Len() || s.Args >= params.Len() {
		return false
	}
	if s.Stmt >= 0 && !types.Identical(params.At(s.Stmt).Type(), types.Typ[types.String]) {
		return false
	}
	return s.Args < 0 || sig.Variadic() && s.Args == params.Len()-1
}
