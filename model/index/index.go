// Package index knows what the models say of import paths before any of them is read.
//
// What enters is an import path; what leaves is how much a program that imports it
// matters. It must not know how models are written, and depends on next to nothing: most
// runs of the vet tool ask it one question, and end.
package index

import (
	"slices"
	"strings"
)

// Weight orders import paths by what a program does that uses them.
type Weight uint8

// The weights.
const (
	Unmodelled Weight = iota // nothing is known of the path
	Silent                   // known to have no effect at all
	Quiet                    // some calls write to a writer, a log or a carrier: no effect that counts by itself
	Files                    // files, which count only where they are shared
	Effect                   // external effects: requests, mail, payments
	Store                    // stores, caches and queues
	Locking                  // locks, leases, leadership
)

// Entry says in which file an import path is described.
type Entry struct {
	Path   string
	File   uint8 // index in files
	Weight Weight
}

// Kind says in which files entries of a kind are that no object leads to.
type Kind struct {
	Kind  string
	Files []uint8
}

// Index is what must be known before anything is parsed. All lists are sorted.
type Index struct {
	Files    []string
	Paths    []Entry  // plain import paths
	Patterns []Entry  // paths with "*" or "..."
	Modules  []string // module roots
	Kinds    []Kind
}

// Find returns the entry of an import path, nil if it is not modelled.
func (x *Index) Find(path string) *Entry {
	i, ok := slices.BinarySearchFunc(x.Paths, path, func(e Entry, p string) int { return strings.Compare(e.Path, p) })
	if ok {
		return &x.Paths[i]
	}
	first, _, _ := strings.Cut(path, "/") // no pattern has a "*" in it
	for i := range x.Patterns {
		if p := &x.Patterns[i]; strings.HasPrefix(p.Path, first) && MatchPath(p.Path, path) {
			return p
		}
	}
	return nil
}

// Leaf reports whether a package lies in one of the modules.
func (x *Index) Leaf(path string) bool { return x.Module(path) != "" }

// Module is the one of the modules in which a package lies, "" for none.
func (x *Index) Module(path string) string {
	for p := path; p != ""; {
		if _, ok := slices.BinarySearch(x.Modules, p); ok {
			return p
		}
		p = p[:max(0, strings.LastIndexByte(p, '/'))]
	}
	return ""
}

// Weight says what kind of thing an import path is known for.
func (x *Index) Weight(path string) Weight {
	if e := x.Find(path); e != nil {
		return e.Weight
	}
	return Unmodelled
}

// Stores reports that the import path is that of a lock, a store, a cache or a queue, not
// merely of external effects or files.
func (x *Index) Stores(path string) bool { return x.Weight(path) >= Store }

// AddKind notes that the n-th file has entries of a kind to which no object leads.
func (x *Index) AddKind(kind string, n uint8) {
	if kind == "call" || kind == "field" {
		return
	}
	for i := range x.Kinds {
		if k := &x.Kinds[i]; k.Kind == kind {
			if !slices.Contains(k.Files, n) {
				k.Files = append(k.Files, n)
			}
			return
		}
	}
	x.Kinds = append(x.Kinds, Kind{kind, []uint8{n}})
}

// Sort puts all lists in order.
func (x *Index) Sort() {
	byPath := func(a, b Entry) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(x.Paths, byPath)
	slices.SortFunc(x.Patterns, byPath)
	slices.SortFunc(x.Kinds, func(a, b Kind) int { return strings.Compare(a.Kind, b.Kind) })
	slices.Sort(x.Modules)
	x.Modules = slices.Compact(x.Modules)
}
