package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// Imported joins the facts of a package's imports. Of most summaries nobody asks more
// than that they are there: they are read when somebody does.
type Imported struct {
	Decls       map[string]*Decl
	Obligations map[string]*Obligation
	Touches     []Touch
	Pending     map[string]*Pending
	Conversions []Conversion
	Carriers    []*Carrier
	Reported    []Reported

	records map[string]*Record
	// promoted are methods of types that need not be loaded, by "path.T.Method".
	promoted map[string]*Promoted
	funcs    map[string]*importedFunc
	globals  map[string]importedGlobal
	passed   map[[2]string]*passed // by both halves of the text
	touched  map[touchedAt]bool    // what is in Touches
	readers  []importedFact
}

type importedFact struct {
	path string
	r    *reader
}

type importedFunc struct {
	r     *reader
	entry *wireEntry
	sum   *Summary // nil as long as nobody asked
}

type importedGlobal struct {
	r     *reader
	value int
}

// Join reads the facts that a package imports, in the order of the paths.
func Join(paths []string, fact func(string) []byte) (*Imported, error) {
	im := &Imported{
		Decls: map[string]*Decl{}, Obligations: map[string]*Obligation{}, Pending: map[string]*Pending{},
		records: map[string]*Record{}, funcs: map[string]*importedFunc{}, globals: map[string]importedGlobal{},
		passed: map[[2]string]*passed{}, promoted: map[string]*Promoted{}, touched: map[touchedAt]bool{},
	}
	sorted := slices.Sorted(slices.Values(paths))
	for _, p := range sorted {
		data := fact(p)
		if len(data) == 0 {
			continue
		}
		r, err := open(data)
		if err != nil {
			return nil, damaged(p, err)
		}
		im.readers = append(im.readers, importedFact{p, r})
		im.add(p, r.fact())
		im.addLater(r)
	}
	return im, im.Err()
}

func damaged(path string, err error) error {
	return fmt.Errorf("the fact of package %s: %w", path, err)
}

// Err reports whether a fact is damaged, as far as it has been read.
func (im *Imported) Err() error {
	for _, f := range im.readers {
		if err := f.r.err(); err != nil {
			return damaged(f.path, err)
		}
	}
	return nil
}

// knowsFunc reports whether something is known of a function.
func (im *Imported) knowsFunc(id string) bool { return im != nil && im.funcs[id] != nil }

// fn is the summary of a function; nil if there is none.
func (im *Imported) fn(id string) *Summary {
	if im == nil {
		return nil
	}
	f := im.funcs[id]
	if f == nil {
		return nil
	}
	if f.sum == nil {
		f.sum = f.r.entry(f.entry)
	}
	return f.sum
}

// global is the value of a package variable; nil if nothing is known of it.
func (im *Imported) global(name string) *term.Term {
	if im == nil {
		return nil
	}
	if g := im.globals[name]; g.r != nil {
		return g.r.term(g.value)
	}
	return nil
}

// What is asked of all summaries.
const (
	takesPassing   = 1 << iota // a lock is passed on to the caller, or may be
	takesAcquiring             // the same, and something says that it is one
)

// takes says how a function deals with locks.
func (s *Summary) takes() int {
	n := 0
	for _, e := range s.Events {
		if !passesLock(e) {
			continue
		}
		n |= takesPassing
		if e.Kind == Acquire || e.Dyn.locks() || e.Dyn.givesLock() {
			n |= takesAcquiring
		}
	}
	return n
}

// addLater adds what is read when it is asked for.
func (im *Imported) addLater(r *reader) {
	made := make([]importedFunc, len(r.wire.Funcs))
	for i := range r.wire.Funcs {
		e := &r.wire.Funcs[i]
		made[i] = importedFunc{r: r, entry: e}
		if id := r.str(e.ID); im.funcs[id] == nil {
			im.funcs[id] = &made[i]
		}
	}
	for _, g := range r.wire.Globals {
		im.globals[r.str(g.N)] = importedGlobal{r, g.V}
	}
}

func (im *Imported) add(path string, f *Fact) {
	for i := range f.Decls {
		d := &f.Decls[i]
		im.Decls[d.Verb+" "+d.Name] = d
	}
	for _, o := range f.Obligations {
		if old := im.Obligations[o.ID]; old != nil {
			old.Done, old.Harmless = merge(old.Done, o.Done), old.Harmless && o.Harmless
			continue
		}
		im.Obligations[o.ID] = o
	}
	im.addTouches(f.Touches)
	im.Reported = append(im.Reported, f.Reported...)
	for i := range f.Records {
		im.records[f.Records[i].Type] = &f.Records[i]
	}
	for _, c := range f.Carriers {
		if !im.knows(c.Name) {
			im.Carriers = append(im.Carriers, c)
		}
	}
	for _, p := range f.Pending {
		im.addPending(path, p)
	}
	im.Conversions = append(im.Conversions, f.Conversions...)
	for _, c := range f.Conversions {
		for i := range c.Promoted {
			im.promoted[strings.TrimPrefix(c.Type, "*")+"."+c.Promoted[i].Method] = &c.Promoted[i]
		}
	}
}

func merge(a, b []string) []string {
	out := slices.Sorted(slices.Values(append(slices.Clone(a), b...)))
	return slices.Compact(out)
}

// addTouches adds what a fact says of resources, once where several imports hand it on.
func (im *Imported) addTouches(ts []Touch) {
	for _, t := range ts {
		k := touchedAt{t.How, t.Resource, t.Step.Place}
		if !im.touched[k] {
			im.touched[k] = true
			im.Touches = append(im.Touches, t)
		}
	}
}

type touchedAt struct {
	how      Touching
	resource string
	at       Place
}
