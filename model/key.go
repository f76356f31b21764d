package model

import (
	"go/types"
	"strings"

	"github.com/fencelint/fencelint/model/index"
)

// Key returns the canonical key of a function or method: import path, receiver
// type without pointer and type arguments, name, joined with dots. For a method
// of an interface or one that is promoted through embedding, the receiver is the
// type that declares it. The key of a method of an unnamed type is "".
func Key(fn *types.Func) string {
	fn = fn.Origin()
	recv, ok := receiver(fn)
	if !ok {
		return ""
	}
	pkg := ""
	if fn.Pkg() != nil {
		pkg = fn.Pkg().Path()
	}
	return joinKey(pkg, recv, fn.Name())
}

func joinKey(pkg, recv, name string) string {
	switch {
	case pkg == "" && recv == "":
		return name
	case pkg == "":
		return recv + "." + name
	case recv == "":
		return pkg + "." + name
	}
	return pkg + "." + recv + "." + name
}

// receiver returns the name of the declaring type, "" for a plain function, and
// false for a method without a named receiver.
func receiver(fn *types.Func) (string, bool) {
	r := fn.Signature().Recv()
	if r == nil {
		return "", true
	}
	if obj := typeName(r.Type()); obj != nil {
		return obj.Name(), true
	}
	return "", false
}

// typeName returns the declaration behind t, its pointer taken off; nil if t has none.
func typeName(t types.Type) *types.TypeName {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// splitKey calls f with each way to read a key as import path and object; it
// stops when f returns true. Elements of import paths may contain dots.
func splitKey(key string, f func(pkg, recv, name string) bool) {
	slash := strings.LastIndexByte(key, '/') + 1
	last := strings.LastIndexByte(key[slash:], '.')
	if last < 0 {
		return
	}
	last += slash
	if prev := strings.LastIndexByte(key[slash:last], '.'); prev >= 0 {
		prev += slash
		if f(key[:prev], key[prev+1:last], key[last+1:]) {
			return
		}
	}
	f(key[:last], "", key[last+1:])
}

// MatchName reports whether a name of a type or function is that of a row, in which "*"
// stands for any text.
func MatchName(pattern, name string) bool { return index.MatchWord(pattern, name) }
