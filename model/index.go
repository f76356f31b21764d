package model

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/model/index"
)

//go:generate go test -run=^TestIndexFresh$ -update

// Weight orders import paths by what a program does that uses them.
type Weight = index.Weight

// The weights.
const (
	Unmodelled = index.Unmodelled
	Silent     = index.Silent
	Quiet      = index.Quiet
	Files      = index.Files
	Effect     = index.Effect
	Store      = index.Store
	Locking    = index.Locking
)

// addTo puts the contents of a file, the n-th of x.Files, into the index. It
// returns the import paths that another file has already claimed.
func addTo(x *index.Index, n uint8, doc *document) (taken []string) {
	weights := make(map[string]Weight)
	for _, l := range doc.libs {
		w := l.weight()
		for _, p := range l.Paths {
			weights[p] = max(weights[p], w)
		}
		x.Modules = append(x.Modules, l.Modules...)
		for _, e := range l.Locks {
			x.AddKind(e.Match.Kind, n)
		}
	}
	for _, e := range slices.Concat(x.Paths, x.Patterns) {
		if _, ok := weights[e.Path]; ok {
			taken = append(taken, e.Path)
			delete(weights, e.Path)
		}
	}
	for p, w := range weights {
		if index.IsPattern(p) {
			x.Patterns = append(x.Patterns, index.Entry{Path: p, File: n, Weight: w})
		} else {
			x.Paths = append(x.Paths, index.Entry{Path: p, File: n, Weight: w})
		}
	}
	x.Sort()
	return taken
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
