package flow

import (
	"go/types"

	"github.com/fencelint/fencelint/internal/pattern"
)

// Names of methods and interfaces are the first hint that a call may take a lock. What is
// here keeps the hint a good one: methods that speak of locks, and by what they are given
// and give back cannot take one.

// settingWords begin the names of methods that keep something about a lock, or give it to
// somebody else; tellingWords end those that tell of one.
var (
	settingWords = pattern.New(`^(Set|Transfer|Move)[A-Z]`)
	tellingWords = pattern.New(`(Changed|Handler|Hook|Metrics|Stats|Config|Options|Count)$|^(List|Expired|Active|All)?(Leases|Locks|Leaders)(C|Chan)?$`)
)

// onlyTells reports whether a method of an interface, named like that of a lock, takes none.
func (a *Analysis) onlyTells(d *DynCall) bool {
	if tellingWords.MatchString(d.Method) {
		return true
	}
	sig := a.signatureOf(d)
	if sig == nil {
		return false
	}
	switch {
	case settingWords.MatchString(d.Method):
		return !mayRefuse(sig) // SetLock may say that another has it
	case len(d.Method) > 3 && d.Method[:3] == "Get":
		return !mayRefuse(sig) && !takesContext(sig) // what is there already
	case holderWords.MatchString(d.Method) && sig.Params().Len() == 0 && sig.Results().Len() == 1:
		return isNumber(sig.Results().At(0).Type())
	}
	return false
}

// signatureOf finds the method of an interface that a call names; nil if it is not in sight.
func (a *Analysis) signatureOf(d *DynCall) *types.Signature {
	t := a.typeOf(d.Iface)
	if t == nil {
		return nil
	}
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for m := range iface.Methods() {
		if m.Name() == d.Method {
			return m.Signature()
		}
	}
	return nil
}

// mayRefuse reports whether a function can say that it has not done what it was asked for.
func mayRefuse(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		if isError(v.Type()) || isBoolean(v.Type()) {
			return true
		}
	}
	return false
}

func takesContext(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if typeName(v.Type()) == "context.Context" {
			return true
		}
	}
	return false
}
