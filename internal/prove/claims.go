package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// claim is an acquisition by a statement: the row that it writes says who owns it.
type claim struct {
	table string
	// counted are the columns that each claim raises: col = col + 1.
	counted []string
	// kept are the columns that a claim computes in some other way from the old row.
	kept map[string]bool
	// signed are the columns that a claim fills with a value of its own.
	signed map[string]bound
	// readmits are the columns whose old value lets the same owner in again.
	readmits map[string]bool
	guard    map[string]*term.Term // columns that the claim compares for equality
	named    map[string]fence.Lit  // columns of an owner that the claim fills with the same text each time
	site     *flow.Event
}

// claimOf reads the statement of an acquisition that a directive declares, or that
// is kept by hand.
func (j *judge) claimOf(acq *flow.Event) *claim {
	c := j.models.FuncKey(acq.Key)
	if c == nil || c.Sink == nil || acq.Entry != flow.ByHand && acq.Entry != flow.Claim {
		return nil
	}
	for _, l := range j.loweredForms(acq, c.Sink) {
		return j.claimFrom(acq, l.mutation, l.value)
	}
	return nil
}

func (j *judge) claimFrom(acq *flow.Event, m *fence.Mutation, value func(fence.Arg) *term.Term) *claim {
	c := &claim{table: m.Resource, kept: map[string]bool{}, signed: map[string]bound{}, readmits: map[string]bool{}, guard: map[string]*term.Term{}, named: map[string]fence.Lit{}, site: acq}
	for _, s := range append(slices.Clone(m.Set), m.InsertRow...) {
		switch v := s.Value.(type) {
		case fence.Input:
			t := valueOf(value, v.Arg)
			b := bound{arg: v.Arg, term: t, origins: j.origins(t)}
			if !j.choosesRow(m, s, &b) {
				c.signed[s.Column] = b
			}
		case fence.Apply:
			if raises(s.Column, v) || raisesBy(s.Column, v, value) {
				c.counted = append(c.counted, s.Column)
			}
		case fence.Case:
			c.kept[s.Column] = true
		case fence.Lit:
			if saysWho(s.Column) {
				c.named[s.Column] = v
			}
		}
	}
	fence.WalkCond(m.Guard, func(x fence.Cond) {
		cmp, ok := x.(fence.Cmp)
		if !ok || cmp.Op != fence.EQ {
			return
		}
		col, arg, ok := columnAndArg(cmp)
		if !ok {
			return
		}
		t := valueOf(value, arg)
		c.guard[col] = t
		if own, ok := c.signed[col]; ok && own.term.Equal(t) {
			c.readmits[col] = true
		}
	}, func(fence.Term) {})
	return c
}

// choosesRow reports whether a column that a claim writes says which row it is, and not
// whose: a conflict is on it, or it is the first one that is no owner's, and its value is
// none of this claim alone.
func (j *judge) choosesRow(m *fence.Mutation, s fence.Assign, b *bound) bool {
	if slices.Contains(m.ConflictOn, s.Column) {
		return true
	}
	c := columnsOf(m, false, false)
	if c.key != s.Value || isOwnerOrTime(s.Column) || j.fresh(b) {
		return false
	}
	return b.worth() != handedIn || c.signs&flow.Owned != 0
}

func valueOf(value func(fence.Arg) *term.Term, a fence.Arg) *term.Term {
	if t := value(a); t != nil {
		return t
	}
	return term.NewUnknown("not among the arguments")
}

// raises reports whether the value is the column's own old value plus something.
func raises(column string, v fence.Apply) bool {
	own, more := false, false
	for _, a := range v.Args {
		switch a := a.(type) {
		case fence.Stored:
			own = own || a.Column == column
		case fence.Const:
			more = more || a.Int > 0
		}
	}
	return own && more && len(v.Args) == 2
}

func columnAndArg(c fence.Cmp) (string, fence.Arg, bool) {
	s, ok := c.L.(fence.Stored)
	in, ok2 := c.R.(fence.Input)
	if !ok || !ok2 {
		s, ok = c.R.(fence.Stored)
		in, ok2 = c.L.(fence.Input)
	}
	return s.Column, in.Arg, ok && ok2
}

// returning is the origin of a column that a statement hands back: a counter that a
// claim raises is an epoch, a value that the statement stores is that value, and one
// that is drawn for the question is drawn by anybody. It is nil for other calls.
func (j *judge) returning(t *term.Term, depth int) []origin {
	stmt, args := j.asked(t)
	if stmt == nil {
		return nil
	}
	for _, x := range texts(j.widen(stmt)) {
		if x.none != "" {
			return nil
		}
		if drawnInSQL.MatchString(x.s) {
			return one(origin{class: unbound, source: "sequence", text: t.String()})
		}
		for _, dialect := range j.dialectsOf(x.s) {
			if out := j.returned(j.parse(x.s, x.holes, dialect), t, args, depth); out != nil {
				return out
			}
		}
	}
	return nil
}

// asked is the statement whose answer a call stores or gives, with its arguments; nil if it
// is not in sight.
func (j *judge) asked(t *term.Term) (stmt, args *term.Term) {
	if t.Kind == term.Field {
		t = t.Args[0]
	}
	switch {
	case t.Kind != term.Call || len(t.Args) == 0:
		return nil, nil
	case t.N >= flow.OutParam && flow.ReadsRow(t.Str) && len(t.Args) == 3:
		return t.Args[1], t.Args[2]
	case !strings.HasSuffix(t.Str, ".Scan") && !strings.HasSuffix(t.Str, ".StructScan") && !collectsRow[t.Str]:
		return nil, nil
	}
	row := unboxed(t.Args[0])
	if row.Kind != term.Call {
		return nil, nil
	}
	c := j.models.FuncKey(row.Str)
	if c == nil || c.Sink == nil || c.Sink.Dialect != "sql" || c.Sink.Stmt+1 >= len(row.Args) {
		return nil, nil
	}
	if c.Sink.Args >= 0 && c.Sink.Args+1 < len(row.Args) {
		args = row.Args[c.Sink.Args+1]
	}
	return row.Args[c.Sink.Stmt+1], args
}

// sender is the call that sends the statement whose answer a call stores or gives.
func sender(t *term.Term) *term.Term {
	if t.Kind == term.Field {
		t = t.Args[0]
	}
	if row := unboxed(t.Args[0]); len(t.Args) < 3 && row.Kind == term.Call {
		return row
	}
	return t
}

// collectsRow are the functions that give the one row which they are given as rows.
var collectsRow = map[string]bool{
	"github.com/jackc/pgx/v5.CollectOneRow": true, "github.com/jackc/pgx/v5.CollectExactlyOneRow": true,
}

// columnIn is the place, among the columns that a statement hands back, of what is stored or
// given: of the field of a record the one of its name.
func (j *judge) columnIn(t *term.Term, columns []string) int {
	if t.Kind != term.Field {
		if strings.HasSuffix(t.Str, ".Scan") {
			return t.N - flow.OutParam
		}
		return 0
	}
	tag, _, _ := strings.Cut(j.fieldTag(t.Str, "db"), ",")
	return slices.IndexFunc(columns, func(c string) bool {
		return c == tag || tag == "" && strings.EqualFold(strings.ReplaceAll(c, "_", ""), lastPart(t.Str))
	})
}

// drawnInSQL is a question that reads no table and draws from a sequence.
var drawnInSQL = pattern.New(`(?is)^\s*SELECT\s+(nextval\s*\(|NEXT\s+VALUE\s+FOR\s|\w+\.nextval\b)[^;]*$`)

// returned is the origin of the column of a statement that a scan stores.
func (j *judge) returned(s *fsql.Script, t, args *term.Term, depth int) []origin {
	for _, st := range s.Statements {
		i := j.columnIn(t, st.Returning)
		if i < 0 || i >= len(st.Returning) {
			continue
		}
		col := strings.ToLower(st.Returning[i])
		for _, m := range st.Mutations {
			switch v := m.Assigned(col).(type) {
			case fence.Apply:
				if raises(col, v) {
					o := origin{class: epoch, source: m.Resource + "." + col, durability: "single-node", text: t.String(), raisedBy: sender(t)}
					if makesRow(m, col) {
						j.mayBeginAgain(&o, &lowered{mutation: m})
					}
					return one(o)
				}
			case fence.Input:
				if m.Kind == fence.Update {
					return j.origin(j.argument(v.Arg, args), depth+1)
				}
			}
			if startsCounter(m, col) {
				return one(origin{class: stored, text: t.String(), reason: fromDatabase, firstOf: m.Resource + "." + col, raisedBy: sender(t)})
			}
		}
	}
	return nil
}

// beginsAgain says what is wrong with a counter that is deleted with its row.
const beginsAgain = "which begins again with each new row, and code in sight deletes rows: let the lease end by its time, and keep the row"

// mayBeginAgain makes the number of a write that raises it, and that makes the row where there
// is none, one that falls, if code in sight deletes rows there.
func (j *judge) mayBeginAgain(o *origin, l *lowered) {
	if l.mutation.InsertPath != fence.Closed && j.rowsGo(l.written()) {
		o.class, o.text, o.worth = volatile, o.source, beginsAgain
	}
}

// beginsAgain reports whether a value is such a number.
func (b *bound) beginsAgain() bool { return originWith(b, volatile).worth == beginsAgain }

// makesRow reports whether a statement that raises a counter makes the row where there is
// none, with a constant in the column.
func makesRow(m *fence.Mutation, column string) bool {
	return m.InsertPath != fence.Closed && slices.ContainsFunc(m.InsertRow, func(a fence.Assign) bool {
		_, ok := a.Value.(fence.Const)
		return ok && a.Column == column
	})
}

// startsCounter reports whether a statement makes a row that was not there, with a constant in a column.
func startsCounter(m *fence.Mutation, column string) bool {
	if m.Kind != fence.Insert || m.OnConflict == "update" {
		return false
	}
	return slices.ContainsFunc(m.InsertRow, func(a fence.Assign) bool {
		c, ok := a.Value.(fence.Const)
		return ok && a.Column == column && c.Int > 0
	})
}

// ownerDecision judges a write whose condition names the claim: by equality with
// what the claim wrote into the row. Of several comparisons the best one counts, since all
// of them must hold.
func (j *judge) ownerDecision(p *pair, m *fence.Mutation, bs []bound) (decision, bool) {
	c := j.claimOf(p.acq)
	if c == nil {
		return decision{}, false
	}
	var best decision
	found := false
	for i := range bs {
		d, ok := j.namesClaim(p, m, c, &bs[i])
		if ok && d.guarded {
			return d, true
		}
		if ok && (!found || severity(d) < severity(best)) {
			best, found = d, true
		}
	}
	return best, found
}

// namesClaim judges the comparison of one value with what the claim wrote.
func (j *judge) namesClaim(p *pair, m *fence.Mutation, c *claim, b *bound) (decision, bool) {
	v := j.proveWith(m, b.arg)
	if d, ok := j.crossClaim(p, c, b, &v); ok {
		return d, true
	}
	if m.Resource != c.table || !v.Compared || v.RejectsStale != fence.Yes || ordered(&v) {
		return decision{}, false
	}
	return j.sameClaim(p, c, b, v.Column)
}

// writtenName judges a write that names its owner by a text which each claim writes.
func (j *judge) writtenName(p *pair, m *fence.Mutation) (d decision, found bool) {
	c := j.claimOf(p.acq)
	if c == nil || m.Resource != c.table {
		return decision{}, false
	}
	fence.WalkCond(m.Guard, func(x fence.Cond) {
		cmp, ok := x.(fence.Cmp)
		col, isCol := cmp.L.(fence.Stored)
		name, isName := cmp.R.(fence.Lit)
		if !ok || cmp.Op != fence.EQ || !isCol || !isName || c.named[col.Column] != name {
			return
		}
		found = true
		d = decision{
			verdict: refuted, rule: "identityreused", guard: "owner", column: col.Column,
			reason: "the " + col.Column + " is " + name.Text + " in each claim, so a later acquisition has the same one",
		}
	}, func(fence.Term) {})
	return d, found
}

func (j *judge) sameClaim(p *pair, c *claim, b *bound, column string) (decision, bool) {
	d := decision{guard: "owner", column: column}
	if c.kept[column] && j.madeByClaim(c, b.term) {
		return keptDecision(column), true
	}
	number := slices.Contains(c.counted, column)
	switch {
	case (number || b.raisedIn(c.table, column)) && j.claimedNumber(c, b, column):
		if b.beginsAgain() && !j.freesOwn(p) { // what is wrong with the number is said of what else it guards
			d.verdict, d.rule, d.reason = refuted, "identityreused", column+" begins again with each new row, and code in sight deletes rows, so a later acquisition may have the same number"
			return d, true
		}
		d.verdict, d.guarded = proved, true
		d.reason = "each claim raises " + c.table + "." + column + ", and the write names the number of this one"
		return j.rejection(p, d), true
	case j.isSigned(c, b, column):
		return j.signedDecision(p, c, column, d), true
	case number && b.worth() == handedIn:
		d.verdict, d.reason = waiting, "the caller supplies the number of the claim"
		return d, true
	case (number || c.signed[column].term != nil) && b.worth() == unknownFrom:
		return unknownOwner(b, d), true
	}
	return decision{}, false
}

// raisedIn reports whether a value is a number that claims raise in a column.
func (b *bound) raisedIn(table, column string) bool {
	return len(b.origins) > 0 && !slices.ContainsFunc(b.origins, func(o origin) bool { return o.source != table+"."+column })
}

// keptDecision: a claim that can leave the number as it is does not tell the new
// tenure of an owner from its earlier one.
func keptDecision(column string) decision {
	return decision{
		verdict: refuted, rule: "identityreused", guard: "owner", column: column,
		reason: "a claim can leave " + column + " as it was, so a later acquisition may carry the same number",
	}
}

// madeByClaim reports whether a value was scanned from the row that the claim returned.
func (j *judge) madeByClaim(c *claim, t *term.Term) bool {
	return t.Any(func(u *term.Term) bool { return u.Kind == term.Call && u.N >= flow.OutParam && j.madeBy(u, c.site) })
}

// claimedNumber reports whether a value is the number that this claim made.
func (j *judge) claimedNumber(c *claim, b *bound, column string) bool {
	if b.worth() == epoch || b.beginsAgain() {
		return true
	}
	before, ok := c.guard[column]
	t := b.term
	return ok && t.Kind == term.Op && t.Str == "+" && len(t.Args) == 2 && t.Args[0].Equal(before) && !term.IsZero(t.Args[1])
}

func (j *judge) isSigned(c *claim, b *bound, column string) bool {
	own, ok := c.signed[column]
	return ok && (own.term.Equal(b.term) || j.handsBack(c, b.term, column))
}

// handsBack reports whether a value is what the claim's own statement gave back of a column.
func (j *judge) handsBack(c *claim, t *term.Term, column string) bool {
	for _, a := range t.Alternatives() {
		stmt, _ := j.asked(a)
		if stmt == nil || !j.madeByClaim(c, a) {
			return false
		}
		for _, x := range texts(j.widen(stmt)) {
			if x.none != "" || !slices.ContainsFunc(j.dialectsOf(x.s), func(d fsql.Dialect) bool { return j.gives(j.parse(x.s, x.holes, d), a, column) }) {
				return false
			}
		}
	}
	return true
}

// gives reports whether a statement gives back a column where a value is read.
func (j *judge) gives(s *fsql.Script, t *term.Term, column string) bool {
	return slices.ContainsFunc(s.Statements, func(st fsql.Statement) bool {
		i := j.columnIn(t, st.Returning)
		return i >= 0 && i < len(st.Returning) && strings.EqualFold(st.Returning[i], column)
	})
}

// fresh reports whether a value is made anew for each acquisition.
func (j *judge) fresh(b *bound) bool {
	return b.worth() == opaque && !slices.ContainsFunc(b.origins, func(o origin) bool { return reused[o.source] || o.class == constant })
}

// reused lists sources whose values look random and come again.
var reused = map[string]bool{"os.Getpid": true, "os.Hostname": true, "os.Getenv": true}

// crossClaim judges a condition on the lease row beside the data.
func (j *judge) crossClaim(p *pair, c *claim, b *bound, v *fence.Verdict) (decision, bool) {
	for _, o := range v.Others {
		if o.Table == c.table && c.kept[o.Column] && j.madeByClaim(c, b.term) {
			return keptDecision(o.Column), true
		}
		aside := !o.Locked && slices.Contains(c.counted, o.Column) // whatever it is compared with
		if o.Table != c.table || !aside && b.worth() != epoch && !j.isSigned(c, b, o.Column) {
			continue
		}
		d := decision{guard: "owner", column: o.Column}
		if !o.Locked {
			d.verdict, d.rule, d.guard = refuted, "crosstablefence", "none"
			d.reason = "the claim is compared in table " + o.Table + ", whose row is not locked"
			return d, true
		}
		if o.RejectsStale != fence.Yes || b.worth() != epoch && !o.Exact {
			continue // values that have no order are told apart by equality alone
		}
		d.verdict, d.guarded, d.reason = proved, true, "the row of the claim is locked and compared in the same statement"
		return j.rejection(p, d), true
	}
	return decision{}, false
}
