package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
)

// columns is what the columns of a write tell of a lock: who has it, until when,
// and what the write does to both.
type columns struct {
	signs  flow.Signs
	table  string     // that is written
	whole  bool       // it may store the columns that it compares
	key    fence.Term // by which the row is chosen
	tenure bool       // key tells the tenures of one row apart
	turn   bool       // it compares the number of a tenure
	takes  bool       // it lets a new owner in
	gives  bool       // it makes the lock free
	renews bool       // it prolongs what one owner has
	dated  bool       // it compares the very time until which the row is leased
	// plainly: it notes the owner without a condition on who that was.
	plainly bool
	due     []string // columns that it stores, and that say when work comes up again
	other   int      // how many columns it stores that tell nothing of a lock
}

// ownerName finds columns that say who has a lock.
var ownerName = pattern.New(`(?i)owner|holder|held_?by|(lock(ed)?|lease[ds]?|claim(ed)?|acquired|reserved|taken|run|picked)_?by|leader_?(id|name)?$|instance|worker|host_?name|node_?id`)

// progressName finds columns that say how far work has come.
var progressName = pattern.New(`(?i)stat(us|e)$|attempt|retr(y|ies)|phase|updated|modified`)

// claimedWord finds the same in a statement.
var claimedWord = pattern.New(`(?i)(?:^|[^a-z])(taken|claimed|reserved|picked(_?up)?)_?(at|on|by|until|time)(?:[^a-z]|$)`)

// claimedName finds columns that say that somebody works at a row.
var claimedName = pattern.New(`(?i)^(taken|claimed|reserved|picked(_?up)?)_?(at|on|by|until|time)$`)

// kindName finds columns that tell leases apart, whatever else their name says.
var kindName = pattern.New(`(?i)_?(type|kind|name|key|group|reason|mode|category)$`)

// timeName finds columns that say until when, or since when.
var timeName = pattern.New(`(?i)expir|until|valid_?to|deadline|timeout|heart_?beat|last_?(update|seen|beat|renew)|(lock|elect|acquire|renew|update|touch|taken|claim|reserved|picked)[a-z]*_?(at|on|time|ts)$|ttl|(?:^|[^e])lease`)

// untilName finds columns that say until when a row is leased.
var untilName = pattern.New(`(?i)expir|until|valid_?to|deadline|(lock|lease)[a-z_]*_?(end|ttl)`)

// saysWhen reports whether a column is named for a time of a lock.
func saysWhen(column string) bool {
	return timeName.MatchString(column) && !kindName.MatchString(column)
}

// dueName finds columns that say when somebody may work at a row again. A statement that
// moves that time on, where it has come, and notes the owner, leases the row.
var dueName = pattern.New(`(?i)next_?(\w*_)?(at|time|run|try|retry|cron|attempt|check|poll)|(run|retry|available|visible|due|process|schedule[d]?|poll)_?(at|after|time|on)$|^due|visib`)

// counterName finds columns that count or tell versions apart, whatever else their
// name says.
var counterName = pattern.New(`(?i)version|epoch|fenc|revision|seq|count|hash|checksum`)

// tenureName finds columns that tell the tenures of one row apart, and not the rows.
var tenureName = pattern.New(`(?i)version|epoch|fenc|revision|generation|(^|_)term$`)

// columnsOf reads a write; a partial one may store more columns than are seen, and
// is taken to store those that it compares. What one that expires writes goes by itself.
func columnsOf(m *fence.Mutation, partial, expires bool) *columns {
	c := &columns{table: m.Resource, whole: partial}
	taken := flow.Plain
	if expires {
		c.signs, taken = flow.Expires, flow.TakenOver
	}
	for _, s := range append(append([]fence.Assign(nil), m.Set...), m.InsertRow...) {
		c.stores(s)
	}
	free, theirs := c.guard(m.Guard)
	for _, s := range m.Set {
		if w, ok := s.Value.(fence.Case); ok && stays(w, s.Column) {
			for _, arm := range w.Arms { // what is there stays, unless this is so
				isFree, _ := c.guard(arm.When)
				free = free || isFree
			}
		}
	}
	switch m.Kind {
	case fence.Delete:
		c.gives = c.key != nil && c.signs&flow.TakenOver == 0
		return c
	case fence.Truncate, fence.DDL, fence.Merge:
		return c
	}
	if c.dated && !theirs && c.signs&(flow.Expires|flow.Named) == flow.Expires|flow.Named {
		c.signs |= flow.TakenOver // who moves the time has seen that it is over
	}
	switch clears := !partial && clearsOwner(m); {
	case clears:
		c.gives = c.signs&flow.TakenOver == 0
	case m.Kind == fence.Insert && m.OnConflict != "update" && m.OnConflict != "replace" && m.InsertPath != fence.Closed && m.Guard == nil:
		c.takes = true
		c.signs |= taken
		c.rowKey(m)
		if c.other > maxOther {
			c.signs &^= flow.Named // a record that can be locked, and is not locked by this
		}
	case c.signs&flow.TakenOver != 0, free:
		c.takes = true
		if m.InsertPath != fence.Closed {
			c.rowKey(m)
		}
		if c.signs&flow.TakenOver == 0 {
			c.signs |= taken
		}
	case (theirs || c.turn && !c.tenure) && c.signs&flow.Expires != 0:
		c.renews = c.other == 0 // with results beside, it is a write of the work
	case m.Kind == fence.Update && !partial && c.other == 0 && (c.signs|named(m.Resource))&signed == signed:
		c.takes, c.plainly = true, true // whoever has it: who may work was found out before
	}
	return c
}

// named is the sign of a table that is named after locks.
func named(table string) flow.Signs {
	if flow.SpeaksOfLock(table) {
		return flow.Named
	}
	return 0
}

// signed are the signs of a statement that notes who has a row, and since or until when.
const signed = flow.Named | flow.Owned | flow.Expires

// maxOther bounds the columns of a row that is a lock and nothing more: its name, and what
// people want to know of it.
const maxOther = 3

// stores notes a column that is written.
func (c *columns) stores(s fence.Assign) {
	if counterName.MatchString(s.Column) {
		return
	}
	if flow.SpeaksOfLock(s.Column) || claimedName.MatchString(s.Column) {
		c.signs |= flow.Named
	}
	switch {
	case saysWhen(s.Column):
		c.signs |= flow.Expires
	case dueName.MatchString(s.Column):
		c.due = append(c.due, s.Column)
	case ownerName.MatchString(s.Column):
		c.signs |= flow.Owned
	case !flow.SpeaksOfLock(s.Column) && !progressName.MatchString(s.Column):
		c.other++
	}
}

// guard reads the condition: free says that it asks whether nobody has the lock,
// theirs that it names the owner.
func (c *columns) guard(cond fence.Cond) (free, theirs bool) {
	fence.WalkConds(cond, func(x fence.Cond) {
		switch x := x.(type) {
		case fence.NoRow:
			free = true
		case fence.IsNull:
			if col, ok := x.Of.(fence.Stored); ok && c.ofTable(col) && isOwnerOrTime(col.Column) {
				free = true
				if c.whole && ownerName.MatchString(col.Column) {
					c.signs |= flow.Owned
				}
			}
		case fence.Cmp:
			free, theirs = c.compares(x, free, theirs)
		}
	})
	return free, theirs
}

func (c *columns) compares(x fence.Cmp, free, theirs bool) (bool, bool) {
	col, other, op := x.L, x.R, x.Op
	stored, ok := col.(fence.Stored)
	if !ok {
		if stored, ok = other.(fence.Stored); !ok {
			return free, theirs
		}
		other, op = col, flipped[op]
	}
	if !c.ofTable(stored) {
		return free, theirs
	}
	name := stored.Column
	if c.whole && ownerName.MatchString(name) {
		c.signs |= flow.Owned
	}
	switch {
	case op.Ordered():
		if c.signs&flow.Owned != 0 && slices.Contains(c.due, name) && (op == fence.LT || op == fence.LE) {
			c.signs |= flow.TakenOver | flow.Expires
		}
		if saysWhen(name) && !counterName.MatchString(name) && (op == fence.LT || op == fence.LE) {
			c.signs |= flow.TakenOver
		}
	case op != fence.EQ && op != fence.Same:
	case saysWhen(name) && flow.SpeaksOfLock(name) && !ownerName.MatchString(name):
		c.dated = true
	case ownerName.MatchString(name) && !saysWhen(name):
		if l, isLit := other.(fence.Lit); isLit && l.Text == "" {
			return true, theirs
		}
		return free, true
	case (c.key == nil || c.tenure) && !saysWhen(name) && !strings.Contains(name, "status") && !strings.Contains(name, "state"):
		c.turn = c.turn || tenureName.MatchString(name)
		c.key, c.tenure = other, tenureName.MatchString(name)
	case tenureName.MatchString(name):
		c.turn = true
	}
	return free, theirs
}

// stays reports whether a column keeps its value where no condition of a choice holds.
func stays(w fence.Case, column string) bool {
	old, ok := w.Else.(fence.Stored)
	return ok && old.Column == column
}

// ofTable reports whether a column may be one of the table that is written, and not of
// another one that a subquery reads.
func (c *columns) ofTable(s fence.Stored) bool {
	return s.Table == "" || s.Table == fence.Ambiguous || s.Table == c.table
}

var flipped = map[fence.Op]fence.Op{fence.LT: fence.GT, fence.LE: fence.GE, fence.GT: fence.LT, fence.GE: fence.LE, fence.EQ: fence.EQ, fence.NE: fence.NE, fence.Same: fence.Same}

// saysWho reports whether a column says by its name who has something.
func saysWho(col string) bool {
	return (ownerName.MatchString(col) || byName.MatchString(col)) && !saysWhen(col) && !counterName.MatchString(col)
}

// byName finds columns that say by whom, whatever is done.
var byName = pattern.New(`(^by|_by|[a-z]By)$`)

func isOwnerOrTime(col string) bool {
	return (ownerName.MatchString(col) || saysWhen(col) || flow.SpeaksOfLock(col)) && !counterName.MatchString(col)
}

// clearsOwner reports whether the write empties the column of the owner, or of the
// time, of the row that is there.
func clearsOwner(m *fence.Mutation) bool {
	for _, s := range m.Set {
		if !isOwnerOrTime(s.Column) {
			continue
		}
		switch v := s.Value.(type) {
		case fence.Null:
			return true
		case fence.Const:
			if v.Int == 0 {
				return true
			}
		case fence.Lit:
			if v.Text == "" {
				return true
			}
		}
	}
	return false
}

// rowKey is the key of a row that is inserted: the column on which the conflict is,
// or the first one that is neither owner nor time.
func (c *columns) rowKey(m *fence.Mutation) {
	row := m.InsertRow
	if len(row) == 0 {
		row = m.Set // a record that replaces the one that is there
	}
	for _, col := range m.ConflictOn {
		for _, s := range row {
			if s.Column == col {
				c.key = s.Value
				return
			}
		}
	}
	for _, s := range row {
		if !ownerName.MatchString(s.Column) && !saysWhen(s.Column) {
			c.key = s.Value
			return
		}
	}
}
