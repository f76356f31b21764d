package fence

import "slices"

// A statement may read the row that it writes once more, in a subquery that locks it, and
// choose it by its key: what is compared there holds for the row that is written.

// SameRow returns m with what it compares of a locked row of its own table, which it joins to
// the written one by the key, as a comparison of the written row. The columns are assumed to
// identify rows.
func (m *Mutation) SameRow() *Mutation {
	same := make(map[string]bool)
	m.joined(m.Guard, same)
	if len(same) == 0 {
		return m
	}
	r := rewriter{func(s Stored) Stored {
		if s.Row == LockedOther && s.Table == m.Resource && same[s.Ref] {
			return Stored{Column: s.Column}
		}
		return s
	}}
	out := *m
	out.Guard = r.cond(m.Guard)
	out.Notes = append(slices.Clone(m.Notes), "the key by which "+m.Resource+" is joined to itself identifies its rows")
	return &out
}

// joined looks at what must hold together.
func (m *Mutation) joined(x Cond, same map[string]bool) {
	switch x := x.(type) {
	case And:
		for _, k := range x.Of {
			m.joined(k, same)
		}
	case Exists:
		m.joined(x.Of, same)
	case Cmp:
		if x.Op == EQ || x.Op == Same {
			m.joins(x.L, x.R, same)
			m.joins(x.R, x.L, same)
		}
	}
}

// joins notes the rows of the table itself whose key is that of the written row.
func (m *Mutation) joins(written, other Term, same map[string]bool) {
	own, ok := written.(Stored)
	if !ok || own.Row != Target || !identifies[own.Column] {
		return
	}
	if c, ok := other.(Case); ok && len(c.Arms) == 1 { // of a subquery that gives one row, or none
		if _, none := c.Else.(Null); c.Else == nil || none {
			other = c.Arms[0].Then
		}
	}
	if s, ok := other.(Stored); ok && s.Row == LockedOther && s.Table == m.Resource && s.Column == own.Column {
		same[s.Ref] = true
	}
}

// identifies are the columns that are a key wherever they are.
var identifies = map[string]bool{"id": true, "ctid": true, "rowid": true, "_id": true, "uuid": true}
