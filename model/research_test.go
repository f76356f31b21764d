package model

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The catalogue from which the models grew has the format's forerunner. These
// tests put all of it into the present format and through the loader, and then
// look for every value of it in what was loaded: the format must have a place
// for each.

func catalogue(t *testing.T, name string) *yaml.Node {
	dir := os.Getenv("FENCELINT_RESEARCH")
	if dir == "" {
		t.Skip("FENCELINT_RESEARCH is not set: the catalogue of libraries is not part of the repository")
	}
	src, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Content[0]
}

// at returns the value of a key, an empty node if there is none.
func at(n *yaml.Node, keys ...string) *yaml.Node {
	for _, k := range keys {
		found := &yaml.Node{}
		for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
			if n.Content[i].Value == k {
				found = n.Content[i+1]
			}
		}
		n = found
	}
	return n
}

func each(n *yaml.Node, f func(k string, v *yaml.Node)) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		f(n.Content[i].Value, n.Content[i+1])
	}
}

// row is a mapping under construction.
type row struct{ yaml.Node }

func newRow() *row { return &row{yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}} }

func (r *row) put(key string, v any) {
	var n yaml.Node
	switch v := v.(type) {
	case *row:
		if len(v.Content) == 0 {
			return
		}
		n = v.Node
	case *yaml.Node:
		n = *v
	default:
		if err := n.Encode(v); err != nil {
			panic(err)
		}
	}
	if n.Kind == 0 {
		return
	}
	r.Content = append(r.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, &n)
}

// load writes the document and reads it with the loader.
func (r *row) load(t *testing.T, name string) *content {
	src, err := yaml.Marshal(&r.Node)
	if err != nil {
		t.Fatal(err)
	}
	doc, d := parseDocument(name, src)
	c := newContent(d, doc)
	c.resolve(d, nil)
	if err := d.err(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return c
}

func list(rows []*row) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	for _, r := range rows {
		n.Content = append(n.Content, &r.Node)
	}
	return n
}

// holdings are all texts and numbers within v, for the search of what was lost.
func holdings(v reflect.Value, out map[string]bool, seen map[any]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !seen[v.Interface()] {
			seen[v.Interface()] = true
			holdings(v.Elem(), out, seen)
		}
	case reflect.Struct:
		if s, ok := v.Addr().Interface().(fmt.Stringer); ok {
			out[s.String()] = true
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				holdings(v.Field(i), out, seen)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			holdings(v.Index(i), out, seen)
		}
	case reflect.String:
		out[v.String()] = true
	case reflect.Int:
		out[strconv.FormatInt(v.Int(), 10)] = true
	case reflect.Bool:
		out[strconv.FormatBool(v.Bool())] = true
	}
}

// missing returns the scalars below n that loaded does not hold. The key "ev"
// has a word of its own in the format and is compared apart; the name of the
// parameter with the statement is part of the signature.
func missing(n *yaml.Node, loaded ...any) []string {
	found := make(map[string]bool)
	for _, l := range loaded {
		holdings(reflect.ValueOf(l), found, make(map[any]bool))
	}
	have := slices.Collect(maps.Keys(found))
	var lost []string
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
			want := strings.Trim(n.Value, "*")
			if !slices.ContainsFunc(have, func(h string) bool { return h == want || len(want) > 1 && strings.Contains(h, want) }) {
				lost = append(lost, n.Value)
			}
		}
		for i, e := range n.Content {
			if n.Kind != yaml.MappingNode || i%2 == 1 && n.Content[i-1].Value != "ev" && n.Content[i-1].Value != "stmt_param" {
				walk(e)
			}
		}
	}
	walk(n)
	return lost
}

// placed puts a text under key if parse accepts it, else among the notes.
func (r *row) placed(key, text string, notes *row, parse func(string) error) {
	if parse(text) == nil {
		r.put(key, text)
		return
	}
	notes.put(key, text)
}

func isPath(s string) error   { _, err := ParsePath(s); return err }
func isCond(s string) error   { _, err := ParseCond(s); return err }
func isSignal(s string) error { _, err := ParseSignal(s); return err }

func isWordOf(v *vocabulary) func(string) error {
	return func(s string) error {
		if !v.has(s) {
			return fmt.Errorf("unknown")
		}
		return nil
	}
}

func TestCatalogueOfLocks(t *testing.T) {
	doc := catalogue(t, "locks.yaml")
	each(at(doc, "traps"), func(k string, _ *yaml.Node) {
		if !trapWords.has(k) {
			t.Errorf("trap %s is unknown", k)
		}
	})
	byLib := make(map[string][]*row)
	entries := at(doc, "entries").Content
	for _, e := range entries {
		lib := at(e, "lib").Value
		byLib[lib] = append(byLib[lib], lockRow(e))
	}
	var libs []*row
	each(at(doc, "libs"), func(name string, v *yaml.Node) {
		r := newRow()
		r.put("lib", name)
		for _, k := range []string{"store", "paths", "checked", "note"} {
			r.put(k, at(v, k))
		}
		r.put("proof", at(v, "evidence"))
		r.put("locks", list(byLib[name]))
		libs = append(libs, r)
	})
	file := newRow()
	file.put("fencelint", Version)
	file.put("libraries", list(libs))
	c := file.load(t, "locks.yaml")

	found := make(map[string][]*Lock)
	n := 0
	for _, l := range c.doc.libs {
		if lost := missing(at(doc, "libs", l.Name), l); lost != nil {
			t.Errorf("library %s lost %q", l.Name, lost)
		}
		n += len(l.Locks)
		for _, e := range l.Locks {
			found[e.Lib+" "+e.ID] = append(found[e.Lib+" "+e.ID], e)
		}
	}
	for _, e := range entries {
		id := at(e, "id").Value
		var loaded []any
		for k, ls := range found {
			if k == at(e, "lib").Value+" "+id || strings.HasPrefix(k, at(e, "lib").Value+" "+id+".") {
				for _, l := range ls {
					loaded = append(loaded, l)
					if proof := map[string]string{"v": "source", "d": "docs"}[at(e, "ev").Value]; l.Proof != proof {
						t.Errorf("entry %s: proof %q, want %q", id, l.Proof, proof)
					}
				}
			}
		}
		if lost := missing(e, loaded...); lost != nil {
			t.Errorf("entry %s lost %q", id, lost)
		}
	}
	t.Logf("%d libraries, %d entries kept as %d", len(c.doc.libs), len(entries), n)
}

var starred = regexp.MustCompile(`^\(\*?(?:\w+\.)?(\w+)\)\.(\w+)$`)

// objectOf turns (*pkg.Type).Name into Type.Name.
func objectOf(s string) string {
	if m := starred.FindStringSubmatch(s); m != nil {
		return m[1] + "." + m[2]
	}
	return strings.TrimPrefix(s, "*")
}

func lockRow(e *yaml.Node) *row {
	r, notes := newRow(), newRow()
	r.put("id", at(e, "id"))
	r.put("role", at(e, "role"))
	lockMatch(at(e, "match"), r, notes)
	for _, k := range []string{"handle", "session", "key", "ttl", "value", "callback"} {
		if v := at(e, k); v.Kind != 0 {
			r.placed(k, v.Value, notes, isPath)
		}
	}
	if v := at(e, "release"); v.Kind != 0 {
		r.placed("release", strings.TrimPrefix(v.Value, "call:"), notes, isPath)
		notes.put("release", v.Value)
	}
	for _, parse := range orderedParsers {
		if v := at(e, parse.key); v.Kind != 0 {
			r.placed(parse.key, v.Value, notes, parse.ok)
		}
	}
	if v := at(e, "token"); v.Kind != 0 {
		lockToken(v, r, notes)
	}
	r.put("traps", at(e, "traps"))
	r.put("sig", at(e, "sig"))
	if ev := at(e, "ev").Value; ev == "v" {
		r.put("proof", "source")
	} else {
		r.put("proof", "docs")
	}
	var note []string
	for _, k := range []string{"effect", "when", "where_", "requires", "callback_ctx"} {
		if v := at(e, k); v.Kind != 0 {
			note = append(note, k+": "+v.Value)
		}
	}
	if m := at(e, "match", "since"); m.Kind != 0 {
		r.put("since", m)
	}
	if note != nil {
		r.put("note", strings.Join(note, "; "))
	}
	r.put("notes", notes)
	return r
}

var orderedParsers = []struct {
	key string
	ok  func(string) error
}{
	{"mode", isWordOf(&modeWords)}, {"ok", isCond}, {"lost", isSignal}, {"scope", isWordOf(&scopeWords)}, {"guard", isWordOf(&guardWords)},
}

// lockMatch turns the forerunner's match into the match key and its companions.
func lockMatch(m *yaml.Node, r, notes *row) {
	kind := at(m, "kind").Value
	name := at(m, "name").Value
	if recv := strings.TrimPrefix(at(m, "recv").Value, "*"); recv != "" {
		name = recv + "." + name
	}
	var rest []string
	also := at(m, "also")
	switch kind {
	case "field", "funcfield":
		name = at(m, "type").Value + "." + at(m, "field").Value
	case "implements":
		name = at(m, "iface").Value + "." + at(m, "method").Value
	case "sql":
		name = at(m, "pattern").Value
	case "chain":
		name = objectOf(at(m, "root").Value)
	case "opts":
		name = objectOf(at(m, "pkg_call").Value)
	}
	if also.Kind == yaml.SequenceNode {
		names := []string{name}
		for _, a := range also.Content {
			names = append(names, objectOf(a.Value))
		}
		r.put(kind, names)
	} else {
		r.put(kind, name)
	}
	var where []*row
	for _, w := range at(m, "where").Content {
		wr := newRow()
		if isPath(at(w, "at").Value) == nil {
			wr.put("at", at(w, "at"))
			wr.put("eq", at(w, "eq"))
			wr.put("re", at(w, "re"))
			wr.put("present", at(w, "present"))
			where = append(where, wr)
		} else {
			rest = append(rest, "where "+at(w, "at").Value+" "+at(w, "eq").Value+at(w, "re").Value)
		}
	}
	if where != nil {
		r.put("where", list(where))
	}
	for _, k := range []string{"when", "cmd", "needs", "acquire_re", "release_re", "counter_re", "steps"} {
		r.put(k, at(m, k))
	}
	r.put("words", at(m, "args_from"))
	if v := at(m, "script"); v.Kind != 0 {
		text, _, _ := strings.Cut(v.Value, " ")
		r.put("script", text)
		rest = append(rest, v.Value)
	}
	if v := at(m, "consumer"); v.Kind != 0 {
		r.put("end", v)
	}
	for _, k := range []string{"walk_back", "walk_fwd", "sink", "pkg", "pkg_call", "root", "consumer"} {
		if v := at(m, k); v.Kind != 0 {
			rest = append(rest, k+" "+v.Value)
		}
	}
	if also.Kind == yaml.ScalarNode {
		rest = append(rest, also.Value)
	}
	if rest != nil {
		notes.put("match", strings.Join(rest, "; "))
	}
}

func lockToken(v *yaml.Node, r, notes *row) {
	tok := newRow()
	tok.put("class", at(v, "cls"))
	tok.put("type", at(v, "type"))
	tok.put("requires", at(v, "requires"))
	tok.put("upgrade", at(v, "upgrade"))
	tok.put("zero", at(v, "zero_means"))
	var rest []string
	if a := at(v, "at"); a.Kind != 0 {
		if isPath(a.Value) == nil {
			tok.put("at", a)
		} else {
			rest = append(rest, a.Value)
		}
	}
	for _, k := range []string{"note", "durability"} {
		if n := at(v, k); n.Kind != 0 {
			rest = append(rest, n.Value)
		}
	}
	r.put("token", tok)
	if rest != nil {
		notes.put("token", strings.Join(rest, "; "))
	}
}

// The search itself must see what is not there.
func TestMissing(t *testing.T) {
	var n yaml.Node
	if err := yaml.Unmarshal([]byte("{a: recv, b: [ret, 7], c: {d: lost}, ev: v}"), &n); err != nil {
		t.Fatal(err)
	}
	got := missing(&n, &Lock{Mode: "recv", Sig: "func() ret", Match: Match{Args: 8}})
	if want := []string{"7", "lost"}; !slices.Equal(got, want) {
		t.Errorf("missing = %q, want %q", got, want)
	}
}
