package catalogue

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/fencelint/fencelint/internal/spell"
	"github.com/fencelint/fencelint/model"
)

// Entry is one library on the list.
type Entry struct {
	Library string   `json:"library"`
	Store   string   `json:"store"`   // what is behind it
	Paths   []string `json:"paths"`   // import paths, the current one first
	Checked string   `json:"checked"` // version that the rows were compared with
	Locks   int      `json:"locks"`   // rows about locks
	Writes  int      `json:"writes"`  // rows about effects that leave the process
	Others  int      `json:"others"`  // rows about reads, and about what carries a statement or a condition
	File    string   `json:"file"`    // model file
}

// List returns what is known, sorted by library, a user's own before one that is built
// in under the same name.
func List(t *model.Table) []Entry {
	out := []Entry{}
	for _, l := range t.Libraries() {
		e := Entry{Library: l.Name, Store: l.Store, Paths: l.Paths, Checked: l.Checked, Locks: len(l.Locks), File: l.Pos.File}
		if e.Paths == nil {
			e.Paths = []string{}
		}
		for _, s := range l.Sinks {
			if IsWrite(s) {
				e.Writes++
			} else {
				e.Others++
			}
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return cmp.Compare(a.Library, b.Library) })
	return out
}

// WriteList writes a table for people, one library a line, and how many there are.
func WriteList(w io.Writer, list []Entry) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "library\tlocks\twrites\tchecked against\timport paths")
	locks, writes := 0, 0
	for _, e := range list {
		paths := strings.Join(e.Paths, " ")
		fmt.Fprintf(tw, "%s\t%d\t%d\t%s\t%s\n", e.Library, e.Locks, e.Writes, cmp.Or(e.Checked, "-"), cmp.Or(paths, "-"))
		locks += e.Locks
		writes += e.Writes
	}
	fmt.Fprintf(tw, "\nlibraries: %d; rows about locks: %d, about writes: %d\n", len(list), locks, writes)
	return tw.Flush()
}

// Find returns the libraries of that name, or else those that an import path belongs to.
func Find(t *model.Table, name string) []*model.Library {
	libs := t.Libraries()
	for _, is := range []func(*model.Library) bool{
		func(l *model.Library) bool { return l.Name == name },
		func(l *model.Library) bool { return l.Has(name) },
	} {
		var out []*model.Library
		for _, l := range libs {
			if is(l) {
				out = append(out, l)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// Near is the library or import path that was probably meant, "" if none is near: one
// that is written almost so, or the packages of the same module.
func Near(t *model.Table, name string) string {
	var known []string
	for _, l := range t.Libraries() {
		known = append(known, l.Name)
		known = append(known, l.Paths...)
	}
	slices.Sort(known)
	if best := spell.Nearest(name, slices.Compact(known)); best != "" {
		return best
	}
	for dir := path.Dir(name); strings.Count(dir, "/") >= 2; dir = path.Dir(dir) {
		for _, k := range known {
			if strings.HasPrefix(k, dir+"/") || k == dir {
				return k
			}
		}
	}
	return ""
}

// Detail is a library with its rows.
type Detail struct {
	Entry
	Durability string `json:"durability,omitempty"`
	Note       string `json:"note,omitempty"`
	Rows       []Row  `json:"rows"`
}

// Details returns the libraries with their rows.
func Details(t *model.Table, libs []*model.Library) []Detail {
	entries := List(t)
	out := []Detail{}
	for _, l := range libs {
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Library == l.Name && e.File == l.Pos.File })
		out = append(out, Detail{entries[i], l.Durability, l.Note, Rows(l)})
	}
	return out
}

// WriteDetails writes libraries for people, one row a line, and what the words mean.
func WriteDetails(w io.Writer, list []Detail) error {
	var b strings.Builder
	for _, d := range list {
		fmt.Fprintln(&b, d.Library)
		head := [][2]string{
			{"import paths", strings.Join(d.Paths, " ")}, {"behind it", d.Store}, {"checked against", d.Checked},
			{"tokens", d.Durability}, {"model file", d.File}, {"note", d.Note},
		}
		for _, h := range head {
			if h[1] != "" {
				fmt.Fprintf(&b, "  %s: %s\n", h[0], h[1])
			}
		}
		section(&b, "locks", d.Rows, Row.IsLock)
		section(&b, "effects", d.Rows, func(r Row) bool { return !r.IsLock() })
		b.WriteString("\n")
	}
	legend(&b, list)
	_, err := io.WriteString(w, b.String())
	return err
}

func section(b *strings.Builder, title string, rows []Row, in func(Row) bool) {
	head := false
	for _, r := range rows {
		if !in(r) {
			continue
		}
		if !head {
			fmt.Fprintf(b, "\n  %s\n", title)
			head = true
		}
		fmt.Fprintf(b, "    %s\n", r)
	}
}

// words are the vocabularies that rows draw on, and from each the words that a row uses.
var words = []struct {
	title string
	terms func() []model.Term
	used  func(Row) []string
}{
	{"roles", model.Roles, func(r Row) []string { return []string{r.Role} }},
	{"modes", model.Modes, func(r Row) []string { return []string{r.Mode} }},
	{"tokens", model.Classes, func(r Row) []string { return []string{r.Class} }},
	{"durability of tokens", model.Durabilities, func(r Row) []string { return []string{r.Durability} }},
	{"guards by the same store", model.Guards, func(r Row) []string { return []string{firstWord(r.Guard)} }},
	{"traps", model.Traps, func(r Row) []string { return r.Traps }},
	{"kinds of effects", model.Kinds, func(r Row) []string { return []string{r.Kind} }},
	{"where effects go", model.Boundaries, func(r Row) []string { return strings.Split(r.Boundary, " or ") }},
	{"how a receiver refuses", model.Signals, func(r Row) []string { return []string{firstWord(r.Refusal)} }},
}

func firstWord(s string) string {
	s, _, _ = strings.Cut(s, " ")
	return strings.TrimRight(s, ":,")
}

// legend tells what the words mean, as far as they are used.
func legend(b *strings.Builder, list []Detail) {
	b.WriteString("recv is the receiver, arg[0] the first argument, ret[0] the first result; elem[0] is received from ret[0]\n")
	for _, v := range words {
		used := map[string]bool{}
		for _, d := range list {
			for _, r := range d.Rows {
				for _, w := range v.used(r) {
					used[w] = true
				}
			}
		}
		head := false
		for _, t := range v.terms() {
			if !used[t.Word] {
				continue
			}
			if !head {
				fmt.Fprintf(b, "%s\n", v.title)
				head = true
			}
			fmt.Fprintf(b, "  %-28s %s\n", t.Word, t.Meaning)
		}
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
