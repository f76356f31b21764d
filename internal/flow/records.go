package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// A mapper is handed a pointer to a record, and stores what the record holds when the
// statement is sent. Of a record that comes from elsewhere only the fields are known that
// this function assigns on the way.

// maxFields bounds the fields of a record that are all listed.
const maxFields = 16

// mapped reports whether a call stores a record that it, or a step before it, was handed.
func mapped(s *model.Sink) bool {
	return strings.HasPrefix(s.Kind, "orm_") || s.Kind == "builder_terminal"
}

// withRecords puts in place of the records that a write stores what they are then.
func (f *fn) withRecords(e *Event, c ssa.CallInstruction) {
	if f.f == nil || f.heaped == underWay {
		return
	}
	if f.fillHeap(); len(f.heap) == 0 {
		return
	}
	s := &term.Subst{Boxed: func(t *term.Term) *term.Term { return f.recordAt(t, c) }}
	if e.Recv != nil {
		e.Recv = s.Apply(e.Recv)
	}
	args := make([]*term.Term, len(e.Args))
	for i, a := range e.Args {
		args[i] = s.Apply(a)
	}
	e.Args = args
}

// recordAt is a record in an interface as it stands at a call; nil if this function
// assigns none of its fields before.
func (f *fn) recordAt(boxed *term.Term, c ssa.CallInstruction) *term.Term {
	base := unbox(boxed)
	typ := strings.TrimPrefix(boxed.Str, "*")
	if base.Kind == term.Struct || base.Kind == term.Const || base.Kind == term.Unknown || typ == "" {
		return nil
	}
	var names []string
	var vals []*term.Term
	set := func(name string) bool {
		v, plain := f.fieldAt(name, base, c), term.NewField(name, base)
		names, vals = append(names, name), append(vals, v)
		return !v.Equal(plain)
	}
	fields := f.fieldsOf(typ)
	some := false
	for _, name := range fields {
		some = set(name) || some
	}
	if !some {
		return nil
	}
	if len(fields) > maxFields {
		all := names
		values := vals
		names, vals = nil, nil
		for i, name := range all {
			if !values[i].Equal(term.NewField(name, base)) {
				names, vals = append(names, name), append(vals, values[i])
			}
		}
	}
	t := term.NewStruct(typ, "", names, vals)
	if t.Kind != term.Struct {
		return nil
	}
	t.Open = len(fields) > maxFields
	return term.NewIface(boxed.Str, t)
}

// fieldsOf lists the fields of a struct type by their full names, nil if it is not at hand.
func (f *fn) fieldsOf(typ string) []string {
	t := f.a.typeOf(typ)
	if t == nil {
		return nil
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []string
	for i := range st.NumFields() {
		out = append(out, typ+"."+st.Field(i).Name())
	}
	return out
}

// reads reports whether a call fills a record with what it reads.
func (f *fn) reads(c ssa.CallInstruction) bool {
	key := callKey(c.Common())
	if strings.Contains(key, selectModel) {
		return true
	}
	m := f.a.Models.FuncKey(key)
	if m == nil || m.Sink == nil || m.Sink.Value.Root != "arg" {
		return false
	}
	return m.Sink.Boundary == "read" || m.Sink.Kind == "query_row"
}

// selectModel is the step of a chain that is given the record which the chain reads.
const selectModel = ".SelectQuery.Model"

// givesRecord reports whether a call is that step, of a library which has one for all chains
// or for those that read.
func givesRecord(key string) bool {
	return strings.Contains(key, selectModel) || isModel(key) && chainedReads[packageOfKey(key)] != nil && !strings.Contains(key, "Query.Model")
}

func isModel(key string) bool {
	return strings.HasSuffix(key, ".Model") || strings.HasSuffix(key, ".ModelContext")
}

// read is what a call that reads writes to the record behind an address.
func (f *fn) read(c ssa.CallInstruction, boxed *ssa.MakeInterface) *term.Term {
	key := callKey(c.Common())
	if !givesRecord(key) || len(c.Common().Args) == 0 {
		return f.written(c, argumentAt(c, boxed), boxed)
	}
	lock := term.NewString("")
	for v := c.Value(); v != nil; {
		var next *ssa.Call
		for _, r := range *v.Referrers() {
			if s, ok := r.(*ssa.Call); ok && len(s.Call.Args) > 0 && s.Call.Args[0] == ssa.Value(v) {
				next = s
			}
		}
		if next != nil && strings.HasSuffix(callKey(next.Common()), "Query.For") {
			lock = f.value(next.Call.Args[1])
		}
		v = next
	}
	return term.NewCall(key, f.siteOf(c), OutParam, f.value(c.Common().Args[0]), lock)
}

// argumentAt is the number of the argument by which a call is given a value, or a list with
// the value.
func argumentAt(c ssa.CallInstruction, v ssa.Value) int {
	common := c.Common()
	for i, a := range common.Args {
		if a == v {
			if common.Signature().Recv() != nil && !common.IsInvoke() {
				i--
			}
			return i
		}
	}
	return 0
}
