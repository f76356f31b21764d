package flow

import (
	"strings"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
)

// rowLock tells a statement that locks the rows that it reads.
var rowLock = pattern.New(`(?i)\bfor\s+(no\s+key\s+)?(update|share)\b`)

// endsWithTx ends the hold of a lock at the end of the transaction on which a function takes
// it that a library runs in one: who began the transaction has the lock no more.
func (a *Analysis) endsWithTx(e *Event, t target) {
	src := e.src
	if e.Kind != Acquire || src == nil || src.Hold == nil || src.Recv == nil || !a.txLock(src) || !a.beginsAnew(t) {
		return
	}
	if c := a.Carrier(src); c == "pool" || c == "conn" || !src.Recv.Any(func(u *term.Term) bool { return u.Kind == term.Param }) {
		return // on another transaction, or what looks like a pool here
	}
	if strings.Contains(src.Chain[0].Func, "$") { // a literal, which nobody else calls
		src.Hold.Escapes = false
		return
	}
	own, hold := *src, *src.Hold
	hold.Escapes = false
	own.Hold, e.src = &hold, &own
}

// beginsAnew reports whether a call begins a transaction of its own, on a pool or a
// connection; in another one it sets a savepoint, and the locks last.
func (a *Analysis) beginsAnew(t target) bool {
	if t.call.Sink.Term == "savepoint" {
		return false
	}
	for _, arg := range t.args[:min(2, len(t.args))] {
		if arg.Kind != term.Iface {
			continue
		}
		if typ := a.typeOf(arg.Str); typ != nil && a.Models.Carrier(typ) != "" {
			return a.Models.Carrier(typ) != "tx"
		}
	}
	return t.call.Sink.Carrier == "pool" || t.call.Sink.Carrier == "conn"
}

// txLock reports whether a lock ends with the transaction in which it is taken.
func (a *Analysis) txLock(e *Event) bool {
	for _, l := range a.Models.Kind("sql") {
		if l.ID == e.Entry {
			return l.Scope == "tx"
		}
	}
	if e.Entry != Claim {
		return false
	}
	c := a.Models.FuncKey(e.Key)
	if c == nil || c.Sink == nil || !wholeStatement(c.Sink.Dialect) {
		return false
	}
	text := strings.TrimSpace(a.runs(e.Key, e.Recv, e.Args, c.Sink).text)
	reads := len(text) > 6 && strings.EqualFold(text[:6], "select") // one that writes a claim leaves it in the row
	return reads && rowLock.MatchString(text)
}
