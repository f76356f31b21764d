package flow

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// sharedChains are the libraries whose query builders change the value that they are
// called on, so that a step counts although its result is dropped, with the functions
// that give a value which no later step changes: each step on it begins a chain anew.
var sharedChains = map[string]map[string]bool{
	"gorm.io/gorm":                                 set("Open", "Session", "WithContext", "Debug", "Begin"),
	"github.com/uptrace/bun":                       nil,
	"github.com/go-pg/pg/v10/orm":                  nil,
	"github.com/go-pg/pg/v9/orm":                   nil,
	"github.com/go-pg/pg/orm":                      nil,
	"xorm.io/xorm":                                 nil,
	"github.com/scylladb/gocqlx/v3/qb":             nil,
	"github.com/scylladb/gocqlx/v2/qb":             nil,
	"github.com/go-xorm/xorm":                      nil,
	"entgo.io/ent/dialect/sql":                     nil,
	"go.mongodb.org/mongo-driver/mongo":            nil,
	"go.mongodb.org/mongo-driver/mongo/options":    nil,
	"go.mongodb.org/mongo-driver/v2/mongo":         nil,
	"go.mongodb.org/mongo-driver/v2/mongo/options": nil,
	"go.etcd.io/etcd/client/v3":                    nil,
	"go.etcd.io/etcd/clientv3":                     nil,
	"github.com/coreos/etcd/clientv3":              nil,
	"github.com/olivere/elastic/v7":                nil,
	"github.com/olivere/elastic":                   nil,
	"gopkg.in/olivere/elastic.v6":                  nil,
	"gopkg.in/olivere/elastic.v5":                  nil,

	"github.com/elastic/go-elasticsearch/v8/typedapi/core/index":  nil,
	"github.com/elastic/go-elasticsearch/v8/typedapi/core/update": nil,
	"github.com/elastic/go-elasticsearch/v8/typedapi/core/delete": nil,
	"github.com/elastic/go-elasticsearch/v8/typedapi/core/create": nil,
	"github.com/elastic/go-elasticsearch/v9/typedapi/core/index":  nil,
	"github.com/elastic/go-elasticsearch/v9/typedapi/core/update": nil,
	"github.com/elastic/go-elasticsearch/v9/typedapi/core/delete": nil,
	"github.com/elastic/go-elasticsearch/v9/typedapi/core/create": nil,
}

// link is a call that may be part of a chain: what is called, on what, and with which
// arguments behind.
type link struct {
	fn   *types.Func // of an interface, too
	on   ssa.Value   // nil for functions
	args []ssa.Value
}

// linkOf reads a call, nil if it is not known what is called.
func linkOf(c *ssa.CallCommon) *link {
	if c.IsInvoke() {
		return &link{fn: c.Method, on: c.Value, args: c.Args}
	}
	callee := c.StaticCallee()
	if callee == nil || callee.Pkg == nil {
		return nil
	}
	fn, ok := callee.Object().(*types.Func)
	if !ok {
		return nil
	}
	if callee.Signature.Recv() == nil || len(c.Args) == 0 {
		return &link{fn: fn, args: c.Args}
	}
	return &link{fn: fn, on: c.Args[0], args: c.Args[1:]}
}

// key is the name of what is called; what is generated has that of its kind.
func (l *link) key() string {
	if key, _ := entMethod(l.fn); key != "" {
		return key
	}
	if key := boilFunc(l.fn); key != "" {
		return key
	}
	return model.Key(l.fn)
}

// fromXorm reports whether a method is one of xorm, whose sessions forget their steps
// when they run.
func (l *link) fromXorm() bool { return strings.HasSuffix(l.fn.Pkg().Path(), "/xorm") }

// shares is how the steps on a value act on it.
type shares uint8

const (
	apart   shares = iota // each step gives a value of its own
	mayLose               // gorm's handle: it depends on where it comes from
	keeps                 // each step changes the value
)

// sharing gives the functions of a package after which a chain begins anew; false if its
// chains change no value.
func sharing(p *types.Package) (fresh map[string]bool, ok bool) {
	if fresh, ok = sharedChains[p.Path()]; !ok {
		ok = entGenerated(p)
	}
	return fresh, ok
}

// shared tells how the steps on a value act on it.
func shared(v ssa.Value) shares {
	switch v := v.(type) {
	case *ssa.Call:
		if v.Call.StaticCallee() == nil && !v.Call.IsInvoke() {
			return ofFuncField(v.Call.Value.Type())
		}
		l := linkOf(&v.Call)
		if l == nil || l.fn.Pkg() == nil {
			return apart
		}
		if fresh, ok := sharing(l.fn.Pkg()); ok && !fresh[l.fn.Name()] {
			return keeps
		}
	case *ssa.Parameter:
		ptr, ok := v.Type().(*types.Pointer)
		if !ok {
			return apart
		}
		named, ok := ptr.Elem().(*types.Named)
		if !ok || named.Obj().Pkg() == nil {
			return apart
		}
		fresh, ok := sharing(named.Obj().Pkg())
		switch {
		case ok && fresh != nil:
			return mayLose
		case ok:
			return keeps
		}
	}
	return apart
}

// ofFuncField is shared for what a function of a named type gives.
func ofFuncField(t types.Type) shares {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		if fresh, ok := sharing(named.Obj().Pkg()); ok && !fresh[named.Obj().Name()] {
			return keeps
		}
	}
	return apart
}

// chainStep reports whether an instruction is a step of a builder chain on v: it gives
// back what it is called on.
func (f *fn) chainStep(in ssa.Instruction, v ssa.Value) (*ssa.Call, bool) {
	c, ok := in.(*ssa.Call)
	if !ok {
		return nil, false
	}
	l := linkOf(&c.Call)
	if l == nil || l.on != v || l.fn.Pkg() == nil || !types.Identical(c.Type(), v.Type()) {
		return nil, false
	}
	fresh, ok := sharing(l.fn.Pkg())
	if !ok || fresh[l.fn.Name()] {
		return nil, false
	}
	m := f.a.known.byKey(l.key())
	if m != nil && m.Sink != nil {
		return c, m.Sink.Kind == "builder_step"
	}
	return c, !strings.Contains(l.fn.Pkg().Path(), "gorm") // where terminals give the same type
}

// otherSteps lists the steps on v, in the order of the text: those whose result is
// dropped, and those that go on. used are the other instructions that read v.
func (f *fn) otherSteps(v ssa.Value) (dropped, kept []*ssa.Call, used []ssa.Instruction) {
	for _, r := range *v.Referrers() {
		switch c, ok := f.chainStep(r, v); {
		case ok:
			if steps := f.untilDropped(c); len(steps) > 0 {
				dropped = append(dropped, steps...)
				continue
			}
			kept = append(kept, c)
		case !f.leavesChain(r):
			used = append(used, r)
		}
	}
	order := func(x, y *ssa.Call) int { return cmp.Compare(f.ordinal(x), f.ordinal(y)) }
	slices.SortFunc(dropped, order)
	slices.SortFunc(kept, order)
	return dropped, kept, used
}

// untilDropped lists a step and those that follow on its result, if the last result is
// dropped; nothing if one of them is used in another way.
func (f *fn) untilDropped(c *ssa.Call) []*ssa.Call {
	steps := []*ssa.Call{c}
	for {
		refs := slices.DeleteFunc(slices.Clone(*c.Referrers()), func(in ssa.Instruction) bool {
			_, debug := in.(*ssa.DebugRef)
			return debug
		})
		if len(refs) == 0 {
			return steps
		}
		next, ok := f.chainStep(refs[0], c)
		if !ok || len(refs) > 1 {
			return nil
		}
		steps, c = append(steps, next), next
	}
}

// chained is t, the term of v, with the steps that changed it since although their
// results are dropped.
func (f *fn) chained(v ssa.Value, t *term.Term) *term.Term {
	if v.Referrers() != nil && f.usedUp(v) {
		return term.NewUnknown(forgets)
	}
	if v.Referrers() == nil || len(*v.Referrers()) < 2 {
		return t
	}
	if recounted(v) {
		return term.NewUnknown("a number that is changed in place")
	}
	how := shared(v)
	if how == apart {
		return t
	}
	dropped, kept, used := f.otherSteps(v)
	for _, k := range kept {
		used = append(used, k)
	}
	if how == keeps && (f.forked(kept, used) || f.handedAbout(v, used)) {
		return term.NewUnknown("a chain that is changed in several places")
	}
	if len(dropped) > 0 && f.forgotten(dropped, used) {
		return term.NewUnknown(forgets)
	}
	if len(dropped) > maxDropped {
		return term.NewUnknown("a chain of too many steps")
	}
	for _, s := range dropped {
		switch {
		case how == keeps && !slices.ContainsFunc(used, func(u ssa.Instruction) bool { return !f.before(s, u) }):
			t = f.stepOn(s, t)
		case how == keeps && slices.ContainsFunc(used, func(u ssa.Instruction) bool { return f.before(u, s) }):
			return term.NewUnknown("a chain that is changed after its first use")
		default:
			t = term.NewAlt(t, f.stepOn(s, t))
		}
	}
	return t
}

// recounted reports whether a number of package math/big that a call gives is changed in
// place by another call.
func recounted(v ssa.Value) bool {
	if typeName(v.Type()) != "*math/big.Int" {
		return false
	}
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		c, ok := r.(ssa.CallInstruction)
		if !ok || len(c.Common().Args) == 0 || c.Common().Args[0] != v {
			return false
		}
		callee := c.Common().StaticCallee()
		return callee != nil && callee.Signature.Recv() != nil && callee.Signature.Results().Len() > 0 &&
			types.Identical(callee.Signature.Results().At(0).Type(), v.Type())
	})
}

// forked reports whether a chain goes on from a step, and then once more from what the
// step was made on, which the step has changed.
func (f *fn) forked(kept []*ssa.Call, used []ssa.Instruction) bool {
	for _, k := range kept {
		if linkOf(&k.Call).fromXorm() {
			continue
		}
		if slices.ContainsFunc(used, func(u ssa.Instruction) bool { return u != ssa.Instruction(k) && f.before(k, u) }) {
			return true
		}
	}
	return false
}

// forgotten reports whether steps on a session of xorm may have been used up by another
// statement, which came before or in an earlier round of a loop.
func (f *fn) forgotten(dropped []*ssa.Call, used []ssa.Instruction) bool {
	if !linkOf(&dropped[0].Call).fromXorm() {
		return false
	}
	runs := 0
	for _, u := range used {
		if _, ok := u.(*ssa.Call); !ok {
			continue
		}
		if runs++; runs > 1 || inLoop(u.Block()) {
			return true
		}
	}
	return false
}

const forgets = "a session that forgets its conditions when it runs"

// usedUp reports whether a session of xorm with steps on it is run more than once: only
// the first time has them.
func (f *fn) usedUp(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok || len(c.Call.Args) == 0 {
		return false
	}
	if obj := namedOf(v.Type()); obj == nil || obj.Pkg() == nil || !strings.HasSuffix(obj.Pkg().Path(), "/xorm") {
		return false
	}
	if _, step := f.chainStep(c, c.Call.Args[0]); !step {
		return false
	}
	runs := 0
	for _, u := range *v.Referrers() {
		if _, ok := u.(*ssa.Call); !ok || f.leavesChain(u) {
			continue
		}
		if runs++; runs > 1 || inLoop(u.Block()) && !inLoop(c.Block()) {
			return true
		}
	}
	return false
}

// leavesChain reports whether an instruction that reads a chain neither runs it nor
// hands it on.
func (f *fn) leavesChain(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Phi, *ssa.DebugRef:
		return true
	case ssa.CallInstruction:
		if callee := in.Common().StaticCallee(); callee != nil {
			m := f.a.known.byKey(keyOfID(funcID(callee)))
			return m != nil && m.Sink != nil && sessionKinds[m.Sink.Kind]
		}
	}
	return false
}

// sessionKinds are calls that leave the steps on a session as they are.
var sessionKinds = set("begin", "commit", "rollback", "close", "conn")

// handedAbout reports whether a chain is handed to a function that may change it, and
// used again afterwards.
func (f *fn) handedAbout(c ssa.Value, used []ssa.Instruction) bool {
	for _, u := range used {
		call, ok := u.(*ssa.Call)
		if !ok || call.Call.IsInvoke() || len(call.Call.Args) > 0 && call.Call.Args[0] == c && call.Call.Signature().Recv() != nil {
			continue
		}
		if slices.ContainsFunc(used, func(v ssa.Instruction) bool { return v != u && f.before(u, v) }) {
			return true
		}
	}
	return false
}

// maxDropped bounds the steps on one value whose results are dropped.
const maxDropped = 16

// stepOn is a step of the chain t.
func (f *fn) stepOn(s *ssa.Call, t *term.Term) *term.Term {
	l := linkOf(&s.Call)
	args := []*term.Term{t}
	for _, a := range l.args {
		args = append(args, f.value(a))
	}
	return term.NewCall(l.key(), f.siteOf(s), 0, args...)
}
