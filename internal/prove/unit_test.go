package prove

import (
	"testing"

	"github.com/fencelint/fencelint/internal/term"
)

// A transaction that is begun with a context of which nothing is known is no other one for
// that; of one that is begun on something unknown, nobody can tell which one it is.
func TestVague(t *testing.T) {
	unknown := term.NewUnknown("a context that a command supplies")
	pool := term.NewParam(0)
	tests := []struct {
		name string
		conn *term.Term
		want bool
	}{
		{"context unknown", term.NewCall("sql.DB.BeginTx", "store.Save@4", 0, pool, unknown), false},
		{"context from a map", term.NewCall("sql.DB.BeginTx", "store.Save@4", 0, pool, term.NewElem(pool, unknown)), false},
		{"pool unknown", term.NewCall("sql.DB.BeginTx", "store.Save@4", 0, unknown, term.Nil), true},
		{"pool from a map", term.NewCall("sql.DB.BeginTx", "store.Save@4", 0, term.NewElem(pool, unknown), term.Nil), true},
		{"pool handed to a function", term.NewCall("shards.Begin", "store.Save@4", 0, pool, term.NewElem(pool, unknown)), true},
		{"no place", term.NewCall("shard", "", 0, pool, unknown), true},
		{"no transaction", unknown, true},
	}
	for _, tt := range tests {
		if got := vague(tt.conn); got != tt.want {
			t.Errorf("%s: vague = %v, want %v", tt.name, got, tt.want)
		}
	}
}
