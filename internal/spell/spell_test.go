package spell

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"lock", "accept", "acquires", "releases", "token", "lost", "writes", "resource", "admin", "root", "staletest"}
	for word, want := range map[string]string{
		"lok": "lock", "lcok": "lock", "LOCK": "lock", "blocking": "", "acept": "accept", "writs": "writes", "write": "writes",
		"resources": "resource", "stale": "staletest", "stale-test": "staletest", "x": "", "": "", "rot": "root",
		strings.Repeat("lock", 1000): "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("Nearest(%.20q) = %q, want %q", word, got, want)
		}
	}
	if got := Nearest("ab", []string{"ac", "aa"}); got != "ac" {
		t.Errorf("of equally near words the first wins, got %q", got)
	}
	for _, d := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"ab", "ba", 1}, {"fence", "fenced", 1}, {"kitten", "sitting", 3}} {
		if got := distance(d.a, d.b); got != d.want || distance(d.b, d.a) != d.want {
			t.Errorf("distance(%q, %q) = %d, want %d", d.a, d.b, got, d.want)
		}
	}
}
