package fence

import (
	"slices"
	"strings"
)

// An order of epochs refuses an obsolete owner only at a row that the newer owner
// has met. The functions here look for guards under which each owner meets a row
// of its own.

// chosenBy names a column, other than the fence, by which the token itself chooses
// the row; "" if there is none. Where the fence must equal the token, the other
// columns choose nothing.
func chosenBy(x Cond, fence Stored, token func(Arg) bool) string {
	c := chooser{fence, token}
	return c.in(x, c.pins(x))
}

type chooser struct {
	fence Stored
	token func(Arg) bool
}

func (c chooser) in(x Cond, pinned bool) string {
	if pinned {
		return ""
	}
	switch x := x.(type) {
	case And:
		return c.first(x.Of, false)
	case Or:
		for _, k := range x.Of {
			if s := c.in(k, c.pins(k)); s != "" {
				return s
			}
		}
	case Exists:
		return c.in(x.Of, c.pins(x.Of))
	case Is:
		if x.Value == True {
			return c.in(x.Of, false)
		}
	case Cmp:
		if x.Op == EQ || x.Op == Same {
			return c.equal(x.L, x.R) + c.equal(x.R, x.L)
		}
	}
	return ""
}

func (c chooser) first(of []Cond, pinned bool) string {
	for _, k := range of {
		if s := c.in(k, pinned); s != "" {
			return s
		}
	}
	return ""
}

// pins tells whether x demands that the fence equals the token.
func (c chooser) pins(x Cond) bool {
	switch x := x.(type) {
	case And:
		return slices.ContainsFunc(x.Of, c.pins)
	case Cmp:
		return (x.Op == EQ || x.Op == Same) && (x.L == Term(c.fence) && c.carries(x.R) || x.R == Term(c.fence) && c.carries(x.L))
	}
	return false
}

func (c chooser) carries(x Term) bool { return slices.ContainsFunc(valueArgs(x), c.token) }

// equal names the column of the fence's row in x if by is made of the token.
func (c chooser) equal(x, by Term) string {
	if !c.carries(by) {
		return ""
	}
	name := ""
	walkValue(x, func(t Term) {
		s, ok := t.(Stored)
		if ok && s.Row == c.fence.Row && s.Table == c.fence.Table && s.Ref == c.fence.Ref && s != c.fence {
			name = s.Column
		}
	})
	return name
}

// apartByKey says why the insertion of m can go past the row of a newer owner: its
// key holds the epoch, or is made anew for each attempt. unknown says that part of
// the key is not in sight.
func apartByKey(m *Mutation, fence string, token func(Arg) bool) (why, unknown string) {
	if m.InsertPath != Open {
		return "", ""
	}
	if m.Kind == Merge {
		return apartByMatch(m.Guard), ""
	}
	if slices.Contains(m.ConflictOn, fence) {
		return "another epoch is another key: it meets no row, and is inserted", ""
	}
	some := false
	for _, a := range m.InsertRow {
		key := slices.Contains(m.ConflictOn, a.Column)
		reason := ""
		switch {
		case slices.ContainsFunc(valueArgs(a.Value), token):
			reason = "the key column " + a.Column + " is made of the epoch: another epoch meets no row, and is inserted"
		case a.Value == Term(nil), isDefault(a.Value):
			if key {
				return "", "the key column " + a.Column + " has its default value: where the database makes that, the statement meets no row"
			}
		case key && computed(a.Value):
			return "", "the key column " + a.Column + " is computed from what is there: another attempt may meet another row, or none"
		case Anew(a.Value):
			reason = "the key column " + a.Column + " is computed anew by the database: the statement meets no row, and inserts one"
		default:
			some = some || a.Column != fence
		}
		if key && reason != "" {
			return reason, ""
		}
	}
	named := !slices.ContainsFunc(m.InsertRow, func(a Assign) bool { return a.Column == "" })
	for _, c := range m.ConflictOn {
		if named && !slices.ContainsFunc(m.InsertRow, func(a Assign) bool { return a.Column == c }) {
			return "", "the key column " + c + " is not among those inserted: where the database makes it, the statement meets no row"
		}
	}
	if !some && m.OnConflict == "update" && len(m.InsertRow) > 0 {
		return "nothing that is inserted is the same for two owners: another epoch meets no row, and is inserted", ""
	}
	return "", ""
}

// apartByMatch: a MERGE whose condition compares a column with a value that the
// database makes anew never meets a row.
func apartByMatch(x Cond) string {
	switch x := x.(type) {
	case And:
		for _, k := range x.Of {
			if s := apartByMatch(k); s != "" {
				return s
			}
		}
	case Cmp:
		if x.Op == EQ && (Anew(x.L) || Anew(x.R)) {
			return "the row is matched by a value that is computed anew by the database: the statement meets no row, and inserts one"
		}
	}
	return ""
}

// Anew tells whether a value is another one for each attempt.
func Anew(x Term) bool {
	found := false
	walkValue(x, func(t Term) {
		o, ok := t.(Opaque)
		found = found || ok && o.Anew
	})
	return found
}

func isDefault(x Term) bool {
	o, ok := x.(Opaque)
	return ok && o.Key == "default"
}

// computed tells whether a value is what a query makes of several rows.
func computed(x Term) bool {
	found := false
	walkValue(x, func(t Term) {
		o, ok := t.(Opaque)
		found = found || ok && o.Volatile && strings.HasPrefix(o.Key, "sub")
	})
	return found && !Anew(x)
}

// Lowers tells whether m can store less in a column than is there, or nothing, even
// where the token is not below it.
func Lowers(m *Mutation, column string, token func(Arg) bool) bool {
	if m.Assigned(column) == nil {
		return false
	}
	return judge(&Mutation{Kind: m.Kind, Set: m.Set, Sequential: m.Sequential, Semantics: m.Semantics},
		Stored{Column: column}, true, token, false).adv.below
}
