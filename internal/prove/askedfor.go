package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
)

// A value of one interface may be asked whether it has the methods of another one. What
// becomes the first one and has those is meant, whether or not it becomes the second.

// conversionsOf lists where this package makes values of the interface of a call.
func (j *judge) conversionsOf(d *flow.DynCall) []flow.Conversion {
	out := j.conversionsTo(d.Iface)
	if d.Asked == "" {
		return out
	}
	return append(out, j.having(d, j.conversionsTo(d.Asked), out)...)
}

// possibleOf lists the types that imported packages made into the interface of a call.
func (j *judge) possibleOf(d *flow.DynCall, done []string) []flow.Conversion {
	out := j.possible(d.Iface, done)
	if d.Asked == "" {
		return out
	}
	return append(out, j.having(d, j.possible(d.Asked, done), out)...)
}

// importedOf are all conversions to the interface of a call in imported packages.
func (j *judge) importedOf(d *flow.DynCall) []flow.Conversion {
	var out, asked []flow.Conversion
	for _, c := range j.a.Imported.Conversions {
		switch {
		case c.Iface != d.Iface && c.Iface != d.Asked, j.onlyForTests(typesPackage(c.Type)):
		case c.Iface == d.Iface:
			out = append(out, c)
		default:
			asked = append(asked, c)
		}
	}
	return append(out, j.having(d, asked, out)...)
}

// having keeps the types that have the methods of a call's interface, too, and are not
// known yet.
func (j *judge) having(d *flow.DynCall, cs, known []flow.Conversion) []flow.Conversion {
	var out []flow.Conversion
	for _, c := range cs {
		same := func(o flow.Conversion) bool { return o.Type == c.Type }
		if !slices.ContainsFunc(known, same) && j.hasMethodsOf(strings.TrimPrefix(c.Type, "*"), d.Iface) {
			c.Iface = d.Iface
			out = append(out, c)
		}
	}
	return out
}
