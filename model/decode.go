package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Error is a fault in a model file.
type Error struct {
	Pos Pos
	Msg string
}

func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

// String is the place as file:line:column.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

const (
	maxFileSize = 1 << 20 // bytes of one model file
	maxErrors   = 20      // faults told of one file
	maxMessage  = 500     // bytes of one message: it may quote the file
	maxPaths    = 100     // import paths of one library
	maxPatterns = 1000    // calls with a pattern in one file: each is tried in turn, so fewer are allowed
)

// decoder walks YAML nodes and collects the faults that it meets.
type decoder struct {
	file string
	errs []error
	more bool // faults were left out
}

func (d *decoder) pos(n *yaml.Node) Pos { return Pos{File: d.file, Line: n.Line, Col: n.Column} }

func (d *decoder) errorf(n *yaml.Node, format string, args ...any) {
	if len(d.errs) == maxErrors {
		d.more = true
		return
	}
	msg := fmt.Sprintf(format, args...)
	if len(msg) > maxMessage {
		msg = strings.ToValidUTF8(msg[:maxMessage], "") + " ..."
	}
	d.errs = append(d.errs, &Error{d.pos(n), msg})
}

func (d *decoder) err() error {
	if d.more {
		return errors.Join(append(d.errs, fmt.Errorf("%s: more faults left out", d.file))...)
	}
	return errors.Join(d.errs...)
}

// parse reads the one document of a file.
func (d *decoder) parse(src []byte) *yaml.Node {
	at := &yaml.Node{}
	if len(src) > maxFileSize {
		d.errorf(at, "longer than %d bytes", maxFileSize)
		return nil
	}
	dec := yaml.NewDecoder(strings.NewReader(string(src)))
	var doc, next yaml.Node
	if err := decodeNode(dec, &doc); err != nil {
		d.errs = append(d.errs, d.syntax(err))
		return nil
	}
	if err := decodeNode(dec, &next); err == nil {
		d.errorf(&next, "one document a file")
		return nil
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		d.errorf(at, "empty model file")
		return nil
	}
	return doc.Content[0]
}

// decodeNode keeps a panic of the YAML library on malformed input an error.
func decodeNode(dec *yaml.Decoder, n *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	return dec.Decode(n)
}

// syntax turns "yaml: line 3: ..." into a placed error.
func (d *decoder) syntax(err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	if msg == "EOF" {
		msg = "empty model file"
	}
	p := Pos{File: d.file}
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		if num, text, ok := strings.Cut(rest, ": "); ok {
			if line, e := strconv.Atoi(num); e == nil {
				p.Line, p.Col, msg = line, 1, text
			}
		}
	}
	return &Error{p, msg}
}

// field is one key of a mapping and what to do with its value.
type field[T any] struct {
	name string
	set  func(d *decoder, n *yaml.Node, v *T)
}

// mapping decodes n into v by the table of fields. It reports whether n is a
// mapping at all.
func mapping[T any](d *decoder, n *yaml.Node, what string, fields []field[T], v *T) bool {
	ok := d.pairs(n, what, func(k, val *yaml.Node) {
		for i := range fields {
			if fields[i].name == k.Value {
				fields[i].set(d, val, v)
				return
			}
		}
		known := make([]string, len(fields))
		for i := range fields {
			known[i] = fields[i].name
		}
		d.errorf(k, "%s", unknown("key in "+what, k.Value, known))
	})
	return ok
}

// pairs calls f for each key and value of a mapping without repeated keys.
func (d *decoder) pairs(n *yaml.Node, what string, f func(k, v *yaml.Node)) bool {
	if !d.kind(n, yaml.MappingNode, what, "a mapping") {
		return false
	}
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if k.Kind != yaml.ScalarNode {
			d.errorf(k, "a key in %s must be a word", what)
			continue
		}
		if line, dup := seen[k.Value]; dup {
			d.errorf(k, "key %q in %s is repeated; first in line %d", k.Value, what, line)
			continue
		}
		seen[k.Value] = k.Line
		f(k, n.Content[i+1])
	}
	return true
}

func (d *decoder) kind(n *yaml.Node, k yaml.Kind, what, want string) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		d.errorf(n, "anchors and aliases are not part of the format")
		return false
	}
	if n.Kind != k {
		d.errorf(n, "%s must be %s", what, want)
		return false
	}
	return true
}

// each calls f for the elements of a list; a scalar counts as a list of one.
func (d *decoder) each(n *yaml.Node, what string, f func(*yaml.Node)) {
	if n.Kind == yaml.ScalarNode && n.Anchor == "" {
		f(n)
		return
	}
	if !d.kind(n, yaml.SequenceNode, what, "a list") {
		return
	}
	for _, e := range n.Content {
		f(e)
	}
}

// text is a scalar that is not null.
func (d *decoder) text(n *yaml.Node, what string) string {
	if !d.kind(n, yaml.ScalarNode, what, "text") {
		return ""
	}
	if n.Tag == "!!null" {
		d.errorf(n, "%s is empty", what)
		return ""
	}
	return n.Value
}

func (d *decoder) texts(n *yaml.Node, what string) []string {
	var out []string
	d.each(n, what, func(e *yaml.Node) { out = append(out, d.text(e, what)) })
	return out
}

func (d *decoder) word(n *yaml.Node, v *vocabulary) string {
	w := d.text(n, v.what)
	if w != "" && !v.has(w) {
		d.errorf(n, "%s", unknown(v.what, w, v.words()))
		return ""
	}
	return w
}

func (d *decoder) wordList(n *yaml.Node, v *vocabulary) []string {
	var out []string
	d.each(n, v.what, func(e *yaml.Node) {
		if w := d.word(e, v); w != "" {
			out = append(out, w)
		}
	})
	return out
}

func (d *decoder) boolean(n *yaml.Node, what string) bool {
	switch d.text(n, what) {
	case "true":
		return true
	case "false":
		return false
	}
	d.errorf(n, "%s must be true or false", what)
	return false
}

// argument is the index of an argument, at most 99.
func (d *decoder) argument(n *yaml.Node, what string) int {
	i, err := strconv.Atoi(d.text(n, what))
	if err != nil || i < 0 || i > 99 {
		d.errorf(n, "%s must be the index of an argument; the first after the receiver is 0", what)
		return -1
	}
	return i
}

func (d *decoder) path(n *yaml.Node, what string) Path {
	p, err := ParsePath(d.text(n, what))
	if err != nil {
		d.errorf(n, "%s: %v", what, err)
	}
	return p
}

func (d *decoder) paths(n *yaml.Node, what string) []Path {
	var out []Path
	d.each(n, what, func(e *yaml.Node) { out = append(out, d.path(e, what)) })
	return out
}

// notes decodes a mapping of words to remarks, in its order.
func (d *decoder) notes(n *yaml.Node, what string) []Note {
	var out []Note
	d.pairs(n, what, func(k, v *yaml.Node) { out = append(out, Note{k.Value, d.text(v, what)}) })
	return out
}
