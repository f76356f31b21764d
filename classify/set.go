package classify

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"sort"
	"time"
)

// A Lock is what a lock directive says.
type Lock struct {
	Class     Class
	Resource  string // name of the protected resource, "" if not said
	Contract  string // fence, owner, session, cas, or ""
	Replay    string // sequence, transaction, idempotent, or ""
	Reason    string // why duplicates are harmless
	Activated bool   // the epoch is advanced at the resource before the first work
	Dir       *Directive
}

func lockOf(p *draft) *Lock {
	return &Lock{
		Class: p.class, Resource: p.Arg("resource"), Contract: p.Arg("contract"), Replay: p.Arg("replay"), Reason: p.Arg("reason"),
		Activated: p.class == Correctness && slices.Contains(p.Words, activated), Dir: p.Directive,
	}
}

// same reports whether two directives say the same.
func (l *Lock) same(o *Lock) bool {
	a, b := *l, *o
	a.Dir, b.Dir = nil, nil
	return a == b
}

// An Accept is the decision to live with the findings of one rule at one place.
type Accept struct {
	Rule         string
	Reason       string // "" if the directive is faulty
	Compensation string
	Until        string // last day it holds, YYYY-MM-DD, "" for ever
	Owner        string
	Dir          *Directive

	used bool
}

func acceptOf(p *draft) *Accept {
	return &Accept{
		Rule: p.rule, Reason: p.Arg("reason"), Compensation: p.Arg("compensation"), Until: p.Arg("until"), Owner: p.Arg("owner"),
		Dir: p.Directive,
	}
}

// Use notes that the accept holds a finding back.
func (a *Accept) Use() { a.used = true }

// Named is a directive on a declaration.
type Named struct {
	Name string // "F", "T", "T.M", "T.f", "v"; "" is the package clause
	Dir  *Directive
	Lock *Lock // nil unless the verb is lock
}

// A Set holds the directives of one package. It may be read by several
// goroutines, but for the methods that note an accept as used.
type Set struct {
	files    []region // by base
	headers  []header // by position
	names    map[string][]*site
	clauses  []*site
	accepts  []*Accept
	decls    []Named
	problems []Problem
	empty    bool
}

// region is the part of a set that belongs to one file.
type region struct {
	base  token.Pos
	sites []*site // with a directive, as nest leaves them
}

// header is the package clause of one file.
type header struct{ pos, end token.Pos }

func (s *Set) inClause(pos token.Pos) bool {
	i := sort.Search(len(s.headers), func(i int) bool { return s.headers[i].pos > pos })
	return i > 0 && pos < s.headers[i-1].end
}

// Empty reports whether the package has neither a directive nor a problem.
func (s *Set) Empty() bool { return s.empty }

// Problems are the directives that are malformed, misplaced, or at odds with
// another, and the comments that were meant as directives.
func (s *Set) Problems() []Problem { return s.problems }

// at gives the innermost site with a directive that contains pos.
func (s *Set) at(pos token.Pos) *site {
	i := sort.Search(len(s.files), func(i int) bool { return s.files[i].base > pos })
	if i == 0 {
		return nil
	}
	return around(s.files[i-1].sites, pos)
}

// lock gives the nearest lock directive around pos at places of a kind.
func (s *Set) lock(pos token.Pos, at place) *Lock {
	for c := s.at(pos); c != nil; c = c.parent {
		if c.at&at != 0 && c.lock != nil {
			return c.lock
		}
	}
	return nil
}

// Stmt gives the lock directive of the innermost statement, clause, local
// declaration or element of a literal that contains pos and has one; nil if
// there is none. Statements around a function literal count for what is in it.
func (s *Set) Stmt(pos token.Pos) *Lock { return s.lock(pos, atStmt) }

// StmtLocks gives the lock directives that Stmt can give, in the order of the source.
func (s *Set) StmtLocks() (all []*Lock) {
	for _, f := range s.files {
		for _, c := range f.sites {
			if c.at&atStmt != 0 && c.lock != nil {
				all = append(all, c.lock)
			}
		}
	}
	return all
}

// Func gives the lock directive of the function declaration around pos, nil if
// it has none.
func (s *Set) Func(pos token.Pos) *Lock { return s.lock(pos, atFunc) }

// Package gives the lock directive of the package clause of any file, nil if
// there is none.
func (s *Set) Package() *Lock { return s.Decl("") }

// Decl gives the lock directive on a declaration of the package: "F", "T",
// "T.M" (method or interface method), "T.f" (field), "v" (variable or
// constant); "" is the package clause. It is nil if there is none.
func (s *Set) Decl(name string) *Lock {
	for _, c := range s.names[name] {
		if c.lock != nil {
			return c.lock
		}
	}
	return nil
}

// InBlock reports whether pos is in a block of the code that d stands on, and
// not in its header: for a directive above `if m.TryLock() {`, the call is not
// in a block, what the braces hold is.
func (s *Set) InBlock(d *Directive, pos token.Pos) bool {
	if d.site == nil {
		return false
	}
	found := false
	ast.Inspect(d.site.node, func(n ast.Node) bool {
		if n == nil || found || pos < n.Pos() || n.End() <= pos {
			return false
		}
		_, found = n.(*ast.BlockStmt)
		return !found
	})
	return found
}

// Unread reports whether a lock directive without a readable class stands on
// the code around pos or on the package clause. Its problem has been reported;
// to ask for a class as well would report one cause twice.
func (s *Set) Unread(pos token.Pos) bool {
	for c := s.at(pos); c != nil; c = c.parent {
		if c.unread {
			return true
		}
	}
	return s.UnreadDecl("")
}

// UnreadDecl is Unread for a declaration, by name as in Decl.
func (s *Set) UnreadDecl(name string) bool {
	return slices.ContainsFunc(s.names[name], func(c *site) bool { return c.unread })
}

// Decls lists the directives on declarations but for accept, by name; for one
// name the class comes first. A class on a group counts for those of its names
// that have none of their own.
func (s *Set) Decls() []Named { return s.decls }

func (s *Set) listDecls() (all []Named) {
	for name, sites := range s.names {
		if name == "_" {
			continue
		}
		for _, c := range sites {
			if c.lock != nil && (c.at != atGroup || s.Decl(name) == c.lock) {
				all = append(all, Named{name, c.lock.Dir, c.lock})
			}
			for _, d := range c.others {
				all = append(all, Named{name, d, nil})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Named) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// On gives the directives of one verb on a declaration, by name as in Decl.
func (s *Set) On(name, verb string) (on []*Directive) {
	i, _ := slices.BinarySearchFunc(s.decls, name, func(n Named, name string) int { return cmp.Compare(n.Name, name) })
	for ; i < len(s.decls) && s.decls[i].Name == name; i++ {
		if s.decls[i].Dir.Verb == verb {
			on = append(on, s.decls[i].Dir)
		}
	}
	return on
}

// Enclosing gives the nearest directive of one verb, other than lock and accept,
// on the declarations around pos, else on the package clause; nil if there is none.
func (s *Set) Enclosing(pos token.Pos, verb string) *Directive {
	is := func(d *Directive) bool { return d.Verb == verb }
	for c := s.at(pos); c != nil; c = c.parent {
		if i := slices.IndexFunc(c.others, is); i >= 0 {
			return c.others[i]
		}
	}
	if on := s.On("", verb); len(on) > 0 {
		return on[0]
	}
	return nil
}

// AcceptsOn gives the accepts that cover pos, nearest first: those on the
// statements around it, on the declaration, and, if pos is in a package clause,
// on the package clauses. It notes none of them as used.
func (s *Set) AcceptsOn(pos token.Pos) (on []*Accept) {
	inner := s.at(pos)
	for c := inner; c != nil; c = c.parent {
		on = append(on, c.accepts...)
	}
	if s.inClause(pos) {
		for _, c := range s.clauses {
			if c != inner {
				on = append(on, c.accepts...)
			}
		}
	}
	return on
}

// Accepted finds the nearest accept for the rule that covers pos, and notes it
// as used; nil if there is none. A faulty one holds too.
func (s *Set) Accepted(pos token.Pos, rule string) *Accept {
	for _, a := range s.AcceptsOn(pos) {
		if a.Rule == rule {
			a.Use()
			return a
		}
	}
	return nil
}

// Accepts are all accepts whose rule and place can be told, in the order of the source.
func (s *Set) Accepts() []*Accept { return s.accepts }

// Unused are the accepts without a fault of their own that were not used.
func (s *Set) Unused() (all []Problem) {
	for _, a := range s.accepts {
		if !a.used && !a.Dir.Faulty() {
			all = append(all, Problem{a.Dir.Pos, a.Dir.End,
				"accept " + a.Rule + " holds no finding back; delete it, or put it on the statement or declaration of the finding"})
		}
	}
	return all
}

// Expired are the accepts without a fault of their own whose last day is before
// today, in today's own time zone. Only a caller with a clock may ask. An accept
// can be unused as well: it is one directive and should be reported once.
func (s *Set) Expired(today time.Time) (all []Problem) {
	day := today.Format(time.DateOnly)
	for _, a := range s.accepts {
		if a.Until != "" && a.Until < day && !a.Dir.Faulty() {
			all = append(all, Problem{a.Dir.Pos, a.Dir.End,
				"accept " + a.Rule + " expired on " + a.Until + "; mend the finding, or decide again with a new until="})
		}
	}
	return all
}
