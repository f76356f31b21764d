package sql

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/fencelint/fencelint/fence"
)

// Schema is what a history of CREATE and ALTER statements leaves behind. It knows only
// what it was shown: what it does not mention may be there all the same.
type Schema struct {
	tables map[string]*Table
}

// Table is one table of a schema.
type Table struct {
	columns  map[string]Column
	keys     map[string][]string // columns that are unique together, by the name of the key
	triggers map[string]string   // where a trigger was made, by its name
	unsure   bool                // something was done to it that is not followed
}

// Column is what is known of a column.
type Column struct {
	Type    string // as written, in lower case
	NotNull bool
	Place   string // file:line of the statement that says so
}

// Cast is how a value changes on its way into the column, as by a cast to its type; ok is
// false for a type that is not known.
func (c Column) Cast() (fn fence.Fn, ok bool) {
	fn, ok = castTypes[c.Type]
	if strings.Contains(c.Type, "serial") {
		return fence.CastInt, true
	}
	return fn, ok
}

// down is where a migration goes on with what takes it back.
var down = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)^\s*--\s*(\+goose\s+down|\+migrate\s+down|migrate:down|\+down)\b`)
})

// Add follows the statements of one file. What takes a migration back is left out.
func (s *Schema) Add(file, text string) {
	if at := down().FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	d := Postgres
	switch {
	case strings.Contains(text, "`"):
		d = MySQL
	case strings.Contains(text, "TABLE ["):
		d = SQLServer
	}
	lx := &lexer{src: text, d: d}
	for lx.next() {
	}
	toks := append(lx.toks, token{kind: tEOF, pos: len(text), end: len(text)})
	eachStatement(toks, func(part []token) {
		p := &schemaParser{newParser(lx, part), s, file}
		p.statement()
	})
}

// Column looks a column up, by names in lower case.
func (s *Schema) Column(table, column string) (Column, bool) {
	t := s.find(table)
	if t == nil || t.unsure {
		return Column{}, false
	}
	c, ok := t.columns[strings.ToLower(column)]
	return c, ok
}

// Triggers are the places at which triggers on a table were made.
func (s *Schema) Triggers(table string) []string {
	t := s.find(table)
	if t == nil {
		return nil
	}
	return slices.Sorted(maps.Values(t.triggers))
}

// Unique tells whether the columns hold a key.
func (s *Schema) Unique(table string, columns []string) bool {
	t := s.find(table)
	if t == nil || t.unsure {
		return false
	}
	for _, key := range t.keys {
		if !slices.ContainsFunc(key, func(c string) bool { return !slices.Contains(columns, c) }) {
			return true
		}
	}
	return false
}

// find looks for a table by its whole name, else without the schema on either side, if
// that fits one only.
func (s *Schema) find(table string) *Table {
	table = strings.ToLower(table)
	if t := s.tables[table]; t != nil {
		return t
	}
	var found *Table
	for name, t := range s.tables {
		if unqualified(name) != unqualified(table) || strings.Contains(name, ".") && strings.Contains(table, ".") {
			continue
		}
		if found != nil {
			return nil
		}
		found = t
	}
	return found
}

func unqualified(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func (s *Schema) table(name string) *Table {
	if s.tables == nil {
		s.tables = make(map[string]*Table)
	}
	t := s.tables[name]
	if t == nil {
		t = &Table{columns: make(map[string]Column), keys: make(map[string][]string), triggers: make(map[string]string)}
		s.tables[name] = t
	}
	return t
}

// schemaParser reads one statement that makes or changes a table.
type schemaParser struct {
	*parser
	s    *Schema
	file string
}

func (p *schemaParser) place() string {
	return fmt.Sprintf("%s:%d", p.file, 1+strings.Count(p.src[:p.cur().pos], "\n"))
}

func (p *schemaParser) statement() {
	switch {
	case p.take("create"):
		p.create()
	case p.take("alter", "table"):
		p.take("if", "exists")
		p.take("only")
		if path := p.path(); len(path) > 0 {
			p.alter(p.s.table(tableName(path)), tableName(path))
		}
	case p.take("drop"):
		p.drop()
	}
}

// createWords are the words that may stand between CREATE and what is made.
var createWords = []string{"or", "replace", "alter", "temporary", "temp", "unlogged", "global", "local", "unique", "constraint", "clustered", "nonclustered", "definer"}

func (p *schemaParser) create() {
	unique := false
	for {
		w := p.any(createWords...)
		unique = unique || w == "unique"
		if w == "" {
			break
		}
	}
	switch place := p.place(); {
	case p.take("table"):
		p.createTable()
	case p.take("trigger"):
		p.trigger(place)
	case p.take("index") && unique:
		p.uniqueIndex()
	}
}

func (p *schemaParser) createTable() {
	again := p.take("if", "not", "exists")
	path := p.path()
	if len(path) == 0 {
		return
	}
	name := tableName(path)
	if again && p.s.tables[name] != nil { // it is there
		return
	}
	t := p.s.table(name)
	if !p.isOp("(") { // AS SELECT, LIKE, PARTITION OF
		t.unsure = true
		return
	}
	end := p.match[p.i]
	for p.i++; p.i < end; {
		p.element(t)
		p.next(end)
	}
}

// next moves behind the next comma at this depth.
func (p *schemaParser) next(end int) {
	for p.i < end && !p.eof() {
		switch {
		case p.isOp("("):
			p.skipParens()
			continue
		case p.takeOp(","):
			return
		}
		p.i++
	}
}

var elementWords = set("constraint primary unique foreign check exclude key index fulltext spatial like period")

// element reads a column or a constraint of a table.
func (p *schemaParser) element(t *Table) {
	if p.cur().kind == tIdent && elementWords[p.cur().text] {
		p.constraint(t)
		return
	}
	place := p.place()
	name, ok := p.ident()
	if !ok {
		return
	}
	p.column(t, strings.ToLower(name), place)
}

// constraint reads PRIMARY KEY (a, b) and UNIQUE (a, b).
func (p *schemaParser) constraint(t *Table) {
	name := ""
	if p.take("constraint") {
		name, _ = p.ident()
	}
	switch {
	case p.take("primary", "key"):
		name = "primary"
	case p.take("unique"):
		p.any("key", "index")
		if !p.isOp("(") {
			name, _ = p.ident()
		}
	case p.is("like"):
		t.unsure = true
		return
	default:
		return
	}
	for !p.eof() && !p.isOp("(") && !p.isOp(",") { // USING btree, CLUSTERED
		p.i++
	}
	if p.isOp("(") {
		t.key(name, p.names())
	}
}

func (t *Table) key(name string, columns []string) {
	for i := range columns {
		columns[i] = strings.ToLower(columns[i])
	}
	t.keys[strings.ToLower(name)+"("+strings.Join(columns, ",")+")"] = columns
}

// column reads what stands behind a column's name.
func (p *schemaParser) column(t *Table, name, place string) {
	c := Column{Place: place}
	if w := p.cur(); w.kind == tIdent || w.kind == tQuoted {
		c.Type = p.typeName()
	}
	c.NotNull = strings.Contains(c.Type, "serial")
	for !p.eof() && !p.isOp(",") && !p.isOp(")") {
		switch {
		case p.isOp("("):
			p.skipParens()
		case p.take("not", "null"):
			c.NotNull = true
		case p.take("primary", "key"), p.take("unique"):
			t.key(name, []string{name})
		default:
			p.i++
		}
	}
	t.columns[name] = c
}

func (p *schemaParser) uniqueIndex() {
	p.take("concurrently")
	p.take("if", "not", "exists")
	name := ""
	if !p.is("on") {
		path := p.path()
		name = tableName(path)
	}
	if !p.take("on") {
		return
	}
	p.take("only")
	path := p.path()
	if p.take("using") {
		p.ident()
	}
	if len(path) == 0 || !p.isOp("(") {
		return
	}
	end := p.match[p.i]
	plain := !slices.ContainsFunc(p.t[p.i+1:end], func(t token) bool { return t.kind == tOp && t.text == "(" })
	columns := p.names()
	if plain && !p.is("where") {
		p.s.table(tableName(path)).key(name, columns)
	}
}

// trigger notes CREATE TRIGGER name ... ON table.
func (p *schemaParser) trigger(place string) {
	p.take("if", "not", "exists")
	name := tableName(p.path())
	for !p.eof() && !p.take("on") {
		p.i++
	}
	if path := p.path(); len(path) > 0 {
		p.s.table(tableName(path)).triggers[name] = place
	}
}

func (p *schemaParser) drop() {
	switch {
	case p.take("table"):
		p.take("if", "exists")
		for {
			path := p.path()
			if len(path) == 0 {
				return
			}
			delete(p.s.tables, tableName(path))
			if !p.takeOp(",") {
				return
			}
		}
	case p.take("trigger"):
		p.take("if", "exists")
		name := tableName(p.path())
		for _, t := range p.s.tables {
			delete(t.triggers, name)
		}
	case p.take("index"):
		p.take("concurrently")
		p.take("if", "exists")
		name := tableName(p.path())
		for _, t := range p.s.tables {
			t.dropKey(name)
		}
	}
}

func (t *Table) dropKey(name string) {
	for k := range t.keys {
		if strings.HasPrefix(k, name+"(") {
			delete(t.keys, k)
		}
	}
}

// alter reads the actions of ALTER TABLE.
func (p *schemaParser) alter(t *Table, name string) {
	end := len(p.t) - 1
	for p.i < end && !p.eof() {
		p.action(t, name)
		p.next(end)
	}
}

func (p *schemaParser) action(t *Table, table string) {
	place := p.place()
	switch {
	case p.take("add"):
		p.take("column")
		p.take("if", "not", "exists")
		p.element(t)
	case p.take("drop"):
		p.dropPart(t)
	case p.take("rename", "to"), p.take("rename", "as"):
		if path := p.path(); len(path) > 0 {
			delete(p.s.tables, table)
			p.s.tables[tableName(path)] = t
		}
	case p.take("rename"):
		t.unsure = true
	case p.take("modify"), p.take("change"):
		changed := p.t[p.i-1].text == "change"
		p.take("column")
		name, _ := p.ident()
		if changed {
			delete(t.columns, strings.ToLower(name))
			name, _ = p.ident()
		}
		p.column(t, strings.ToLower(name), place)
	case p.take("alter"):
		p.take("column")
		if name, ok := p.ident(); ok {
			p.alterColumn(t, strings.ToLower(name), place)
		}
	}
}

func (p *schemaParser) dropPart(t *Table) {
	switch {
	case p.is("constraint"), p.is("index"), p.is("key"):
		p.i++
		p.take("if", "exists")
		name, _ := p.ident()
		t.dropKey(strings.ToLower(name))
	case p.take("primary", "key"):
		t.dropKey("primary")
	default:
		p.take("column")
		p.take("if", "exists")
		name, _ := p.ident()
		delete(t.columns, strings.ToLower(name))
	}
}

func (p *schemaParser) alterColumn(t *Table, name, place string) {
	c := t.columns[name]
	c.Place = place
	switch {
	case p.take("set", "not", "null"):
		c.NotNull = true
	case p.take("drop", "not", "null"):
		c.NotNull = false
	case p.take("set", "data", "type"), p.take("type"):
		c.Type = p.typeName()
	case p.is("set"), p.is("drop"), p.is("add"), p.is("reset"): // a default, statistics
		return
	default: // SQL Server: the column anew
		p.column(t, name, place)
		return
	}
	t.columns[name] = c
}
