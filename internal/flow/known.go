package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/model"
)

// known keeps what a name alone says. On every way through its callers a function is
// asked for its name and its model, and to spell the one and look up the other took a
// tenth of the time.
type known struct {
	models *model.Table
	ids    map[*ssa.Function]string
	funcs  map[*types.Func]named
	keys   map[string]*model.Call
	fields map[field]string
}

type field struct {
	of types.Type
	i  int
}

// field is fieldName.
func (k *known) field(t types.Type, i int) string {
	name, ok := k.fields[field{t, i}]
	if !ok {
		name = fieldName(t, i)
		k.fields[field{t, i}] = name
	}
	return name
}

// named is a function by name.
type named struct {
	key  string      // of the models
	call *model.Call // nil if no model speaks of it
}

func newKnown(models *model.Table) *known {
	return &known{
		models: models,
		ids:    make(map[*ssa.Function]string),
		funcs:  make(map[*types.Func]named),
		keys:   make(map[string]*model.Call),
		fields: make(map[field]string),
	}
}

// id is funcID.
func (k *known) id(fn *ssa.Function) string {
	id, ok := k.ids[fn]
	if !ok {
		id = funcID(fn)
		k.ids[fn] = id
	}
	return id
}

func (k *known) of(obj *types.Func) named {
	if obj == nil {
		return named{}
	}
	n, ok := k.funcs[obj]
	if !ok {
		n = named{model.Key(obj), k.models.Func(obj)}
		k.funcs[obj] = n
	}
	return n
}

// byKey is what the models say of a function by its key.
func (k *known) byKey(key string) *model.Call {
	call, ok := k.keys[key]
	if !ok {
		call = k.models.FuncKey(key)
		k.keys[key] = call
	}
	return call
}

// called is the function that a call names, or the method; neither has a name if the
// call is that of a function value.
func (k *known) called(c *ssa.CallCommon) named {
	if obj := calledFunc(c); obj != nil {
		return k.of(obj)
	}
	return named{}
}

func calledFunc(c *ssa.CallCommon) *types.Func {
	if c.IsInvoke() {
		return c.Method
	}
	if f := c.StaticCallee(); f != nil {
		obj, _ := f.Object().(*types.Func)
		return obj
	}
	return nil
}
