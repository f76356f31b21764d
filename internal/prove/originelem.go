package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// Where an element of a list or map comes from.

// elemOrigin: an element is worth what the whole is. One of a map that is a field is one of
// those that are put there.
func elemOrigin(j *judge, t *term.Term, d int) []origin {
	from := t.Args[0]
	for from.Kind == term.Elem || from.Kind == term.Iface {
		from = from.Args[0]
	}
	var out []origin
	switch {
	case from.Kind == term.Field && requestParts[from.Str] || from.Kind == term.Call && from.Str == "net/url.URL.Query":
		return one(origin{class: untrusted, text: t.String()})
	case from.Kind == term.Field && from == t.Args[0]:
		out = j.eachOrigin(j.a.EntryValues(from.Str), d)
	case from.Kind == term.Op && from == t.Args[0]:
		if added, ok := addedTo(from); ok {
			out = j.eachOrigin(added, d)
		}
	case from.Kind == term.Call:
		if whole := takenApart(from); whole != nil {
			if out = j.origin(whole, d+1); whole != from && len(out) > 0 && tokenRules[out[0].class] == "" && out[0].class != handedIn {
				out = nil // a part of a token is none
			}
		}
	}
	if len(out) > 0 && out[0].class != unknownFrom {
		return out
	}
	if t.Symbolic() && !t.Any(isCall) {
		return one(origin{class: handedIn, text: t.String()})
	}
	return one(origin{class: unknownFrom, reason: "it is an element of " + t.Args[0].String(), text: t.String()})
}

// addedTo are the elements of a list that a function begins empty and adds to, in a loop
// or behind one another; false if others may be in it.
func addedTo(t *term.Term) (elems []*term.Term, ok bool) {
	switch {
	case t.Kind == term.Alt, t.Kind == term.Op && t.Str == "append":
		for _, a := range t.Args {
			part, ok := addedTo(a)
			if !ok {
				return nil, false
			}
			elems = append(elems, part...)
		}
		return elems, true
	case t.Kind == term.List && !t.Open:
		return t.Args, true
	}
	return nil, t.Equal(term.Nil) || term.IsZero(t) || t.Kind == term.Unknown && t.Str == term.FromItself
}

// eachOrigin lists where several values come from.
func (j *judge) eachOrigin(vals []*term.Term, d int) []origin {
	var out []origin
	for _, v := range vals {
		out = append(out, j.origin(v, d+1)...)
	}
	return out
}

// requestParts are the fields in which a request has what its sender chose.
var requestParts = map[string]bool{
	"net/http.Request.Header": true, "net/http.Request.Form": true, "net/http.Request.PostForm": true, "net/http.Request.Trailer": true,
}

// isCall reports whether a term is what a call gives that makes more of its arguments than
// another form of them.
func isCall(t *term.Term) bool { return t.Kind == term.Call && !pureText(t.Str) && t.Str != "range" }

// pureText reports whether a function only takes texts, lists or maps apart, or puts them
// together.
func pureText(key string) bool {
	pkg, _, _ := strings.Cut(key, ".")
	switch pkg {
	case "strings", "bytes", "slices", "maps", "strconv":
		return true
	}
	return false
}

// takenApart is the one value of which functions give a part that only take things apart;
// nil if there are several.
func takenApart(t *term.Term) *term.Term {
	for t.Kind == term.Call && pureText(t.Str) {
		var from *term.Term
		for _, a := range t.Args {
			if a.Kind == term.Const {
				continue
			}
			if from != nil || a.Kind == term.List || a.Kind == term.Concat {
				return nil
			}
			from = a
		}
		if from == nil {
			return nil
		}
		t = from
	}
	return t
}
