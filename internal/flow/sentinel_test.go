package flow

import "testing"

func TestSameSentinel(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"pgx.ErrNoRows", "github.com/jackc/pgx/v5.ErrNoRows", true},
		{"database/sql.ErrNoRows", "github.com/jackc/pgx/v5.ErrNoRows", true},
		{"redis.Nil", "github.com/redis/go-redis/v9.Nil", true},
		{"example.com/a.ErrStale", "example.com/a.ErrStale", true},
		{"example.com/a.ErrStale", "example.com/b.ErrStale", false},
		{"pgx.ErrNoRows", "example.com/a.ErrStale", false},
	} {
		if got := sameSentinel(c.a, c.b); got != c.want {
			t.Errorf("sameSentinel(%q, %q) = %v", c.a, c.b, got)
		}
	}
}
