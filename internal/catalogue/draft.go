package catalogue

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/model"
)

// Draft is a library for a user's file, written from the types of a package.
type Draft struct {
	Text  string // of the file, with its first lines
	Locks int    // rows
	Sinks int
}

// NewDraft looks for functions that are named and shaped like those of a lock or like
// writes. What types do not tell is left at the most careful value, under a comment that
// begins with "decide"; the text can be loaded as it is. The module may be "".
func NewDraft(pkg *types.Package, module string) Draft {
	d := &drafter{pkg: pkg, qualify: types.RelativeTo(pkg)}
	d.collect()
	var locks, sinks []string
	for _, f := range d.funcs {
		if row := d.lock(f); row != "" {
			locks = append(locks, row)
		}
	}
	for _, f := range d.funcs {
		if row := d.write(f); row != "" {
			sinks = append(sinks, row)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "fencelint: %d\nlibraries:\n", model.Version)
	fmt.Fprintf(&b, "  # decide: the name under which reports speak of it, and store: what is behind it\n")
	fmt.Fprintf(&b, "  - lib: %s\n    paths: [%s]\n", yamlWord(pkg.Name()), yamlWord(pkg.Path()))
	if module != "" {
		fmt.Fprintf(&b, "    # decide: modules of which only these rows count, and which are not looked into\n    modules: [%s]\n", yamlWord(module))
	}
	if len(locks) > 0 {
		b.WriteString("    # decide: what happens to tokens in a failover: consensus, single-node, async-replica, per-process\n    durability: unknown\n    locks:\n")
		b.WriteString(strings.Join(locks, ""))
	}
	if len(sinks) > 0 {
		b.WriteString("    # decide: take out what has no effect at a receiver, and list it under neutral\n    sinks:\n")
		b.WriteString(strings.Join(sinks, ""))
	}
	return Draft{b.String(), len(locks), len(sinks)}
}

// drafter reads one package.
type drafter struct {
	pkg     *types.Package
	qualify types.Qualifier
	funcs   []function
	locks   map[string]bool // types whose method takes a lock
	news    map[string]*types.Func
}

// function is a function or method as a row names it.
type function struct {
	recv, name string // recv is the declaring type, "" for a function
	fn         *types.Func
	role       model.Role // by its name and shape, "" if it is none of a lock's
}

func (f function) call() string { return join(".", f.recv, f.name) }

// collect lists the exported functions and methods by name, each as declared.
func (d *drafter) collect() {
	d.locks, d.news = map[string]bool{}, map[string]*types.Func{}
	scope := d.pkg.Scope()
	seen := map[*types.Func]bool{}
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Func:
			d.take(seen, obj)
		case *types.TypeName:
			for _, m := range methodsOf(obj) {
				d.take(seen, m)
			}
		}
	}
	for i := range d.funcs {
		f := &d.funcs[i]
		f.role = d.roleOf(f)
		if f.role == model.RoleAcquire && f.recv != "" {
			d.locks[f.recv] = true
		}
	}
	for i := range d.funcs { // constructors of what has been found
		f := &d.funcs[i]
		if made := named(result(f.fn)); f.recv == "" && f.role == "" && d.locks[made] && making.MatchString(f.name) {
			f.role = model.RoleOpen
			if d.news[made] == nil {
				d.news[made] = f.fn
			}
		}
	}
	d.keepRelated()
	slices.SortStableFunc(d.funcs, func(a, b function) int {
		return cmp.Or(cmp.Compare(order[a.role], order[b.role]), cmp.Compare(a.recv, b.recv))
	})
}

// keepRelated drops questions to a handle where nothing takes a lock: a context has a
// Done, and is none.
func (d *drafter) keepRelated() {
	if slices.ContainsFunc(d.funcs, func(f function) bool { return f.role == model.RoleAcquire || f.role == model.RoleRegion }) {
		return
	}
	for i := range d.funcs {
		d.funcs[i].role = ""
	}
}

// order puts rows into the order in which a lock lives.
var order = map[model.Role]int{
	model.RoleOpen: 0, model.RoleAcquire: 1, model.RoleRegion: 2, model.RoleExtend: 3, model.RoleRelease: 4,
	model.RoleLost: 5, model.RoleCheck: 6, model.RoleToken: 7, "": 8,
}

func (d *drafter) take(seen map[*types.Func]bool, fn *types.Func) {
	fn = fn.Origin()
	if seen[fn] || !fn.Exported() || fn.Pkg() != d.pkg {
		return
	}
	seen[fn] = true
	recv, ok := strings.CutPrefix(model.Key(fn), d.pkg.Path()+".")
	if !ok {
		return
	}
	recv = strings.TrimSuffix(strings.TrimSuffix(recv, fn.Name()), ".")
	d.funcs = append(d.funcs, function{recv: recv, name: fn.Name(), fn: fn})
}

// methodsOf lists the methods of a type and of the pointer to it.
func methodsOf(obj *types.TypeName) []*types.Func {
	t := obj.Type()
	if obj.IsAlias() {
		return nil
	}
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	var out []*types.Func
	for m := range types.NewMethodSet(t).Methods() {
		if fn, ok := m.Obj().(*types.Func); ok {
			out = append(out, fn)
		}
	}
	return out
}

// Names of functions that do something to a lock, as whole words of a camel-case name.
var (
	making    = pattern.New(`^(New|Make|Dial|Connect|Open)([A-Z]|$)`)
	acquiring = pattern.New(`^(Try|Must|Attempt|Wait)*(Lock|RLock|Acquire|Obtain|Campaign|Elect|Claim|Grab|RunForElection)([A-Z]|$)|(Acquire|Obtain|Take|Get|Grab)[A-Za-z]*(Lock|Lease|Leadership|Mutex)([A-Z]|$)`)
	releasing = pattern.New(`^(Must|Force)?(Unlock|RUnlock|Release|Resign|Relinquish|Abandon|GiveUp|StepDown)([A-Z]|$)`)
	extending = pattern.New(`^(Extend|Refresh|Renew|KeepAlive|Heartbeat|Prolong)([A-Z]|$)`)
	regional  = pattern.New(`^(With|Do|Run|Under|In)[A-Za-z]*(Lock|Lease|Leader|Mutex)|^(WithLock|DoLocked|RunLocked|Do|Run)$`)
	losing    = pattern.New(`^(Done|Lost|LostCh|Expired|Closed|Context|Ctx)$`)
	asking    = pattern.New(`^(Is|Has|Am)[A-Za-z]*(Leader|Locked|Held|Owner|Lock|Valid|Expired|Acquired)$|^(Valid|TTL|Until|Held|Locked)$`)
	numbering = pattern.New(`(?i)^(get)?[a-z]*(token|fence|epoch|revision|term|generation|sequence|revision|rev|version|index)$`)
	writing   = pattern.New(`^(Put|Set|Write|Save|Store|Insert|Update|Upsert|Delete|Remove|Create|Append|Publish|Send|Produce|Enqueue|Push|Exec|Post|Apply|Commit|Patch|Replace|Submit|Charge|Transfer|Pay|Refund)([A-Z]|$)`)
)

// roleOf is what a function does to a lock, by name and form.
func (d *drafter) roleOf(f *function) model.Role {
	sig := f.fn.Signature()
	switch results := sig.Results().Len(); {
	case (regional.MatchString(f.name) || acquiring.MatchString(f.name)) && callbackAt(sig) >= 0 && results > 0:
		return model.RoleRegion
	case acquiring.MatchString(f.name) && d.takes(f), d.handsOut(sig):
		return model.RoleAcquire
	case releasing.MatchString(f.name):
		return model.RoleRelease
	case extending.MatchString(f.name) && results > 0:
		return model.RoleExtend
	case f.recv == "" || sig.Params().Len() > 0 && !onlyContext(sig):
		return ""
	case losing.MatchString(f.name) && signalOf(result(f.fn)) != "":
		return model.RoleLost
	case sig.Results().Len() == 0:
		return ""
	case asking.MatchString(f.name) && answers(sig):
		return model.RoleCheck
	case numbering.MatchString(f.name) && tokenType(result(f.fn)) != "":
		return model.RoleToken
	}
	return ""
}

// answers reports that a result says yes or no, or until when.
func answers(sig *types.Signature) bool {
	switch sig.Results().At(0).Type().String() {
	case "bool", "error", "time.Duration", "time.Time":
		return true
	}
	return false
}

// takes reports that a function named like an acquisition has the form of one: it can
// say no, or it has a counterpart that gives back.
func (d *drafter) takes(f *function) bool {
	sig := f.fn.Signature()
	for v := range sig.Results().Variables() {
		switch t := v.Type().String(); {
		case t == "error", t == "bool", signalOf(v.Type()) != "", d.releases(v.Type()):
			return true
		}
	}
	return sig.Recv() != nil && d.releases(sig.Recv().Type())
}

// handsOut reports that a function returns what has to be given back, and can fail:
// whatever its name, it takes something. What can itself take a lock is not held yet.
func (d *drafter) handsOut(sig *types.Signature) bool {
	n := sig.Results().Len()
	if n < 2 || sig.Results().At(n-1).Type().String() != "error" {
		return false
	}
	for v := range sig.Results().Variables() {
		if releaser(v) || d.releases(v.Type()) && d.method(v.Type(), acquiring, nil) == nil {
			return true
		}
	}
	return false
}

// releaser reports that a result is a function that gives back.
func releaser(v *types.Var) bool {
	_, ok := v.Type().Underlying().(*types.Signature)
	return ok && giving.MatchString(v.Name())
}

var giving = pattern.New(`(?i)unlock|release|resign|giveup`)

// releases reports that a type has a method that gives back.
func (d *drafter) releases(t types.Type) bool { return d.method(t, releasing, nil) != nil }

// method is the method of a type of this package whose name matches, the first by name.
func (d *drafter) method(t types.Type, name *pattern.Pattern, also func(*types.Func) bool) *types.Func {
	obj := typeName(t)
	if obj == nil || obj.Pkg() != d.pkg {
		return nil
	}
	for _, m := range methodsOf(obj) {
		if m.Exported() && name.MatchString(m.Name()) && (also == nil || also(m)) {
			return m
		}
	}
	return nil
}
