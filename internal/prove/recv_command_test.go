package prove

import (
	"slices"
	"testing"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func TestCommandWords(t *testing.T) {
	text := func(s string) *term.Term { return term.NewConst("string", s) }
	ctx, hole := term.NewUnknown("a context"), term.NewUnknown("a value")
	begun := term.NewCall("example.com/r/cmds.Builder.Hset", "1", 0, term.NewUnknown("a builder"))
	built := term.NewCall("example.com/r/cmds.HsetKey.Build", "2", 0, begun)
	absent := term.NewCall("example.com/r/cmds.SetValue.Nx", "4", 0, term.NewCall("example.com/r/cmds.Builder.Set", "3", 0))
	split := model.Sink{Stmt: 0, Args: 1}
	joined := model.Sink{Stmt: -1, Args: 1}
	chain := model.Sink{Stmt: -1, Args: -1, Input: model.Path{Root: "arg", Index: 1}}
	for _, c := range []struct {
		name string
		sink model.Sink
		args []*term.Term
		want []string
	}{
		{"verb apart", split, []*term.Term{text("SET"), term.NewList(false, text("k"), hole, text("NX"))}, []string{"SET", "k", "", "NX", ""}},
		{"all in one list", joined, []*term.Term{ctx, term.NewList(false, text("GET"), text("k"))}, []string{"GET", "k", ""}},
		{"verb unknown", split, []*term.Term{hole, term.NewList(false)}, []string{"", ""}},
		{"list unknown", joined, []*term.Term{ctx, hole}, []string{""}},
		{"built", chain, []*term.Term{ctx, built}, []string{"Hset"}},
		{"built with a condition", chain, []*term.Term{ctx, absent}, []string{"Set", "Nx"}},
		{"built elsewhere", chain, []*term.Term{ctx, hole}, []string{""}},
		{"several commands", chain, []*term.Term{ctx, term.NewList(false, built, built)}, []string{""}},
	} {
		if got := commandWords(&flow.Event{Args: c.args}, &c.sink); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
