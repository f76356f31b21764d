package catalogue

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/rule"
	"github.com/fencelint/fencelint/model"
)

// draftRow is one row while it is written.
type draftRow struct {
	fields []string
	decide []string // what a person has to answer
}

func (r *draftRow) set(key, value string) {
	if value != "" {
		r.fields = append(r.fields, key+": "+value)
	}
}

// path sets a field to a path of the format.
func (r *draftRow) path(key, path string) {
	if path != "" {
		r.set(key, yamlWord(path))
	}
}

func (r *draftRow) ask(what string) { r.decide = append(r.decide, what) }

// text is the row under the declaration that it is about and the questions that it leaves.
func (d *drafter) text(f function, r *draftRow) string {
	var b strings.Builder
	fmt.Fprintf(&b, "      # %s\n", rule.Printable(types.ObjectString(f.fn, d.qualify)))
	for _, q := range r.decide {
		fmt.Fprintf(&b, "      # decide: %s\n", q)
	}
	fmt.Fprintf(&b, "      - {%s}\n", strings.Join(r.fields, ", "))
	return b.String()
}

// lock drafts the row of a function that does something to a lock, "" for others.
func (d *drafter) lock(f function) string {
	fill := map[model.Role]func(*drafter, function, *draftRow){
		model.RoleOpen: (*drafter).open, model.RoleAcquire: (*drafter).acquire, model.RoleRegion: (*drafter).region,
		model.RoleRelease: (*drafter).ends, model.RoleExtend: (*drafter).ends, model.RoleLost: (*drafter).tells,
		model.RoleCheck: (*drafter).tells, model.RoleToken: (*drafter).tells,
	}[f.role]
	if fill == nil {
		return ""
	}
	r := new(draftRow)
	r.set("call", f.call())
	r.set("role", string(f.role))
	fill(d, f, r)
	return d.text(f, r)
}

func (d *drafter) open(f function, r *draftRow) {
	sig := f.fn.Signature()
	r.path("handle", "ret[0]")
	r.path("key", argument(stringAt(sig)))
	r.path("ttl", argument(durationAt(sig)))
	r.path("ok", success(sig))
	r.ask("key: is that the name of the lock, so that equal keys are one lock? else take key out")
}

func (d *drafter) acquire(f function, r *draftRow) {
	sig := f.fn.Signature()
	if strings.HasPrefix(f.name, "Try") {
		r.set("mode", "try")
	} else {
		r.set("mode", "block")
		r.ask("mode: block (waits, perhaps for a bounded time) or try (answers at once)")
	}
	handle, held := d.handle(f)
	key := argument(stringAt(sig))
	if key != "" {
		r.ask("key: is " + key + " the name of the lock, so that equal keys are one lock? else take key out")
	}
	made := d.news[f.recv]
	if handle != "recv" {
		made = nil
	}
	if made != nil && key == "" && stringAt(made.Signature()) >= 0 {
		key = "recv<-" + made.Name() + "." + argument(stringAt(made.Signature()))
	}
	if handle == "key" && key == "" {
		handle = ""
	}
	r.path("handle", handle)
	session := d.sessionOf(made, r)
	for i := range sig.Results().Len() {
		if releaser(sig.Results().At(i)) {
			r.path("release", fmt.Sprintf("ret[%d]", i))
		}
	}
	r.path("key", key)
	r.path("ttl", argument(durationAt(sig)))
	r.path("ok", success(sig))
	d.lossOf(sig, handle, held, session, r)
	r.set("scope", "until_release")
	d.tokenOf(handle, held, sig, r)
	if handle == "" {
		r.ask("handle: where the held lock is: recv, ret[0], or key if equal keys are one lock")
	}
}

// handle says where a held lock is, and of which type it is.
func (d *drafter) handle(f function) (string, types.Type) {
	sig := f.fn.Signature()
	for i := range sig.Results().Len() {
		if t := sig.Results().At(i).Type(); d.releases(t) {
			return "ret[" + strconv.Itoa(i) + "]", t
		}
	}
	for i := range sig.Results().Len() {
		if releaser(sig.Results().At(i)) {
			return "ret[" + strconv.Itoa(i) + "]", nil
		}
	}
	if recv := sig.Recv(); recv != nil {
		if m := d.method(recv.Type(), releasing, nil); m != nil {
			if stringAt(m.Signature()) >= 0 {
				return "key", nil
			}
			return "recv", recv.Type()
		}
	}
	return "", nil
}

// sessionOf is the type of what a constructor gets that can tell of a loss; it becomes
// the session of the row. It is nil if there is none.
func (d *drafter) sessionOf(made *types.Func, r *draftRow) types.Type {
	if made == nil {
		return nil
	}
	params := made.Signature().Params()
	for i := range params.Len() {
		v := params.At(i)
		if d.method(v.Type(), losing, signals) != nil {
			r.path("session", fmt.Sprintf("recv<-%s.arg[%d]", made.Name(), i))
			return v.Type()
		}
	}
	return nil
}

// signals reports that a method gives a signal when it is asked for one.
func signals(m *types.Func) bool {
	return signalOf(result(m)) != "" && m.Signature().Params().Len() == 0
}

// lossOf says how the loss of a lock shows, as far as types tell.
func (d *drafter) lossOf(sig *types.Signature, handle string, held, session types.Type, r *draftRow) {
	for i := range sig.Results().Len() {
		if kind := signalOf(sig.Results().At(i).Type()); kind != "" {
			r.path("lost", fmt.Sprintf("%s:ret[%d]", kind, i))
			r.ask("lost: does that channel or context end when the lock is lost?")
			return
		}
	}
	for _, from := range []struct {
		path string
		t    types.Type
	}{{handle, held}, {"session", session}} {
		if m := d.method(from.t, losing, signals); m != nil {
			r.path("lost", fmt.Sprintf("%s:%s.%s()", signalOf(result(m)), from.path, m.Name()))
			r.ask("lost: does that channel or context end when the lock is lost?")
			return
		}
	}
	r.ask(`lost: how the loss shows: none, "chan_close:ret[0]", "ctx_done:ret[0]", "poll:recv.Valid()", extend`)
}

// tokenOf names what a held lock shows. That it is ordered, and issued with the grant,
// no type tells, so it counts as a name.
func (d *drafter) tokenOf(handle string, held types.Type, sig *types.Signature, r *draftRow) {
	shows := func(m *types.Func) bool {
		return m.Signature().Params().Len() == 0 && tokenType(result(m)) != ""
	}
	if m := d.method(held, numbering, shows); m != nil {
		r.token(handle+"."+m.Name()+"()", tokenType(result(m)))
		return
	}
	if i := number(sig.Results()); i >= 0 {
		r.token(fmt.Sprintf("ret[%d]", i), tokenType(sig.Results().At(i).Type()))
		return
	}
	r.noToken()
}

// number is which of some values is called a token and can be one, -1 if none is.
func number(tuple *types.Tuple) int {
	for i := range tuple.Len() {
		if v := tuple.At(i); numbering.MatchString(v.Name()) && tokenType(v.Type()) != "" {
			return i
		}
	}
	return -1
}

func (r *draftRow) token(at, typ string) {
	r.set("token", fmt.Sprintf("{class: opaque, at: %s, type: %s}", yamlWord(at), typ))
	r.ask(tokenQuestion)
}

func (r *draftRow) noToken() {
	r.set("token", "{class: none}")
	r.ask("token: none, or where a number is that each later owner has a greater one of, and its class")
}

const tokenQuestion = "token: class epoch only if each later owner has a greater one and it is issued with the grant; else opaque, volatile, counter_unbound or clock"

func (d *drafter) region(f function, r *draftRow) {
	sig := f.fn.Signature()
	at := callbackAt(sig)
	r.path("key", argument(stringAt(sig)))
	r.path("ttl", argument(durationAt(sig)))
	r.path("callback", argument(at))
	callback := sig.Params().At(at).Type().Underlying().(*types.Signature)
	if i := contextAt(callback); i >= 0 {
		r.path("lost", fmt.Sprintf("ctx_done:callback.arg[%d]", i))
		r.ask("lost: does the context of the function end when the lock is lost? else take lost out")
	}
	r.set("scope", "callback")
	if i := number(callback.Params()); i >= 0 {
		r.token(fmt.Sprintf("callback.arg[%d]", i), tokenType(callback.Params().At(i).Type()))
	} else {
		r.noToken()
	}
	r.ask("is the lock held while the function runs, and only then? else take the row out")
}

// ends drafts a release or an extension.
func (d *drafter) ends(f function, r *draftRow) {
	sig := f.fn.Signature()
	key := argument(stringAt(sig))
	switch {
	case f.recv == "" && sig.Params().Len() > 0 && handleAt(d, sig) >= 0:
		r.path("handle", argument(handleAt(d, sig)))
	case key != "":
		r.path("handle", "key")
		r.path("key", key)
	case f.recv != "":
		r.path("handle", "recv")
	}
	r.path("ok", success(sig))
	if f.role == model.RoleExtend {
		r.set("lost", "refused")
		r.ask("does it prolong a lock that is held, and fail when the lock is lost? else take the row out")
		return
	}
	r.ask("removes: true, if it frees the lock of any owner without a comparison")
}

// tells drafts a question to the handle: a signal, a number, or whether it is held.
func (d *drafter) tells(f function, r *draftRow) {
	t := result(f.fn)
	r.path("handle", "recv")
	switch f.role {
	case model.RoleLost:
		r.path("lost", signalOf(t)+":ret[0]")
		r.ask("does that channel or context end when the lock is lost? else take the row out")
	case model.RoleCheck:
		r.path("ok", success(f.fn.Signature()))
		r.set("traps", "[toctou]")
	case model.RoleToken:
		r.token("ret[0]", tokenType(t))
	}
}

// effects are what names of writing functions say of kind and boundary, the first that fits.
var effects = []struct {
	name           *pattern.Pattern
	kind, boundary string
	term           string
}{
	{pattern.New(`^(Publish|Send|Produce|Enqueue|Push)`), "message", "queue", ""},
	{pattern.New(`^(Post|Submit|Charge|Transfer|Pay|Refund)`), "call", "external", ""},
	{pattern.New(`^Commit`), "commit", "store", ""},
	{pattern.New(`^(Delete|Remove)`), "kv_put", "store", "delete"},
	{pattern.New(``), "kv_put", "store", ""},
}

// write drafts the row of a function that looks like a write, "" for others.
func (d *drafter) write(f function) string {
	sig := f.fn.Signature()
	n := sig.Results().Len()
	if f.role != "" || !writing.MatchString(f.name) || n == 0 || sig.Results().At(n-1).Type().String() != "error" || f.recv == "" {
		return ""
	}
	r := new(draftRow)
	r.set("call", f.call())
	if at := statementAt(sig); at >= 0 {
		r.set("kind", "exec")
		r.set("boundary", "store")
		r.set("stmt", strconv.Itoa(at))
		r.set("lang", "sql")
		if sig.Variadic() {
			r.set("args", strconv.Itoa(sig.Params().Len()-1))
		}
		r.ask("lang: of the statement; profile: how it says that no row was changed (with import: [sql])")
		return d.text(f, r)
	}
	for _, e := range effects {
		if e.name.MatchString(f.name) {
			r.set("kind", e.kind)
			r.set("boundary", e.boundary)
			key := stringAt(sig)
			r.path("key", argument(key))
			r.path("value", argument(valueAt(sig, key)))
			r.set("term", e.term)
			break
		}
	}
	r.ask("key and value: what is written, and what to it; boundary: store, cache, queue or external; report: never, if it does no harm; version: the argument that it compares, if any")
	return d.text(f, r)
}

// argument is the path of the n-th parameter, "" if n is less than 0.
func argument(n int) string {
	if n < 0 {
		return ""
	}
	return "arg[" + strconv.Itoa(n) + "]"
}

// success is the condition under which a call has done what it says.
func success(sig *types.Signature) string {
	var all []string
	for i := range sig.Results().Len() {
		switch t := sig.Results().At(i).Type().String(); t {
		case "error":
			all = append(all, fmt.Sprintf("ret[%d]==nil", i))
		case "bool":
			all = append(all, fmt.Sprintf("ret[%d]==true", i))
		}
	}
	return strings.Join(all, " && ")
}

// parameter is the first parameter that fits, -1 if none does.
func parameter(sig *types.Signature, fits func(*types.Var) bool) int {
	for i := range sig.Params().Len() {
		if fits(sig.Params().At(i)) {
			return i
		}
	}
	return -1
}

func stringAt(sig *types.Signature) int {
	return parameter(sig, func(v *types.Var) bool {
		b, ok := v.Type().Underlying().(*types.Basic)
		return ok && b.Kind() == types.String
	})
}

// statementAt is which parameter is the text of a statement, -1 if none is.
func statementAt(sig *types.Signature) int {
	return parameter(sig, func(v *types.Var) bool {
		return v.Type() == types.Typ[types.String] && (v.Name() == "sql" || v.Name() == "query" || v.Name() == "stmt" || v.Name() == "statement")
	})
}

var lasting = pattern.New(`(?i)ttl|expir|lease|^d$|dur`)

func durationAt(sig *types.Signature) int {
	return parameter(sig, func(v *types.Var) bool {
		return v.Type().String() == "time.Duration" && lasting.MatchString(v.Name())
	})
}

// valueAt is what is written: the parameter after the key, or the first that is no context.
func valueAt(sig *types.Signature, key int) int {
	last := sig.Params().Len()
	if sig.Variadic() {
		last--
	}
	for i := key + 1; i < last; i++ {
		if !isContext(sig.Params().At(i).Type()) {
			return i
		}
	}
	return -1
}

func callbackAt(sig *types.Signature) int {
	return parameter(sig, func(v *types.Var) bool {
		_, ok := v.Type().Underlying().(*types.Signature)
		return ok
	})
}

func handleAt(d *drafter, sig *types.Signature) int {
	return parameter(sig, func(v *types.Var) bool {
		obj := typeName(v.Type())
		return obj != nil && obj.Pkg() == d.pkg && !types.IsInterface(obj.Type())
	})
}

// contextAt is which argument of a function is a context, -1 if none is.
func contextAt(sig *types.Signature) int {
	return parameter(sig, func(v *types.Var) bool { return isContext(v.Type()) })
}

func onlyContext(sig *types.Signature) bool {
	return sig.Params().Len() == 1 && isContext(sig.Params().At(0).Type())
}

func isContext(t types.Type) bool { return t.String() == "context.Context" }

// result is the type of the first result, nil if there is none.
func result(fn *types.Func) types.Type {
	if r := fn.Signature().Results(); r.Len() > 0 {
		return r.At(0).Type()
	}
	return nil
}

// signalOf is the kind of signal that a value can give, "" if none.
func signalOf(t types.Type) string {
	if t == nil {
		return ""
	}
	if ch, ok := t.Underlying().(*types.Chan); ok && ch.Dir() != types.SendOnly {
		return "chan_close"
	}
	if isContext(t) {
		return "ctx_done"
	}
	return ""
}

// tokenType is the type of what may be a token: a whole number or text; "" for others.
func tokenType(t types.Type) string {
	if t == nil {
		return ""
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsInteger|types.IsString) == 0 {
		return ""
	}
	return b.Name()
}

// typeName is the declaration behind a type, pointers taken off; nil if it has none.
func typeName(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

func named(t types.Type) string {
	if obj := typeName(t); obj != nil {
		return obj.Name()
	}
	return ""
}

var plainWord = pattern.New(`^[A-Za-z_][A-Za-z0-9_./-]*$`)

// yamlWord is text as a scalar of YAML.
func yamlWord(s string) string {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return strconv.Quote(s)
	}
	if plainWord.MatchString(s) {
		return s
	}
	return strconv.Quote(s)
}
