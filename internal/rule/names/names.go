// Package names lists the rules by name. It knows nothing of what they report, so
// that the engine can tell a known rule from a typo in an accept directive.
package names

import "slices"

// group is a family of rules, in the order in which a person meets them.
type group struct {
	title string
	names []string
}

// groups holds every name that an accept directive may use. A name is known
// from the first day, also where nothing reports it yet: a directive that was
// written for a later release must not be an error in an older one.
var groups = [...]group{
	{"classification", []string{"lockclass", "fencedirective", "efficiencyeffect"}},
	{"the write boundary", []string{
		"unfencedwrite", "unprovedwrite", "staleadmitted", "equaladmitted", "nulladmitted", "fencenotadvanced",
		"tokennotcompared", "tokenmismatch", "fencecolumn", "checkthenact", "staleread", "crosstablefence",
		"bypasswrite", "repeatedepoch", "notactivated", "rejectionignored", "casnotfence", "identityreused",
		"writeafterrelease",
	}},
	{"the token", []string{
		"opaquetoken", "clocktoken", "volatiletoken", "unboundcounter", "localcounter", "untrustedtoken",
		"mixedtokens", "zerotoken",
	}},
	{"external effects", []string{
		"missingidempotency", "unstableidempotency", "unenforcedheader", "effectbeforefence", "ambiguousoutcome",
	}},
	{"the lease", []string{
		"acquireignored", "losssignal", "renewalerror", "unsaferelease", "poollock", "txlock", "noexpiry",
		"clientclock", "checknotfence", "lockstolen", "outliveshold",
	}},
}

// All returns the names of all rules, sorted.
func All() []string {
	var all []string
	for _, g := range groups {
		all = append(all, g.names...)
	}
	slices.Sort(all)
	return all
}

// Groups returns the titles of the groups, in the order of the documentation.
func Groups() []string {
	var titles []string
	for _, g := range groups {
		titles = append(titles, g.title)
	}
	return titles
}

// GroupOf returns the title of the group of a rule, "" for an unknown name.
func GroupOf(name string) string {
	for _, g := range groups {
		if slices.Contains(g.names, name) {
			return g.title
		}
	}
	return ""
}

// Known reports whether name is the name of a rule.
func Known(name string) bool { return GroupOf(name) != "" }
