package model

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/fencelint/fencelint/model/index"
)

// Version is the version of the format: the value of the key "fencelint".
const Version = 1

// Library is one library, or one package of it, with the entries about it.
type Library struct {
	Name  string
	Store string // what is behind it, in words
	// Paths are the import paths under which the same API is known. An element
	// "*" stands for one element of a path, a final "..." for any rest.
	Paths   []string
	Modules []string // roots of the modules that a reader of programs need not enter
	Checked string   // version that the entries were checked against
	Proof   string
	Note    string
	// Durability of the tokens of this library unless an entry says otherwise.
	Durability string
	Carriers   []Note // type name, carrier word
	Receivers  []Note // type name, further receiver types joined with spaces
	// Older maps a type that declared the methods in earlier releases to the type
	// under which the entries name them.
	Older []Note
	// Neutral are calls without effect: Type.Method or Function; "*" all that
	// no entry mentions.
	Neutral []string
	Locks   []*Lock
	Sinks   []*Sink
	Pos     Pos
}

// Has reports that the library's API is known under an import path.
func (l *Library) Has(importPath string) bool {
	return slices.ContainsFunc(l.Paths, func(p string) bool { return index.MatchPath(p, importPath) })
}

// document is a model file as decoded.
type document struct {
	version    int
	imports    []string
	libs       []*Library
	profiles   []*Profile
	generated  []*Generated
	statements []Statements
	uses       []profileUse
}

// profileUse is a sink's reference to a profile, resolved when all are known.
type profileUse struct {
	sink *Sink
	name string
	node *yaml.Node
}

// Statements is a named list of forms of statements, for readers of the table.
type Statements struct {
	Name  string
	Forms []string
}

var documentFields = []field[document]{
	{"fencelint", func(d *decoder, n *yaml.Node, f *document) {
		if v := d.text(n, "fencelint"); v != fmt.Sprint(Version) {
			d.errorf(n, "format version %q; this program reads version %d", v, Version)
		}
		f.version = Version
	}},
	{"import", func(d *decoder, n *yaml.Node, f *document) { f.imports = d.texts(n, "import") }},
	{"libraries", func(d *decoder, n *yaml.Node, f *document) {
		d.each(n, "libraries", func(e *yaml.Node) { f.libs = append(f.libs, d.library(e, f)) })
	}},
	{"profiles", func(d *decoder, n *yaml.Node, f *document) {
		d.pairs(n, "profiles", func(k, v *yaml.Node) {
			p := &Profile{Name: k.Value}
			mapping(d, v, "profile", profileFields, p)
			f.profiles = append(f.profiles, p)
		})
	}},
	{"generated", func(d *decoder, n *yaml.Node, f *document) {
		d.each(n, "generated", func(e *yaml.Node) {
			g := new(Generated)
			mapping(d, e, "generated", generatedFields, g)
			f.generated = append(f.generated, g)
		})
	}},
	{"statements", func(d *decoder, n *yaml.Node, f *document) {
		d.pairs(n, "statements", func(k, v *yaml.Node) {
			f.statements = append(f.statements, Statements{k.Value, d.texts(v, "statements")})
		})
	}},
}

// libraryDraft is a library with the document that it belongs to.
type libraryDraft struct {
	*Library
	doc *document
}

var libraryFields = []field[libraryDraft]{
	{"lib", func(d *decoder, n *yaml.Node, l *libraryDraft) { l.Name = d.text(n, "lib") }},
	{"store", func(d *decoder, n *yaml.Node, l *libraryDraft) { l.Store = d.text(n, "store") }},
	{"paths", func(d *decoder, n *yaml.Node, l *libraryDraft) { l.Paths = d.importPaths(n) }},
	{"modules", func(d *decoder, n *yaml.Node, l *libraryDraft) { l.Modules = d.importPaths(n) }},
	{"checked", func(d *decoder, n *yaml.Node, l *libraryDraft) { l.Checked = d.text(n, "checked") }},
	{"proof", func(d *decoder, n *yaml.Node, l *libraryDraft) { l.Proof = d.text(n, "proof") }},
	{"note", func(d *decoder, n *yaml.Node, l *libraryDraft) { l.Note = d.text(n, "note") }},
	{"durability", func(d *decoder, n *yaml.Node, l *libraryDraft) { l.Durability = d.word(n, &durabilityWords) }},
	{"carriers", func(d *decoder, n *yaml.Node, l *libraryDraft) {
		d.pairs(n, "carriers", func(k, v *yaml.Node) {
			l.Carriers = append(l.Carriers, Note{k.Value, d.word(v, &carrierWords)})
		})
	}},
	{"receivers", func(d *decoder, n *yaml.Node, l *libraryDraft) {
		d.pairs(n, "receivers", func(k, v *yaml.Node) {
			l.Receivers = append(l.Receivers, Note{k.Value, strings.Join(d.texts(v, "receivers"), " ")})
		})
	}},
	{"older", func(d *decoder, n *yaml.Node, l *libraryDraft) {
		d.pairs(n, "older", func(k, v *yaml.Node) {
			l.Older = append(l.Older, Note{k.Value, d.text(v, "older")})
		})
	}},
	{"neutral", func(d *decoder, n *yaml.Node, l *libraryDraft) { l.Neutral = d.texts(n, "neutral") }},
	{"locks", func(d *decoder, n *yaml.Node, l *libraryDraft) {
		d.each(n, "locks", func(e *yaml.Node) { l.Locks = append(l.Locks, d.locks(e, l.Library)...) })
	}},
	{"sinks", func(d *decoder, n *yaml.Node, l *libraryDraft) {
		d.each(n, "sinks", func(e *yaml.Node) { l.Sinks = append(l.Sinks, d.sinks(e, l)...) })
	}},
}

func (d *decoder) library(n *yaml.Node, doc *document) *Library {
	l := libraryDraft{&Library{Pos: d.pos(n)}, doc}
	// The head comes first: entries take their defaults from it.
	if n.Kind == yaml.MappingNode {
		n = headFirst(n)
	}
	if mapping(d, n, "library", libraryFields, &l) && l.Name == "" {
		d.errorf(n, "a library needs a name: lib")
	}
	return l.Library
}

// headFirst puts locks and sinks behind the other keys.
func headFirst(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = nil
	var rows []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i].Value; k == "locks" || k == "sinks" {
			rows = append(rows, n.Content[i], n.Content[i+1])
		} else {
			c.Content = append(c.Content, n.Content[i], n.Content[i+1])
		}
	}
	c.Content = append(c.Content, rows...)
	return &c
}

func (d *decoder) importPaths(n *yaml.Node) []string {
	var out []string
	d.each(n, "paths", func(e *yaml.Node) {
		p := d.text(e, "import path")
		first, _, _ := strings.Cut(p, "/")
		if strings.ContainsAny(p, " \t\"'`\\") || first == "" || first == "..." || strings.Contains(first, "*") || strings.HasSuffix(p, "/") {
			d.errorf(e, "%q is no import path", p)
			return
		}
		if len(out) == maxPaths {
			d.errorf(e, "more than %d import paths of one library", maxPaths)
			return
		}
		if slices.Contains(out, p) {
			d.errorf(e, "import path %q is repeated", p)
			return
		}
		out = append(out, p)
	})
	return out
}

// object splits "Type.Name" or "Name" into identifiers; a final or inner "*"
// stands for any rest of a name.
func (d *decoder) object(n *yaml.Node, what, text string) (recv, name string) {
	recv, name, ok := strings.Cut(text, ".")
	if !ok {
		recv, name = "", text
	}
	for _, w := range []string{recv, name} {
		if w == "" && ok || w != "" && !token.IsIdentifier(strings.ReplaceAll(w, "*", "x")) {
			d.errorf(n, "%s %q must be Type.Name or Name", what, text)
			return "", ""
		}
	}
	if name == "" {
		d.errorf(n, "%s is empty", what)
	}
	return recv, name
}

// pattern is a regular expression that compiles.
func (d *decoder) pattern(n *yaml.Node, what string) (string, *regexp.Regexp) {
	p := d.text(n, what)
	re, err := regexp.Compile(p)
	if err != nil {
		d.errorf(n, "%s: %v", what, err)
	}
	return p, re
}

func (d *decoder) regexp(n *yaml.Node, what string) string {
	p, _ := d.pattern(n, what)
	return p
}

// parseDocument decodes a model file. Profiles of imported files are resolved
// by the caller.
func parseDocument(name string, src []byte) (*document, *decoder) {
	d := &decoder{file: name}
	doc := new(document)
	n := d.parse(src)
	if n == nil {
		return doc, d
	}
	if mapping(d, n, "model file", documentFields, doc) && doc.version == 0 {
		d.errorf(n, "a model file begins with \"fencelint: %d\"", Version)
	}
	return doc, d
}
