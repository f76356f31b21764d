package classify

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"sort"
	"strings"
)

// site is a piece of code that a directive can stand on.
type site struct {
	pos, end token.Pos
	at       place
	names    []string // of a declaration, as Decl knows them
	node     ast.Node
	elseIf   bool  // begins behind the brace that closes the if
	parent   *site // innermost site around it
	kept     bool

	lock    *Lock
	unread  bool // a lock directive stands here whose class cannot be read
	accepts []*Accept
	others  []*Directive
	seen    map[string]bool // what would be a duplicate, by verb and what tells two apart
}

// taken reports whether the place has such a directive already, and notes it.
func (s *site) taken(what string) bool {
	was := s.seen[what]
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[what] = true
	return was
}

// line is one line of a file as it is on disk.
type line struct {
	code    bool
	comment bool
	first   *site     // outermost site that begins here
	last    *site     // outermost site without a block that ends here
	closed  token.Pos // where the first node that began on an earlier line ends here
	next    int       // the next line with code, 0 if none
	gap     bool      // an empty line stands before that
}

// layout is where the code of one file stands.
type layout struct {
	file   *ast.File
	offset []int // of each line, from the token.File
	base   int
	lines  []line // by line number, from 1
	sites  []*site
	clause *site
	kept   []*site // those with a directive
}

func newLayout(tf *token.File, f *ast.File) *layout {
	l := &layout{file: f, offset: tf.Lines(), base: tf.Base()}
	l.lines = make([]line, len(l.offset)+1)
	l.clause = l.add(&site{pos: f.Package, end: f.Name.End(), at: atPackage, names: []string{""}, node: f})
	l.mark(f.Package, f.Name.End())
	for _, d := range f.Decls {
		l.decl(d)
	}
	nest(l.sites)
	l.comments()
	return l
}

// number is the line of a position, not moved by //line.
func (l *layout) number(pos token.Pos) int {
	return max(1, sort.SearchInts(l.offset, int(pos)-l.base+1))
}

func (l *layout) add(s *site) *site {
	l.sites = append(l.sites, s)
	begin := &l.lines[l.number(s.pos)]
	if o := begin.first; o == nil || s.pos < o.pos || s.pos == o.pos && s.end > o.end {
		begin.first = s
	}
	if !hasBlock(s.node) {
		end := &l.lines[l.number(max(s.pos, s.end-1))]
		if o := end.last; o == nil || s.pos < o.pos {
			end.last = s
		}
	}
	return s
}

// hasBlock reports whether the closing brace of n is too far from its head to
// carry a directive for it.
func hasBlock(n ast.Node) bool {
	switch n.(type) {
	case *ast.File, *ast.FuncDecl, *ast.GenDecl, *ast.TypeSpec, *ast.BlockStmt, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt,
		*ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.CaseClause, *ast.CommClause, *ast.LabeledStmt:
		return true
	}
	return false
}

// mark notes the lines on which a node begins and ends.
func (l *layout) mark(pos, end token.Pos) {
	if !pos.IsValid() {
		return // an empty list
	}
	from, to := l.number(pos), l.number(max(pos, end-1))
	l.lines[from].code = true
	last := &l.lines[to]
	last.code = true
	if from < to && (!last.closed.IsValid() || end < last.closed) {
		last.closed = end
	}
}

// nest sorts sites, and finds for each the innermost one around it.
func nest(sites []*site) {
	slices.SortStableFunc(sites, func(a, b *site) int {
		return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(b.end, a.end))
	})
	var open *site
	for _, s := range sites {
		for open != nil && open.end <= s.pos {
			open = open.parent
		}
		s.parent, open = open, s
	}
}

// around gives the innermost of sites (as nest leaves them) that contains pos.
func around(sites []*site, pos token.Pos) *site {
	i := sort.Search(len(sites), func(i int) bool { return sites[i].pos > pos })
	if i == 0 {
		return nil
	}
	s := sites[i-1]
	for s != nil && s.end <= pos {
		s = s.parent
	}
	return s
}

// comments notes the lines of comments, and for each line the next with code.
func (l *layout) comments() {
	for _, g := range l.file.Comments {
		for _, c := range g.List {
			from := l.number(c.Slash)
			// Not c.End: the parser drops carriage returns from the text.
			to := min(from+strings.Count(c.Text, "\n"), len(l.lines)-1)
			for n := from; n <= to; n++ {
				l.lines[n].comment = true
			}
		}
	}
	next, gap := 0, false
	for n := len(l.lines) - 1; n > 0; n-- {
		ln := &l.lines[n]
		ln.next, ln.gap = next, gap
		if ln.code {
			next, gap = n, false
		} else if !ln.comment {
			gap = true
		}
	}
}

// find gives the site that a directive at pos stands on, nil if there is none;
// gap says that an empty line is between them.
func (l *layout) find(pos token.Pos) (s *site, gap bool) {
	if pos < l.file.Package {
		return l.clause, false
	}
	ln := &l.lines[l.number(pos)]
	if ln.code {
		return ln.behind(), false
	}
	below := &l.lines[ln.next]
	s = below.first
	if s == nil || below.closed.IsValid() && below.closed <= s.pos && !s.elseIf {
		return nil, false
	}
	return s, ln.gap
}

// behind gives the site that a directive at the end of the line is about: what
// begins there, but if that is only the tail of code from lines above, that code.
func (ln *line) behind() *site {
	if ln.first == nil || ln.last != nil && ln.last.pos < ln.first.pos && ln.first.end <= ln.last.end {
		return ln.last
	}
	return ln.first
}

// keep notes that a directive stands on s.
func (l *layout) keep(s *site) {
	if !s.kept {
		s.kept = true
		l.kept = append(l.kept, s)
	}
}
