package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/fencelint/fencelint/internal/report"
)

// sent counts the boundaries by how much is known of what they send. A boundary that
// several locks reach counts once for each degree that it is known in.
type sent struct {
	seen    map[string]bool
	degrees map[string]int
	reasons map[string]map[string]int // by degree
}

func newSent() sent {
	return sent{map[string]bool{}, map[string]int{}, map[string]map[string]int{}}
}

func (s *sent) add(repo string, rows []report.Row) {
	for _, r := range rows {
		for _, b := range r.Boundaries {
			key := fmt.Sprintf("%s %s:%d %s %s %s", repo, b.File, b.Line, b.Receiver, b.Known, b.Unseen)
			if s.seen[key] {
				continue
			}
			s.seen[key] = true
			s.degrees[b.Known]++
			if s.reasons[b.Known] == nil {
				s.reasons[b.Known] = map[string]int{}
			}
			s.reasons[b.Known][b.Unseen]++
		}
	}
}

// maxReasons bounds the reasons that are shown for each degree.
const maxReasons = 10

func (s *sent) print(w io.Writer) {
	all := s.degrees["known"] + s.degrees["partly"] + s.degrees["unknown"]
	fmt.Fprintf(w, "statement or request of %d boundaries: known %s, partly %s, unknown %s; %d boundaries send none\n", all,
		share(s.degrees["known"], all), share(s.degrees["partly"], all), share(s.degrees["unknown"], all), s.degrees[""])
	for _, degree := range []string{"unknown", "partly"} {
		reasons := s.reasons[degree]
		order := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
			return cmp.Or(reasons[b]-reasons[a], cmp.Compare(a, b))
		})
		for _, r := range order[:min(len(order), maxReasons)] {
			fmt.Fprintf(w, "%8d %s: %s\n", reasons[r], degree, r)
		}
	}
}
