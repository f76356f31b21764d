package model

import (
	"embed"
	"fmt"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/fencelint/fencelint/model/index"
)

//go:embed data/*.yaml
var data embed.FS

// Table answers what is known of functions, fields and texts. It is safe for
// concurrent use, and what it returns is shared: do not change it.
type Table struct {
	index *index.Index
	files []lazyFile // as index.Files
	base  *Table     // asked where this table is silent; nil for the built-in one
	own   string     // the module that is analysed itself, "" if no model covers it
}

// lazyFile is a model file that is parsed when first asked for.
type lazyFile struct {
	get func() *content
}

// Builtin returns the table of the models that come with the program.
func Builtin() *Table { return builtin() }

var builtin = sync.OnceValue(func() *Table { return newTable(&index.Builtin, data) })

// newTable makes a table whose files are read from fsys when needed.
func newTable(x *index.Index, fsys fs.FS) *Table {
	t := &Table{index: x, files: make([]lazyFile, len(x.Files))}
	for i, name := range x.Files {
		t.files[i].get = sync.OnceValue(func() *content {
			c, err := t.load(fsys, name)
			if err != nil {
				// The files are part of the program, and tests read them all.
				panic(fmt.Sprintf("model: built-in file: %v", err))
			}
			return c
		})
	}
	return t
}

func (t *Table) load(fsys fs.FS, name string) (*content, error) {
	src, err := fs.ReadFile(fsys, "data/"+name+".yaml")
	if err != nil {
		return nil, err
	}
	return t.parse(name+".yaml", src)
}

// parse reads a model file whose imports are files of t.
func (t *Table) parse(name string, src []byte) (*content, error) {
	doc, d := parseDocument(name, src)
	c := newContent(d, doc)
	var imports []*content
	for _, imp := range doc.imports {
		i := slices.Index(t.index.Files, imp)
		if i < 0 {
			d.fault(Pos{Line: 1, Col: 1}, "%s", unknown("import", imp, t.index.Files))
			continue
		}
		imports = append(imports, t.files[i].get())
	}
	c.resolve(d, imports)
	return c, d.err()
}

// With returns a table that asks the models of a user's file first. Where that
// file speaks about a function, its lock entries stand in place of those of t,
// and so does its row about effects. The empty name gives t. Faults of the file
// are errors of type *Error with their place, joined.
func (t *Table) With(userFile string) (*Table, error) {
	if userFile == "" {
		return t, nil
	}
	src, err := os.ReadFile(userFile)
	if err != nil {
		return nil, err
	}
	return t.WithSource(filepath.ToSlash(userFile), src)
}

// WithSource is With for a file that has been read; name stands in errors.
func (t *Table) WithSource(name string, src []byte) (*Table, error) {
	root := t
	for root.base != nil {
		root = root.base
	}
	c, err := root.parse(name, src)
	if err != nil {
		return nil, err
	}
	x := &index.Index{Files: []string{name}}
	addTo(x, 0, c.doc)
	return &Table{index: x, files: []lazyFile{{func() *content { return c }}}, base: t}, nil
}

// Weight says what kind of thing an import path is known for. Nothing is parsed.
func (t *Table) Weight(importPath string) Weight {
	w := Unmodelled
	for ; t != nil; t = t.base {
		if e := t.index.Find(importPath); e != nil {
			w = max(w, e.Weight)
		}
	}
	return w
}

// Matters reports that some lock or effect is keyed on this import path; logging
// and formatting are no effects. Nothing is parsed.
func (t *Table) Matters(importPath string) bool { return t.Weight(importPath) >= Files }

// Stores reports that the import path is that of a lock, a store, a cache or a
// queue, not merely of external effects or files. Nothing is parsed.
func (t *Table) Stores(importPath string) bool { return t.Weight(importPath) >= Store }

// Leaf reports that the package lies in a module that a model covers, so that
// there is no need to look into it. Ask only for packages that are not the
// user's own: an analysis of such a library itself must look. Nothing is parsed.
func (t *Table) Leaf(pkgPath string) bool {
	if t.analysed(pkgPath) {
		return false
	}
	for ; t != nil; t = t.base {
		if t.index.Leaf(pkgPath) {
			return true
		}
	}
	return false
}

// For returns the table for the analysis of a module of the user's own. If a model
// covers it, the user is at work on such a library: its functions are looked into then,
// and only its interfaces, which others implement, stay what the model says. Other
// modules of the same project stay what the models say: a server that is built with
// its client's library uses that like everybody else. What a user's own file says
// counts all the same.
func (t *Table) For(module string) *Table {
	if t.base != nil {
		base := t.base.For(module)
		if base == t.base {
			return t
		}
		return &Table{index: t.index, files: t.files, base: base, own: t.own}
	}
	if !t.index.Leaf(module) {
		return t
	}
	x := *t
	x.own = module
	return &x
}

// analysed reports whether a package is of the module that is analysed itself.
func (t *Table) analysed(pkgPath string) bool {
	for ; t != nil; t = t.base {
		if t.own != "" && (pkgPath == t.own || strings.HasPrefix(pkgPath, t.own+"/")) {
			return len(t.index.Module(pkgPath)) <= len(t.own) // no module of its own below
		}
	}
	return false
}

// lookedInto reports whether a function is of that module, and no method of an
// interface.
func (t *Table) lookedInto(fn *types.Func) bool {
	if !t.analysed(fn.Pkg().Path()) {
		return false
	}
	recv := fn.Signature().Recv()
	return recv == nil || !types.IsInterface(recv.Type())
}

// content returns the file about an import path, parsed; nil if there is none.
func (t *Table) content(path string) *content {
	if e := t.index.Find(path); e != nil {
		return t.files[e.File].get()
	}
	return nil
}

// Func returns what is known of a function or method, nil if nothing is. It sees
// through instances of generics; methods of interfaces and promoted methods are
// known by the type that declares them.
func (t *Table) Func(fn *types.Func) *Call {
	if fn == nil || fn.Pkg() == nil || t.Weight(fn.Pkg().Path()) == Unmodelled {
		return nil
	}
	fn = fn.Origin()
	recv, ok := receiver(fn)
	if !ok {
		return nil
	}
	if t.lookedInto(fn) {
		if t.base == nil {
			return nil
		}
		t = &Table{index: t.index, files: t.files} // the user's own file still counts
	}
	return t.call(fn.Pkg().Path(), recv, fn.Name())
}

// FuncKey is Func by canonical key, such as
// "go.etcd.io/etcd/client/v3/concurrency.Mutex.Lock".
func (t *Table) FuncKey(key string) *Call {
	var found *Call
	splitKey(key, func(pkg, recv, name string) bool {
		if t.Weight(pkg) != Unmodelled {
			found = t.call(pkg, recv, name)
		}
		return found != nil
	})
	return found
}

func (t *Table) call(pkg, recv, name string) *Call {
	var own, base *Call
	if e := t.index.Find(pkg); e != nil {
		if e.Weight == Silent {
			own = neutralCall
		} else {
			own = t.files[e.File].get().call(pkg, recv, name)
		}
	}
	if t.base != nil {
		base = t.base.call(pkg, recv, name)
	}
	return overlay(own, base)
}

// overlay lets own stand in place of base where it speaks.
func overlay(own, base *Call) *Call {
	switch {
	case own == nil:
		return base
	case base == nil || own.Neutral:
		return own
	}
	c := *own
	if len(c.Locks)+len(c.Depends) == 0 {
		c.Locks, c.Depends = base.Locks, base.Depends
	}
	if c.Sink == nil {
		c.Sink = base.Sink
	}
	return &c
}

// Field returns the entries about a struct field, e.g. LockIndex of KVPair.
func (t *Table) Field(pkgPath, typeName, field string) []*Lock {
	for ; t != nil; t = t.base {
		if c := t.content(pkgPath); c != nil {
			if e := c.fields[joinKey(pkgPath, typeName, field)]; len(e) > 0 {
				return e
			}
		}
	}
	return nil
}

// Kind returns the entries of one kind of match that no object alone leads to:
// sql, rediscmd, lua, chain, opts, implements, funcfield, const, type. Those of a
// user's file come first. It parses the files that have such entries.
func (t *Table) Kind(kind string) []*Lock {
	var out []*Lock
	for ; t != nil; t = t.base {
		for _, k := range t.index.Kinds {
			if k.Kind != kind {
				continue
			}
			for _, f := range k.Files {
				out = append(out, t.files[f].get().kinds[kind]...)
			}
		}
	}
	return out
}

// Entry is the entry of a call with the given ID, nil if there is none. The call may also be
// the end of a chain to which the entry belongs.
func (t *Table) Entry(c *Call, id string) *Lock {
	if c == nil || id == "" {
		return nil
	}
	for _, ls := range [][]*Lock{c.Locks, c.Depends} {
		for _, l := range ls {
			if l.ID == id {
				return l
			}
		}
	}
	if c.Sink == nil || c.Sink.Dialect != BuiltCommand {
		return nil
	}
	for _, l := range t.Kind("chain") {
		if l.ID == id {
			return l
		}
	}
	return nil
}

// BuiltCommand is the language of commands that are given word by word, or built by a chain.
const BuiltCommand = "redis-command"

// StatementRecord is the format of statements that are a record of text and arguments.
const StatementRecord = "record"

// Carrier says what values of a type carry: pool, conn, tx, stmt, batch, row,
// rows, result, query, client; "" for other types. Pointers are taken off.
func (t *Table) Carrier(typ types.Type) string {
	obj := typeName(typ)
	if obj == nil || obj.Pkg() == nil {
		return ""
	}
	for ; t != nil; t = t.base {
		if c := t.content(obj.Pkg().Path()); c != nil {
			if w := c.carriers[joinKey(obj.Pkg().Path(), "", obj.Name())]; w != "" {
				return w
			}
		}
	}
	return ""
}

// Libraries returns all libraries, those of a user's file first, then by file.
// It parses every file.
func (t *Table) Libraries() []*Library {
	var out []*Library
	for ; t != nil; t = t.base {
		for i := range t.files {
			out = append(out, t.files[i].get().doc.libs...)
		}
	}
	return out
}

// Generated returns the marks of generated code, by file. It parses every file.
func (t *Table) Generated() []*Generated {
	var out []*Generated
	for ; t != nil; t = t.base {
		for i := range t.files {
			out = append(out, t.files[i].get().doc.generated...)
		}
	}
	return out
}

// Files returns the names of the model files, without their suffix.
func (t *Table) Files() []string {
	names := slices.Clone(t.index.Files)
	for i, n := range names {
		names[i] = strings.TrimSuffix(n, ".yaml")
	}
	return names
}
