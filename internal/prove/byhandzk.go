package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// gripOfPath reads what a write does to a node of ZooKeeper that serves as a lock: it is
// made only while there is none of its name, and goes with the session of who made it. The
// model knows how it is deleted. A service that announces itself makes such a node, too; the
// name tells.
func gripOfPath(e *flow.Event, s *model.Sink) *flow.Grip {
	if s.Lib != "zk" || len(e.Args) == 0 {
		return nil
	}
	g := &flow.Grip{Lib: s.Lib, Row: unboxed(e.Args[0]), Key: wholeKey, Handle: unboxed(e.Args[0])}
	switch {
	case strings.HasSuffix(e.Key, ".Conn.Create") && len(e.Args) > 2 && goesBySelf(e.Args[2]):
		g.Kind, g.Signs = flow.Acquire, flow.Expires|flow.TakenOver
	default:
		return nil
	}
	if namesLock(g.Row) {
		g.Signs |= flow.Named
	}
	return g
}

// goesBySelf reports whether a node is made so that it goes with the session, at least where
// the caller asks for that.
func goesBySelf(flags *term.Term) bool {
	return slices.ContainsFunc(term.Settle(flags).Alternatives(), func(f *term.Term) bool {
		n, ok := wholeNumber(f)
		return ok && n&zkEphemeral != 0
	})
}
