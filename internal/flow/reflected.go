package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// What is called by reflection is known where the function, or the name of the method, is.

// callsReflected are the calls that run what a value holds.
var callsReflected = set("reflect.Value.Call", "reflect.Value.CallSlice")

// reflected is what a call by reflection causes.
func (f *fn) reflected(c ssa.CallInstruction, t target, depth int) []*Event {
	var out []*Event
	for _, v := range t.args[0].Alternatives() {
		if known, ok := f.valueCalled(v); ok {
			for _, k := range known {
				out = append(out, f.eventsOfTarget(c, k, depth)...)
			}
			continue
		}
		out = append(out, &Event{
			Kind: Dyn, Key: t.key, Recv: term.NewUnknown(term.Reflected), Site: f.siteOf(c), Chain: []Step{f.step(c)}, Dyn: &DynCall{Results: "()"},
		})
	}
	return out
}

// valueCalled lists the functions that a value of package reflect may be; none of one that was
// looked at where the value was made.
func (f *fn) valueCalled(v *term.Term) (known []target, ok bool) {
	if v.Kind != term.Call || len(v.Args) == 0 {
		return nil, false
	}
	x := v.Args[0]
	switch v.Str {
	case "reflect.ValueOf":
		switch unbox(x).Kind {
		case term.Func, term.Closure, term.Bound:
			return nil, true
		}
	case "reflect.Value.MethodByName":
		name, isName := term.StringValue(v.Args[1])
		if !isName || x.Kind != term.Call || x.Str != "reflect.ValueOf" || x.Args[0].Kind != term.Iface {
			return nil, false
		}
		t, found := f.concrete(x.Args[0].Str, name, []*term.Term{x.Args[0]})
		return []target{t}, found
	}
	return nil, false
}
