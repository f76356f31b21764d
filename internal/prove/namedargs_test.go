package prove

import (
	"fmt"
	"testing"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/term"
)

func TestArgument(t *testing.T) {
	j := &judge{}
	one, two := term.NewString("one"), term.NewString("two")
	mode := term.NewIface("github.com/jackc/pgx/v5.QueryExecMode", term.NewConst("int", "1"))
	named := term.NewStruct("map", "", []string{term.NewString("turn").Key()}, []*term.Term{two})
	for _, c := range []struct {
		arg  string
		args *term.Term
		want string
	}{
		{"$2", term.NewList(false, one, two), "two"},
		{"$1", term.NewList(false, mode, one), "one"}, // pgx takes its options out
		{"@turn", term.NewList(false, named), "two"},
		{":turn", named, "two"},
	} {
		if got, _ := term.StringValue(j.argument(fence.Arg(c.arg), c.args)); got != c.want {
			t.Errorf("argument %s = %q, want %q", c.arg, got, c.want)
		}
	}
	if got := j.argument(":turn", term.NewList(false, one)); got.Kind != term.Unknown {
		t.Errorf("a name that nothing binds is %v", got)
	}
}

// Argument 11 of a list that is handed in is not argument 1.
func TestHandedInArguments(t *testing.T) {
	list := term.NewParam(1)
	j := new(judge)
	seen := make(map[string]int)
	for i := range 25 {
		k := j.argument(fence.Arg(fmt.Sprintf("$%d", i+1)), list).Key()
		if old, ok := seen[k]; ok {
			t.Errorf("arguments %d and %d are one: %s", old+1, i+1, k)
		}
		seen[k] = i
	}
}
