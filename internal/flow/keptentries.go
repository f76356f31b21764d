package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Locks that are taken one by one are kept in maps: that an entry is there tells.

// rangedCarrier is the carrier over whose elements a loop runs: what is there is kept while
// its lock is held.
func (f *fn) rangedCarrier(in *ssa.Next) *Carrier {
	over, ok := in.Iter.(*ssa.Range)
	if !ok || in.IsString {
		return nil
	}
	m, ok := over.X.Type().Underlying().(*types.Map)
	if !ok || isBoolean(m.Elem()) {
		return nil
	}
	return f.entryCarrier(over.X)
}

// entryCarrier is the carrier of which the entries of a map tell that they are there.
func (f *fn) entryCarrier(m ssa.Value) *Carrier {
	c := f.a.carriers[f.a.places.find(partOf("elem", f.a.places.name(m)))]
	if c == nil || c.Yes != "e" {
		return nil
	}
	return c
}

// syncMapVerbs say what the methods of sync.Map do with an entry.
var syncMapVerbs = map[string]mapVerb{
	"sync.Map.Store": puts, "sync.Map.Swap": puts, "sync.Map.LoadOrStore": puts,
	"sync.Map.Delete": drops, "sync.Map.LoadAndDelete": drops, "sync.Map.Clear": drops, "sync.Map.CompareAndDelete": drops,
	"sync.Map.Load": looks,
}

// mapVerb is what a method does with an entry of a map.
type mapVerb uint8

const (
	puts mapVerb = iota + 1
	drops
	looks
)

// markOfSyncMap is the setting of an entry, or its end, by a method of sync.Map.
func (p *places) markOfSyncMap(c ssa.CallInstruction) (mark, bool) {
	args := c.Common().Args
	verb := syncMapVerbs[p.a.known.called(c.Common()).key]
	if verb != drops && (verb != puts || len(args) != 3) {
		return mark{}, false
	}
	i := len(args) - 1
	v := boxedIn(args[i])
	return mark{in: c, name: partOf("elem", p.name(args[0])), val: v, typ: v.Type(), arg: i, entry: true, gone: verb == drops}, true
}

// syncMapAsked is the carrier whose entry a call looks up in a sync.Map.
func (f *fn) syncMapAsked(c *ssa.CallCommon) *Carrier {
	if syncMapVerbs[f.a.known.called(c).key] != looks || len(c.Args) == 0 {
		return nil
	}
	return f.entryCarrier(c.Args[0])
}
