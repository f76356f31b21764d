package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// A handle of gorm is a pool, or a transaction that was begun on one: its type does not say
// which. Who makes the object that keeps the handle knows.

// mayBeTx reports whether a statement goes through such a handle that may be a transaction,
// and is not known to be one: the package stores transactions where it is kept, or what
// keeps it is made out of sight.
func (j *judge) mayBeTx(e *flow.Event) bool {
	if e.Recv == nil || !strings.Contains(e.Key, "/gorm.DB.") {
		return false
	}
	unit := unitOf(e)
	return unit.Kind == term.Field && !j.begun(unit) && (flow.OfUnseen(unit) || j.keepsTx(unit))
}

// keepsTx reports whether the package stores transactions in a field.
func (j *judge) keepsTx(field *term.Term) bool {
	some := false
	keeps := func(v *term.Term) bool {
		if term.IsZero(v) {
			return true
		}
		some = true
		return j.begun(unboxed(v))
	}
	if of := unboxed(field.Args[0]); of.Kind == term.Field {
		for _, v := range j.a.FieldValues(of.Str) {
			if kept := term.NewField(field.Str, unboxed(v)); !keeps(kept) {
				return false
			}
		}
	} else {
		for _, v := range j.a.FieldValues(field.Str) {
			if !keeps(v) {
				return false
			}
		}
	}
	return some
}
