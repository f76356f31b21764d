package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Numbers that are kept in a map which is a field: what is read there under a key of which
// nothing is known is one of those that any code of the package puts there.

// EntryValues lists what any code of the package puts into a map that a field holds.
func (a *Analysis) EntryValues(field string) []*term.Term { return a.fields[field+elemMark] }

// entryStore notes a number that is put into a map.
func (a *Analysis) entryStore(x *fn, m, v ssa.Value) {
	if b, ok := v.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return
	}
	load, ok := m.(*ssa.UnOp)
	if !ok {
		return
	}
	if fa, ok := load.X.(*ssa.FieldAddr); ok && !x.triesOut(fa) {
		a.storedIn(a.known.field(fa.X.Type(), fa.Field)+elemMark, x.value(v))
	}
}

// syncPuts and SyncGets are the methods of a map of package sync that put a value there, by
// the number of that, and those that give one.
var syncPuts = map[string]int{"sync.Map.Store": 2, "sync.Map.LoadOrStore": 2, "sync.Map.Swap": 2, "sync.Map.CompareAndSwap": 3}

// GivesEntry reports whether a function gives what is in a map of package sync.
func GivesEntry(key string) bool {
	switch key {
	case "sync.Map.Load", "sync.Map.LoadOrStore", "sync.Map.LoadAndDelete", "sync.Map.Swap":
		return true
	}
	return false
}

// syncEntry notes what is put into a map of package sync.
func (a *Analysis) syncEntry(x *fn, c ssa.CallInstruction) {
	n := syncPuts[a.known.called(c.Common()).key]
	if args := c.Common().Args; n > 0 && n < len(args) {
		if fa, ok := args[0].(*ssa.FieldAddr); ok && !x.triesOut(fa) {
			a.storedIn(a.known.field(fa.X.Type(), fa.Field)+elemMark, x.value(args[n]))
		}
	}
}
