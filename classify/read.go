package classify

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// A Problem is what is wrong with one directive, or with a comment that was
// meant as one. The message names the fault and the next step.
type Problem struct {
	Pos, End token.Pos
	Message  string
}

// reader collects the directives of a package.
type reader struct {
	fset  *token.FileSet
	files []*ast.File
	rules []string
	types map[string]ast.Expr // right sides of type declarations, once needed
	set   *Set
	found []entry
}

// entry is one comment that is, or was meant as, a directive.
type entry struct {
	pos, end token.Pos
	*draft          // nil if a near directive cannot be read at all
	near     string // why it is no directive, "" if it is one
}

// Read collects every directive of the files of one package, which were parsed
// with comments. The rules are the names that accept may take; without any it
// takes every name. Problems come in the order of files, and in a file by position.
func Read(fset *token.FileSet, files []*ast.File, rules []string) *Set {
	rules = slices.Sorted(slices.Values(rules))
	r := &reader{fset: fset, files: files, rules: rules, set: &Set{names: map[string][]*site{}}}
	for _, f := range files {
		if tf := fset.File(f.Package); tf != nil {
			r.set.headers = append(r.set.headers, header{f.Package, f.Name.End()})
			r.file(tf, f)
		}
	}
	r.finish()
	return r.set
}

// file reads one file. One without a mark of ours costs only a look at its comments.
func (r *reader) file(tf *token.File, f *ast.File) {
	found := r.collect(f)
	if len(found) == 0 {
		return
	}
	l := newLayout(tf, f)
	for _, e := range found {
		switch {
		case e.near == "":
			r.settle(e.draft, l)
		case e.draft != nil && e.doubtful():
			if s, _ := l.find(e.pos); s != nil {
				l.doubt(e.draft, s)
			}
		}
	}
	r.found = append(r.found, found...)
	nest(l.kept)
	for _, s := range l.kept {
		if s.at == atPackage {
			r.set.clauses = append(r.set.clauses, s)
		}
		for _, name := range s.names {
			r.set.names[name] = append(r.set.names[name], s)
		}
	}
	r.set.files = append(r.set.files, region{token.Pos(tf.Base()), l.kept})
}

func (r *reader) collect(f *ast.File) (found []entry) {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if p := parse(c.Slash, c.Text, r.rules); p != nil {
				found = append(found, entry{pos: p.Pos, end: p.End, draft: p})
			} else if rest, why, ok := near(c.Text); ok {
				found = append(found, entry{pos: c.Pos(), end: c.End(), draft: repair(c.Pos(), rest, r.rules), near: why})
			}
		}
	}
	return found
}

// put enters a directive at its place, unless another one is there already.
func (r *reader) put(p *draft, v *verb, s *site) {
	switch v.name {
	case verbLock:
		switch {
		case p.class == "":
			s.unread = true
		case s.lock != nil:
			p.fault("a second class for one place; the first says lock %s, keep one", s.lock.Class)
		default:
			s.lock = lockOf(p)
		}
	case verbAccept:
		if p.rule != "" && !p.double(s, p.rule) {
			a := acceptOf(p)
			s.accepts = append(s.accepts, a)
			r.set.accepts = append(r.set.accepts, a)
		}
	default:
		if p.complete(v) && !p.double(s, p.Arg(v.same)) {
			s.others = append(s.others, p.Directive)
		}
	}
}

// double finds a directive that says again what another one at its place says.
func (p *draft) double(s *site, what string) bool {
	what = strings.TrimSpace(p.Verb + " " + what)
	twice := s.taken(what)
	if twice {
		p.fault("a second %s for one place; keep one", clean(what))
	}
	return twice
}

// complete reports whether all that the verb needs could be read.
func (p *draft) complete(v *verb) bool {
	return !slices.ContainsFunc(v.keys, func(k key) bool { return k.need && p.Arg(k.name) == "" })
}

// finish compares what stands at different places, and draws up the problems.
func (r *reader) finish() {
	s := r.set
	r.agreeOnPackage()
	r.agreeOnResources()
	for _, e := range r.found {
		switch {
		case e.near != "":
			msg := "this comment is no directive, though it holds " + tool + ":; " + e.near
			if e.draft != nil && !e.Faulty() {
				msg += "; write " + clean(e.Text)
			}
			s.problems = append(s.problems, Problem{e.pos, e.end, msg})
		case e.Faulty():
			s.problems = append(s.problems, Problem{e.pos, e.end, e.message()})
		}
	}
	s.empty = len(r.found) == 0
	for name := range s.names {
		slices.SortStableFunc(s.names[name], func(a, b *site) int { return int(a.at&atGroup) - int(b.at&atGroup) })
	}
	s.decls = s.listDecls()
	slices.SortFunc(s.files, func(a, b region) int { return cmp.Compare(a.base, b.base) })
	slices.SortFunc(s.headers, func(a, b header) int { return cmp.Compare(a.pos, b.pos) })
}

// agreeOnPackage finds the package clauses whose class is another than the first's.
func (r *reader) agreeOnPackage() {
	var first *Lock
	for _, c := range r.set.clauses {
		switch {
		case c.lock == nil:
		case first == nil:
			first = c.lock
		case !first.same(c.lock):
			c.lock.Dir.fault("the package has two classes that disagree; another file says %s, keep one", clean(first.Dir.Text))
			c.lock = nil
		}
	}
}

// agreeOnResources finds the resources that have two fence columns.
func (r *reader) agreeOnResources() {
	fences := map[string]string{}
	for _, e := range r.found {
		if e.near != "" || e.Verb != verbResource || e.site == nil {
			continue
		}
		name, fence := e.Arg("name"), e.Arg("fence")
		if first, ok := fences[name]; ok && first != fence && fence != "" && first != "" {
			e.fault("resource %s has two fence columns, %s and %s; keep one", clean(name), clean(first), clean(fence))
		}
		if fences[name] == "" {
			fences[name] = fence
		}
	}
}

// message joins the faults of a directive, so that all can be mended at once.
func (d *Directive) message() string {
	const most = 3
	list := d.faults
	if n := len(list) - most; n > 0 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("%d more faults", n))
	}
	return strings.Join(list, "; also: ")
}
