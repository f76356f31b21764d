package flow

import "strings"

// Which other people's code is looked into.

// LookedInto reports whether what a package does is known where a call stands in another:
// it is the project's, or that very package. Other people's code that touches no lock and no
// store is passed over.
func (a *Analysis) LookedInto(path, caller string) bool {
	return path == caller || sameRepository(path, a.Pkg.Path()) && !a.Models.Leaf(path)
}

// sameRepository guesses from import paths whether two packages lie in one repository.
func sameRepository(a, b string) bool {
	n := 2
	switch first := firstElements(a, 1); {
	case hosts[first]:
		n = 3
	case !strings.Contains(first, "."):
		n = 1
	}
	return firstElements(a, n) == firstElements(b, n)
}

// asksErrors are methods of interfaces without a name by which errors are asked for
// what they are.
var asksErrors = set("Error", "Unwrap", "Is", "As", "Timeout", "Temporary", "String", "StatusCode", "Code", "GRPCStatus")

// sameHouse guesses from import paths whether two packages belong to one
// organisation, for no driver says it of imports: the same host, and on hosts
// that many share the same owner.
func sameHouse(a, b string) bool {
	n := 1
	if hosts[firstElements(a, 1)] {
		n = 2
	}
	return firstElements(a, n) == firstElements(b, n)
}

var hosts = set("github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gitea.com", "git.sr.ht", "gopkg.in")

func firstElements(path string, n int) string {
	for i := range path {
		if path[i] == '/' {
			if n--; n == 0 {
				return path[:i]
			}
		}
	}
	return path
}
