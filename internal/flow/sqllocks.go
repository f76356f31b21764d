package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/classify"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// sqlLock is the event of a statement that takes or gives back a lock of the
// database server, nil for any other statement. The lock belongs to the
// connection or transaction that the statement goes through.
func (f *fn) sqlLock(c ssa.CallInstruction, t target, s *model.Sink) *Event {
	recv, args := split(t)
	if recv == nil || s.Kind == "builder_start" || s.Kind == "prepare" || s.Kind == "text_transform" {
		return nil // which runs nothing yet
	}
	e := f.serverLock(f.a.runs(t.key, recv, args, s))
	if e != nil {
		e.Site, e.Chain = f.siteOf(c), []Step{f.step(c)}
	}
	return e
}

// serverLock is the event of a statement, without its place.
func (f *fn) serverLock(r ran) *Event {
	l := f.a.sqlEntry(r.text)
	if l == nil || r.recv == nil {
		return nil
	}
	e := &Event{Kind: Acquire, Key: r.key, Entry: l.ID, Lib: l.Lib, Recv: r.recv, Args: r.args}
	if l.Role == model.RoleRelease {
		e.Kind = Release
		return e
	}
	e.Hold = &Hold{Handle: r.recv, Lib: l.Lib, Library: true}
	return e
}

// ran is the call that was given the text of a statement.
type ran struct {
	key  string
	recv *term.Term
	args []*term.Term
	text string // what is constant of it
}

// runs finds the text of the statement that a call runs: a builder may have been
// told it earlier in the chain.
func (a *Analysis) runs(key string, recv *term.Term, args []*term.Term, s *model.Sink) ran {
	for range maxBuilt {
		if s.Stmt >= 0 {
			if s.Stmt >= len(args) || !wholeStatement(s.Dialect) {
				break
			}
			return ran{key, recv, args, constantText(args[s.Stmt])}
		}
		r := unbox(recv)
		if from, text := a.statementOf(r, 0); text != "" && s.Kind != "stmt" {
			return ran{key, from, args, text}
		}
		if s.Kind != "builder_terminal" && s.Kind != "builder_step" || r.Kind != term.Call || len(r.Args) == 0 {
			break
		}
		c := a.known.byKey(r.Str)
		if c == nil || c.Sink == nil {
			break
		}
		key, recv, args, s = r.Str, r.Args[0], r.Args[1:], c.Sink
	}
	return ran{key: key, recv: recv, args: args}
}

const maxBuilt = 8

func wholeStatement(dialect string) bool {
	return dialect == "sql" || strings.HasPrefix(dialect, "sql:")
}

// constantText is what is constant of a statement; something else stands in each hole.
func constantText(t *term.Term) string {
	switch t = unbox(t); t.Kind {
	case term.Concat:
		var b strings.Builder
		for _, p := range t.Args {
			b.WriteString(constantText(p))
		}
		return b.String()
	case term.Alt:
		return constantText(t.Args[0])
	case term.List: // variable arguments, of which the text is the first
		if len(t.Args) > 0 {
			return constantText(t.Args[0])
		}
	}
	if s, ok := term.StringValue(t); ok {
		return s
	}
	return "\uE000"
}

// leadingText is the constant text that a statement begins with.
func leadingText(t *term.Term) string {
	if t.Kind == term.Concat && len(t.Args) > 0 {
		t = t.Args[0]
	}
	s, _ := term.StringValue(t)
	return s
}

// sqlEntry finds the entry of the models about a lock function in a statement.
// Row locks and claims are left to directives.
func (a *Analysis) sqlEntry(text string) *model.Lock {
	if !strings.Contains(text, "(") && !strings.Contains(text, "applock") {
		return nil
	}
	lower := strings.ToLower(text)
	for _, l := range a.Models.Kind("sql") {
		if l.Role != model.RoleAcquire && l.Role != model.RoleRelease || len(l.Match.Funcs) == 0 {
			continue
		}
		for _, fn := range l.Match.Funcs {
			if callsFunction(lower, fn) {
				return l
			}
		}
	}
	return nil
}

// givesOneOfSeveral reports whether a statement took several locks and another one gives
// back no more than one of them: the rest is still held.
func (a *Analysis) givesOneOfSeveral(acq, r *Event) bool {
	return acq.src == nil && acq.Lib == "sql" && r.Kind == Release && a.lockCalls(acq) > 1 && a.lockCalls(r) == 1
}

// lockCalls counts the calls of functions for locks in the statement of an event.
func (a *Analysis) lockCalls(e *Event) int {
	for r := e; r != nil; r = r.src {
		c := a.Models.FuncKey(r.Key)
		if c == nil || c.Sink == nil {
			return 0
		}
		text := strings.ToLower(a.runs(r.Key, r.Recv, r.Args, c.Sink).text)
		if strings.Contains(text, "unlock_all") {
			return 0
		}
		n := 0
		for _, name := range a.lockFuncs() {
			for rest := text; callsFunction(rest, name); n++ {
				rest = rest[strings.Index(rest, name)+len(name):]
			}
		}
		if n > 0 {
			return n
		}
	}
	return 0
}

// lockFuncs are the functions of database servers that take or give back a lock.
func (a *Analysis) lockFuncs() []string {
	var out []string
	for _, l := range a.Models.Kind("sql") {
		if l.Role == model.RoleAcquire || l.Role == model.RoleRelease {
			out = append(out, l.Match.Funcs...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// callsFunction reports whether a statement in lower case calls a function, by
// its whole name.
func callsFunction(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if (i == 0 || !isWord(text[i-1])) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		from = end
	}
}

func isWord(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9'
}

// Carrier says what the receiver of a statement is: pool, conn, tx, or "" if
// that cannot be told.
func (a *Analysis) Carrier(e *Event) string {
	unseen := false
	for t := e.Recv; t != nil && t.Kind == term.Iface; t = t.Args[0] {
		unseen = unseen || t.Str == anyHandle
		if typ := a.typeOf(t.Str); typ != nil {
			if c := a.Models.Carrier(typ); c != "" {
				return c
			}
		}
	}
	if ofTx(e.Recv) {
		return "tx"
	}
	if unseen {
		return ""
	}
	if c := a.known.byKey(e.Key); c != nil && c.Sink != nil {
		return c.Sink.Carrier
	}
	return ""
}

// anyHandle is the type of a handle that is called through an interface of the program's own:
// pools, connections and transactions have its methods.
const anyHandle = "any handle"

// throughAny reports whether a call goes through an interface, and it is not known what stands
// in that.
func (f *fn) throughAny(c ssa.CallInstruction) bool {
	return c.Common().IsInvoke() && !slices.ContainsFunc(f.value(c.Common().Value).Alternatives(), func(t *term.Term) bool { return t.Kind == term.Iface })
}

// UnseenHandle reports whether a statement lock is taken through such a handle, and nothing
// tells what it is.
func (a *Analysis) UnseenHandle(e *Event) bool {
	return e.Recv != nil && e.Recv.Kind == term.Iface && e.Recv.Str == anyHandle && a.Carrier(e) == ""
}

// ofTx reports whether a connection is the one that a transaction of pgx runs on.
func ofTx(conn *term.Term) bool {
	_, tx := runsOn(conn)
	return tx
}

// RunsOn is the transaction or connection of pgx behind those that it gives for calls of
// its lower layers.
func RunsOn(conn *term.Term) *term.Term {
	t, _ := runsOn(conn)
	return t
}

func runsOn(conn *term.Term) (t *term.Term, tx bool) {
	for t = conn; t != nil && unbox(t).Kind == term.Call && len(unbox(t).Args) == 1; t = unbox(t).Args[0] {
		name, ok := strings.CutPrefix(strings.TrimPrefix(unbox(t).Str, DynPrefix), "github.com/jackc/pgx/")
		if !ok || !strings.HasSuffix(name, ".Tx.Conn") && !strings.HasSuffix(name, ".Conn.PgConn") {
			break
		}
		tx = tx || strings.HasSuffix(name, ".Tx.Conn")
	}
	return t, tx
}

// claims turns statements and interface calls that a directive declares an
// acquisition into one: a row that is claimed, a row lock, a lock behind an
// interface.
func (f *fn) claims() {
	if f.a.Classes == nil || f.a.Classes.Empty() {
		return
	}
	taken := make(map[*classify.Directive]bool)
	each := func(visit func(e *Event, d *classify.Directive)) {
		for _, s := range f.sites {
			for _, e := range s.events {
				if d := f.directiveOn(e); d != nil {
					visit(e, d)
				}
			}
		}
	}
	handed := make(map[string]bool) // sites of calls whose results other calls of the statement are given
	each(func(e *Event, d *classify.Directive) {
		taken[d] = taken[d] || e.Kind == Acquire
		if f.canClaim(e) {
			noteSites(handed, e)
		}
	})
	each(func(e *Event, d *classify.Directive) {
		if !taken[d] && f.canClaim(e) && !handed[e.Site] {
			taken[d] = true
			f.claim(e)
		}
	})
}

// noteSites notes whose results a call is given. What it stores through an argument is its own.
func noteSites(sites map[string]bool, e *Event) {
	for _, t := range e.Args {
		if t != nil {
			t.Any(func(u *term.Term) bool {
				if u.Kind == term.Call && u.Site != e.Site {
					sites[u.Site] = true
				}
				return false
			})
		}
	}
}

// directiveOn is the lock directive on the statement in which the event's call stands.
func (f *fn) directiveOn(e *Event) *classify.Directive {
	if len(e.Chain) == 0 || !e.Chain[0].Pos.IsValid() {
		return nil
	}
	pos := e.Chain[0].Pos
	l := f.a.Classes.Stmt(pos)
	if l == nil || f.a.Classes.InBlock(l.Dir, pos) {
		return nil
	}
	return l.Dir
}

func (f *fn) canClaim(e *Event) bool {
	if e.site.call == nil || e.Detached {
		return false
	}
	return e.Kind == Write || e.Kind == Dyn && e.Dyn.Method != ""
}

// Claim is the entry of an acquisition that a directive declares.
const Claim = "directive"

func (f *fn) claim(e *Event) {
	e.Entry = Claim
	h := f.claimedRow(e)
	region := runsGiven(e)
	for _, m := range e.site.events {
		if m.Kind == May && m.Site == e.Site && m.Key == e.Key {
			m.Hold.Claimed = !region // what a function does that is given is judged by the types
		}
	}
	e.Kind, e.Lib = Acquire, Claim
	e.Hold = &Hold{Handle: h, Lib: Claim, Library: true, Region: region}
	if below := e.src; below != nil && below.Hold == nil { // the called function hands on what its call takes
		held := *below
		held.Hold = &Hold{Handle: h, Lib: Claim, Escapes: true}
		e.src = &held
	}
	e.Holds = slices.DeleteFunc(e.Holds, func(a *Event) bool { return a == e })
}

// claimedRow is what a lock that a directive declares lives with: the row that its statement
// writes, if that can be told, or else what the call goes through.
func (f *fn) claimedRow(e *Event) *term.Term {
	if f.a.Grips != nil && e.Kind == Write {
		for _, g := range f.a.Grips(f.a, e) {
			if g.Kind == Acquire && g.Handle == nil {
				return g.handle()
			}
		}
	}
	if e.Recv == nil {
		return term.NewUnknown("a lock that a directive declares")
	}
	return e.Recv
}

// runsGiven reports whether a call through an interface runs a function under the lock
// and has given it back when it returns: there is nothing to give it back with.
func runsGiven(e *Event) bool {
	c := e.site.call.Common()
	if !c.IsInvoke() {
		return false
	}
	isFunc := func(v ssa.Value) bool { _, ok := v.Type().Underlying().(*types.Signature); return ok }
	for v := range c.Signature().Results().Variables() {
		if !isError(v.Type()) && !isBoolean(v.Type()) {
			return false
		}
	}
	iface := c.Value.Type().Underlying().(*types.Interface)
	for m := range iface.Methods() {
		if endWords.MatchString(m.Name()) {
			return false
		}
	}
	return slices.ContainsFunc(c.Args, isFunc)
}

// claimGranted is the state after a claim that was not refused.
func (f *fn) claimGranted(a *Event, call *ssa.Call) []abs {
	sig := call.Common().Signature()
	if c := f.a.known.byKey(a.Key); a.src == nil && (a.Entry == Claim || callKey(call.Common()) == a.Key) && c != nil && c.Sink != nil && c.Sink.Profile != nil {
		if t := refusalTuple(c.Sink, sig); t != nil {
			for i := range t {
				t[i] = grantedValue(t[i])
			}
			return t
		}
	}
	return likelyGrant(sig)
}

func grantedValue(a abs) abs {
	switch {
	case a.k == refused:
		return abs{k: granted}
	case a.k == nonNil && a.sig:
		return abs{k: isNil}
	case a.k == isBool && a.sig:
		return boolean(true)
	}
	a.sig = false
	return a
}
