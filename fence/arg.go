package fence

import "strconv"

// Arg names a parameter of a statement as its text does: "$2", "?1" (the
// first question mark), ":name", "@name", or a key that a front end chose.
type Arg string

// Position is the 0-based index of the positional argument that a names:
// "$2", "?2", ":2" and "@p2" all have position 1. It is false for a name.
func (a Arg) Position() (int, bool) {
	if len(a) < 2 {
		return 0, false
	}
	digits := string(a[1:])
	switch a[0] {
	case '@':
		if digits[0] != 'p' && digits[0] != 'P' {
			return 0, false
		}
		digits = digits[1:]
	case '$', '?', ':':
	default:
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 {
		return 0, false
	}
	return n - 1, true
}

// Name is the name of a named argument without its mark, "" for a positional one.
func (a Arg) Name() string {
	if len(a) < 2 {
		return ""
	}
	switch a[0] {
	case '@', ':', '$':
		if _, err := strconv.Atoi(string(a[1:])); err != nil {
			return string(a[1:])
		}
	}
	return ""
}
