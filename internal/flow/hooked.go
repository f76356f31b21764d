package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// gorm runs methods of a record before and after it is written, in the same transaction:
// https://gorm.io/docs/hooks.html. What they write is written by the call.

// hooks are the methods that the verbs of gorm run, by the last part of their name.
var hooks = map[string][]string{
	"Create":          {"BeforeSave", "BeforeCreate", "AfterCreate", "AfterSave"},
	"CreateInBatches": {"BeforeSave", "BeforeCreate", "AfterCreate", "AfterSave"},
	"FirstOrCreate":   {"BeforeSave", "BeforeCreate", "AfterCreate", "AfterSave"},
	"Save":            {"BeforeSave", "BeforeCreate", "BeforeUpdate", "AfterCreate", "AfterUpdate", "AfterSave"},
	"Update":          {"BeforeSave", "BeforeUpdate", "AfterUpdate", "AfterSave"},
	"Updates":         {"BeforeSave", "BeforeUpdate", "AfterUpdate", "AfterSave"},
	"Delete":          {"BeforeDelete", "AfterDelete"},
}

const gormDB = "gorm.io/gorm.DB."

// hooked adds to what a call of gorm causes what the hooks of the record cause that it writes.
func (f *fn) hooked(c ssa.CallInstruction, t target, depth int, own []*Event) []*Event {
	verb, ok := strings.CutPrefix(t.key, gormDB)
	if !ok || hooks[verb] == nil || len(t.args) < 2 || depth >= maxExpand {
		return own
	}
	record := hookedRecord(t.args)
	if record == nil {
		return own
	}
	out := own
	for _, hook := range hooks[verb] {
		to, ok := f.concrete(strings.TrimPrefix(record.Str, "*"), hook, []*term.Term{record, unitBelow(t.args[0])})
		if !ok || to.dyn != nil || to.sum == nil {
			continue
		}
		for _, e := range f.eventsOfTarget(c, to, depth+1) {
			out = append(out, e)
			if strings.HasPrefix(hook, "Before") && e.stops() {
				for _, w := range own {
					w.After = append(w.After, e)
				}
			}
		}
	}
	return out
}

// stops reports whether the refusal of a write makes the function fail in which it stands.
func (e *Event) stops() bool {
	return e.Kind == Write && e.certain() && len(e.seeds) > 0 && !slices.ContainsFunc(e.seeds, func(o Outcome) bool {
		return o.Unsure || o.Returns != ended && !strings.HasPrefix(o.Returns, "e")
	})
}

// hookedRecord is the record whose hooks run: what Model names, or what is handed over.
func hookedRecord(args []*term.Term) *term.Term {
	record := args[1]
	for s := unbox(args[0]); s.Kind == term.Call && strings.HasPrefix(s.Str, gormDB) && len(s.Args) > 0; s = unbox(s.Args[0]) {
		if s.Str == gormDB+"Model" && len(s.Args) == 2 {
			record = s.Args[1]
			break
		}
	}
	if record.Kind != term.Iface {
		return nil
	}
	return record
}

// unitBelow is the pool or transaction on which a chain of gorm runs.
func unitBelow(chain *term.Term) *term.Term {
	for s := unbox(chain); s.Kind == term.Call && len(s.Args) > 0 && staysInUnit[strings.TrimPrefix(s.Str, gormDB)]; s = unbox(s.Args[0]) {
		chain = unbox(s.Args[0])
	}
	return chain
}

// staysInUnit are the steps that write nothing and begin no transaction.
var staysInUnit = set("Model", "Table", "Where", "Or", "Not", "Select", "Omit", "Clauses", "Order", "Limit", "WithContext", "Session", "Debug", "Scopes", "Unscoped")

// isHandle reports whether a type is gorm's, which carries the error of what was done with it.
func isHandle(t types.Type) bool { return strings.TrimPrefix(typeName(t), "*")+"." == gormDB }
