package report

import (
	"cmp"
	"slices"
	"strings"
)

// merged makes one row of each place where an interface stands for several locks, or a
// function of the project takes several: the call is one, whoever provides the lock, and a
// person has one decision to take.
func merged(rows []Row) []Row {
	var out []Row
	at := make(map[string]int)
	for _, r := range rows {
		k := lineOf(r)
		i, seen := at[k]
		if !seen || !oneCall(out[i], r) {
			at[k] = len(out)
			out = append(out, r)
			continue
		}
		out[i].merge(r)
	}
	return out
}

// oneCall reports whether two rows of one place are about the same call.
func oneCall(a, b Row) bool {
	return a.Idiom == "interface" || b.Idiom == "interface" || a.Inner != "" && b.Inner != ""
}

// roles orders the roles: what is a use for one type is a use.
var roles = []string{"wrapper", "open", "acquisition"}

func (r *Row) merge(o Row) {
	r.take(o)
	r.Library, r.Inner = union(r.Library, o.Library), union(r.Inner, o.Inner)
	r.Class, r.Contract = cmp.Or(r.Class, o.Class), cmp.Or(r.Contract, o.Contract)
	if slices.Index(roles, o.Role) > slices.Index(roles, r.Role) {
		r.Role = o.Role
	}
	r.Accepted = slices.Compact(slices.Sorted(slices.Values(slices.Concat(r.Accepted, o.Accepted))))
}

// union joins lists that are written with commas.
func union(a, b string) string {
	var all []string
	for _, s := range []string{a, b} {
		if s != "" {
			all = append(all, strings.Split(s, ", ")...)
		}
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(all))), ", ")
}
