package prove

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// byLibrary decides for libraries whose calls have rules of their own; false leaves the
// boundary to the other tables.
var byLibrary = map[string]func(*judge, *pair, *model.Sink) (decision, bool){}

func init() { // the functions refer to the table
	byLibrary["gorm"], byLibrary["gorm-v1"] = gormDecision, gormDecision
	builders["squirrel"], builders["gorm"], builders["gorm-v1"] = squirrelForms, gormForms, gormForms
}

// step is one call of a chain: db.Where(…).
type step struct {
	name string
	key  string
	args []*term.Term // without the receiver
}

// maxChains bounds the forms that a chain can have where paths meet.
const maxChains = 16

// chains lists the ways in which a value was put together by calls that belong to
// the package; root is what the first call was made on, nil if that was a function.
func chains(t *term.Term, pkg string) (out [][]step, roots []*term.Term) {
	for _, a := range t.Alternatives() {
		a = unboxed(a)
		if a.Kind != term.Call || !strings.HasPrefix(a.Str, pkg+".") && !strings.HasPrefix(a.Str, pkg+"/") {
			out, roots = append(out, nil), append(roots, a)
			continue
		}
		st := step{name: lastPart(a.Str), key: a.Str, args: a.Args}
		if rest := a.Str[len(pkg):]; strings.Count(rest[strings.LastIndexByte(rest, '/')+1:], ".") == 1 { // a function
			out, roots = append(out, []step{st}), append(roots, nil)
			continue
		}
		st.args = a.Args[1:]
		before, from := chains(a.Args[0], pkg)
		for i, b := range before {
			if len(out) >= maxChains {
				return nil, []*term.Term{term.NewUnknown("the statement has more forms than are followed")}
			}
			out, roots = append(out, append(b[:len(b):len(b)], st)), append(roots, from[i])
		}
	}
	return out, roots
}

// addedBy lists the steps that functions add to the chain that they are given; false if
// they do something else with it, or more than one thing.
func (j *judge) addedBy(fns *term.Term, pkg string) ([]step, bool) {
	list, ok := elements(fns)
	if !ok {
		list = []*term.Term{fns}
	}
	given := term.NewGlobal("the chain")
	var out []step
	for _, fn := range list {
		forms, roots := chains(j.a.Applied(unboxed(fn), given), pkg)
		if len(forms) != 1 || roots[0] == nil || !roots[0].Equal(given) {
			return nil, false
		}
		out = append(out, forms[0]...)
	}
	return out, true
}

// pathOf is the package of a method: "path" of "path.Type.Method". A library may be
// served under several.
func pathOf(key string) string {
	for range 2 {
		if i := strings.LastIndexByte(key, '.'); i > strings.LastIndexByte(key, '/') {
			key = key[:i]
		}
	}
	return key
}

// writing is a statement while it is put together: text with the terms in it, and
// the arguments of its placeholders.
type writing struct {
	dollar bool // $1 instead of ?
	parts  []*term.Term
	args   []*term.Term
	failed string // the reason why it cannot be known
}

func (w *writing) str(s ...string) {
	for _, x := range s {
		w.parts = append(w.parts, term.NewString(x))
	}
}

func (w *writing) fail(reason string) {
	if w.failed == "" {
		w.failed = reason
	}
}

// mark is the placeholder of the next argument.
func (w *writing) mark() string {
	if w.dollar {
		return "$" + strconv.Itoa(len(w.args))
	}
	return "?"
}

// arg writes a placeholder for a value, or for each element of a list.
func (w *writing) arg(t *term.Term) {
	t = unboxed(t)
	if t.Kind == term.List && !t.Open {
		for i, e := range t.Args {
			if i > 0 {
				w.str(", ")
			}
			w.arg(e)
		}
		return
	}
	w.args = append(w.args, t)
	w.str(w.mark())
}

// fragment writes text whose question marks stand for args; value writes one.
func (w *writing) fragment(text *term.Term, args []*term.Term, value func(*term.Term)) {
	text = unboxed(text)
	pieces := []*term.Term{text}
	if text.Kind == term.Concat {
		pieces = text.Args
	}
	for _, p := range pieces {
		s, ok := term.StringValue(p)
		if !ok {
			w.parts = append(w.parts, p)
			continue
		}
		for {
			before, after, found := strings.Cut(s, "?")
			w.str(before)
			if !found {
				break
			}
			if len(args) == 0 {
				w.fail("a placeholder without an argument")
				return
			}
			listed(w, before, args[0], value)
			s, args = after, args[1:]
		}
	}
}

// listed puts a list behind IN into parentheses, as builders do.
func listed(w *writing, before string, t *term.Term, value func(*term.Term)) {
	if unboxed(t).Kind == term.List && !strings.HasSuffix(strings.TrimSpace(before), "(") {
		w.str("(")
		value(t)
		w.str(")")
		return
	}
	value(t)
}

// statement gives text and arguments for the decision about SQL.
func (w *writing) statement() (*term.Term, *term.Term) {
	if w.failed != "" {
		return term.NewUnknown(w.failed), nil
	}
	return term.NewConcat(w.parts...), term.NewList(false, w.args...)
}

// builtDecision judges a statement that was put together.
func (j *judge) builtDecision(p *pair, w *writing, handed bool) decision {
	if w.failed != "" {
		return unreadable("table:?", j.callName(p.w), w.failed, handed)
	}
	stmt, args := w.statement()
	d := decision{}
	stmt = j.widen(stmt)
	for _, t := range texts(stmt) {
		d = worse(d, j.textDecision(p, t, args))
	}
	_, d.part = knownText(stmt)
	return d
}

// elements are the items of an argument list; false if some are not in sight.
func elements(t *term.Term) ([]*term.Term, bool) {
	t = unboxed(t)
	switch {
	case t.Kind == term.List:
		return t.Args, !t.Open
	case t.Kind == term.Op && t.Str == "append" && len(t.Args) == 2:
		begin, _ := elements(t.Args[0])
		return begin, false
	}
	return nil, t.Kind == term.Const
}

// gathered are the elements of a list that are always there and those that may be: a loop
// adds them, or only some of the lists with which it begins has them, as where a full one
// is sent and a new one begun. It is false if there may be others.
func gathered(t *term.Term) (always, perhaps []*term.Term, whole bool) {
	var begins [][]*term.Term
	whole = true
	for _, a := range unboxed(term.Settle(t)).Alternatives() {
		if added, grown := addedByLoop(unboxed(a)); grown {
			perhaps = append(perhaps, added...)
			continue
		}
		begin, all := elements(a)
		begins, whole = append(begins, begin), whole && all
	}
	if len(begins) == 0 {
		return nil, nil, false
	}
	for _, e := range slices.Concat(begins...) {
		switch inAll := !slices.ContainsFunc(begins, func(b []*term.Term) bool { return !slices.ContainsFunc(b, e.Equal) }); {
		case !inAll:
			perhaps = append(perhaps, e)
		case !slices.ContainsFunc(always, e.Equal):
			always = append(always, e)
		}
	}
	return always, perhaps, whole
}

// mayHold are the elements that a list has on one way or another; false if there may be
// others.
func mayHold(t *term.Term) (out []*term.Term, whole bool) {
	whole = true
	for _, a := range unboxed(term.Settle(t)).Alternatives() {
		added, grown := addedByLoop(unboxed(a))
		if !grown {
			added, grown = elements(a)
		}
		out, whole = append(out, added...), whole && grown
	}
	return out, whole
}

// sentTogether are the operations of one request: those that are always in it, those that
// may be, and what holds others, nil if there are none.
func (j *judge) sentTogether(p *pair) (always, perhaps []*term.Term, hidden *term.Term) {
	ops := j.at(j.models.FuncKey(p.w.Key).Sink.Input, p.w)
	if ops == nil {
		ops = term.NewUnknown("")
	}
	always, perhaps, whole := gathered(ops)
	if !whole {
		hidden = ops
	}
	return always, perhaps, hidden
}

// addedByLoop are the elements that each round of a loop adds to a list.
func addedByLoop(t *term.Term) ([]*term.Term, bool) {
	if t.Kind == term.Unknown && t.Str == term.FromItself {
		return nil, true
	}
	if t.Kind != term.Op || t.Str != "append" || len(t.Args) != 2 {
		return nil, false
	}
	before, grown := addedByLoop(t.Args[0])
	more, all := elements(t.Args[1])
	return append(before, more...), grown && all
}

// entry is one entry of a map literal.
type entry struct {
	key   string
	value *term.Term
}

// entries are those of a map whose keys are constants; false if it may have more.
func entries(t *term.Term) ([]entry, bool) {
	t = unboxed(t)
	if t.Kind != term.Struct || t.Open {
		return nil, false
	}
	out := make([]entry, len(t.Args))
	for i, n := range t.Names {
		k, ok := term.KeyedString(n)
		if !ok {
			return nil, false
		}
		out[i] = entry{k, t.Args[i]}
	}
	return out, true
}

// typeName is the name of the concrete type in an interface, without its package:
// "Lt" of "github.com/Masterminds/squirrel.Lt".
func typeName(t *term.Term) string {
	for t.Kind == term.Iface {
		if t.Args[0].Kind != term.Iface {
			return lastPart(strings.TrimLeft(t.Str, "*[]"))
		}
		t = t.Args[0]
	}
	if t.Kind == term.Struct {
		return lastPart(t.Str)
	}
	return ""
}
