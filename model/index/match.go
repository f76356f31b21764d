package index

import "strings"

// MatchPath reports whether an import path matches a pattern in which "*" stands
// for a part of one element, and a final "..." for any rest.
func MatchPath(pattern, path string) bool {
	for {
		if pattern == "..." {
			return true
		}
		pe, prest, pmore := strings.Cut(pattern, "/")
		e, rest, more := strings.Cut(path, "/")
		if !MatchWord(pe, e) {
			return false
		}
		if !pmore || !more {
			return pmore == more || pmore && prest == "..."
		}
		pattern, path = prest, rest
	}
}

// MatchWord reports whether s matches a pattern where "*" stands for any text.
func MatchWord(pattern, s string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	if !strings.HasPrefix(s, head) {
		return false
	}
	s = s[len(head):]
	for {
		part, next, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(part):], next
	}
}

// IsPattern reports whether a path stands for others.
func IsPattern(s string) bool { return strings.Contains(s, "*") || strings.HasSuffix(s, "...") }
