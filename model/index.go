package model

import (
	"slices"
	"strings"
)

//go:generate go test -run=^TestIndexFresh$ -update

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

// indexEntry says in which file an import path is described.
type indexEntry struct {
	path   string
	file   uint8 // index in files
	weight Weight
}

// kindEntry says in which files entries of a kind are that no object leads to.
type kindEntry struct {
	kind  string
	files []uint8
}

// tableIndex is what must be known before anything is parsed. All lists are sorted.
type tableIndex struct {
	files    []string
	paths    []indexEntry // plain import paths
	patterns []indexEntry // paths with "*" or "..."
	modules  []string     // module roots
	kinds    []kindEntry
}

// find returns the entry of an import path, nil if it is not modelled.
func (x *tableIndex) find(path string) *indexEntry {
	i, ok := slices.BinarySearchFunc(x.paths, path, func(e indexEntry, p string) int { return strings.Compare(e.path, p) })
	if ok {
		return &x.paths[i]
	}
	first, _, _ := strings.Cut(path, "/") // no pattern has a "*" in it
	for i := range x.patterns {
		if p := &x.patterns[i]; strings.HasPrefix(p.path, first) && matchPath(p.path, path) {
			return p
		}
	}
	return nil
}

// leaf reports whether a package lies in one of the modules.
func (x *tableIndex) leaf(path string) bool { return x.module(path) != "" }

// module is the one of the modules in which a package lies, "" for none.
func (x *tableIndex) module(path string) string {
	for p := path; p != ""; {
		if _, ok := slices.BinarySearch(x.modules, p); ok {
			return p
		}
		p = p[:max(0, strings.LastIndexByte(p, '/'))]
	}
	return ""
}

// add puts the contents of a file, the n-th of x.files, into the index. It
// returns the import paths that another file has already claimed.
func (x *tableIndex) add(n uint8, doc *document) (taken []string) {
	weights := make(map[string]Weight)
	for _, l := range doc.libs {
		w := l.weight()
		for _, p := range l.Paths {
			weights[p] = max(weights[p], w)
		}
		x.modules = append(x.modules, l.Modules...)
		for _, e := range l.Locks {
			x.addKind(e.Match.Kind, n)
		}
	}
	for _, e := range slices.Concat(x.paths, x.patterns) {
		if _, ok := weights[e.path]; ok {
			taken = append(taken, e.path)
			delete(weights, e.path)
		}
	}
	for p, w := range weights {
		if isPattern(p) {
			x.patterns = append(x.patterns, indexEntry{p, n, w})
		} else {
			x.paths = append(x.paths, indexEntry{p, n, w})
		}
	}
	x.sort()
	return taken
}

func (x *tableIndex) addKind(kind string, n uint8) {
	if kind == "call" || kind == "field" {
		return
	}
	for i := range x.kinds {
		if k := &x.kinds[i]; k.kind == kind {
			if !slices.Contains(k.files, n) {
				k.files = append(k.files, n)
			}
			return
		}
	}
	x.kinds = append(x.kinds, kindEntry{kind, []uint8{n}})
}

func (x *tableIndex) sort() {
	byPath := func(a, b indexEntry) int { return strings.Compare(a.path, b.path) }
	slices.SortFunc(x.paths, byPath)
	slices.SortFunc(x.patterns, byPath)
	slices.SortFunc(x.kinds, func(a, b kindEntry) int { return strings.Compare(a.kind, b.kind) })
	slices.Sort(x.modules)
	x.modules = slices.Compact(x.modules)
}

// weight of a library is that of its heaviest entry.
func (l *Library) weight() Weight {
	if len(l.Locks) > 0 {
		return Locking
	}
	w := Quiet
	if len(l.Sinks) == 0 && slices.Equal(l.Neutral, []string{"*"}) {
		w = Silent
	}
	for _, s := range l.Sinks {
		w = max(w, s.weight())
	}
	return w
}

func (s *Sink) weight() Weight {
	if s.Boundary == "store|local" {
		return Files
	}
	w := Quiet
	for b := range strings.SplitSeq(s.Boundary, "|") {
		switch b {
		case "store", "cache", "queue":
			w = Store
		case "external":
			w = max(w, Effect)
		}
	}
	return w
}
