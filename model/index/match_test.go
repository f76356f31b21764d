package index

import "testing"

func TestMatchPath(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"a/b", "a/b", true}, {"a/b", "a/b/c", false}, {"a/b/...", "a/b", true}, {"a/b/...", "a/b/c/d", true}, {"a/b/...", "a/bc", false},
		{"a/v*/x", "a/v82/x", true}, {"a/v*/x", "a/w82/x", false}, {"a/v*", "a/v82/x", false}, {"a/*/c", "a/b/c", true}, {"a/*/c", "a/c", false},
		{"a", "a/b", false}, {"...", "x", true},
	} {
		if got := MatchPath(c.pattern, c.path); got != c.want {
			t.Errorf("MatchPath(%q, %q) = %v", c.pattern, c.path, got)
		}
	}
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"*", "", true}, {"*", "x", true}, {"v1*Service", "v1ChargeService", true}, {"v1*Service", "v1Service", true}, {"v1*Service", "v2ChargeService", false},
		{"a*b*c", "aXbYc", true}, {"a*b*c", "aXcYb", false}, {"a*a", "a", false},
	} {
		if got := MatchWord(c.pattern, c.s); got != c.want {
			t.Errorf("MatchWord(%q, %q) = %v", c.pattern, c.s, got)
		}
	}
}
