package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// typedError begins the name of an error that is known by its type: what follows is
// "package.Type".
const typedError = "type "

// isTyped decides errors.As for an error of a known type, nil if it cannot: an
// interface may be met or not.
func isTyped(a abs, target ssa.Value) *abs {
	want, ok := strings.CutPrefix(a.name, typedError)
	if !ok || a.k != nonNil {
		return nil
	}
	if m, ok := target.(*ssa.MakeInterface); ok {
		target = m.X
	}
	ptr, ok := target.Type().(*types.Pointer)
	if !ok || types.IsInterface(ptr.Elem()) {
		return nil
	}
	name := strings.TrimPrefix(typeName(ptr.Elem()), "*")
	b := boolean(name[strings.LastIndexByte(name, '/')+1:] == want)
	b.sig = a.sig
	return &b
}
