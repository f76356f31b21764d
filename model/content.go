package model

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/fencelint/fencelint/model/index"
)

// content is a model file made ready for look-ups.
type content struct {
	doc      *document
	calls    map[string]*Call   // by canonical key
	patterns []callPattern      // calls whose path or name is a pattern, in file order
	fields   map[string][]*Lock // by path.Type.field
	kinds    map[string][]*Lock
	carriers map[string]string // path.Type -> carrier
	older    map[string]string // path.Type of earlier releases -> Type of the entries
	neutral  map[string]bool   // packages without effect except where a row says so
}

type callPattern struct {
	path, recv, name string
	call             *Call
}

var neutralCall = &Call{Neutral: true}

// newContent arranges a decoded document. Faults are told to d.
func newContent(d *decoder, doc *document) *content {
	c := &content{
		doc: doc, calls: make(map[string]*Call), fields: make(map[string][]*Lock),
		kinds: make(map[string][]*Lock), carriers: make(map[string]string), neutral: make(map[string]bool),
		older: make(map[string]string),
	}
	ids := make(map[string]Pos)
	for _, l := range doc.libs {
		c.head(d, l)
		for _, e := range l.Locks {
			if first, dup := ids[e.ID]; dup {
				d.fault(e.Pos, "id %q is taken; first in line %d", e.ID, first.Line)
				continue
			}
			ids[e.ID] = e.Pos
			c.addLock(l, e)
		}
		for _, s := range l.Sinks {
			c.addSink(d, l, s)
		}
	}
	if len(c.patterns) == maxPatterns {
		d.fault(Pos{}, "%d calls with a pattern or more", maxPatterns)
	}
	return c
}

func (d *decoder) fault(p Pos, format string, args ...any) {
	d.errorf(&yaml.Node{Line: p.Line, Column: p.Col}, format, args...)
}

// head takes what a library says of its types and of calls without effect.
func (c *content) head(d *decoder, l *Library) {
	for _, p := range l.Paths {
		for _, n := range l.Carriers {
			c.carriers[joinKey(p, "", n.Field)] = n.Text
		}
		for _, n := range l.Older {
			c.older[joinKey(p, "", n.Field)] = n.Text
		}
	}
	for _, name := range l.Neutral {
		if name == "*" {
			for _, p := range l.Paths {
				c.neutral[p] = true
			}
			continue
		}
		recv, name := d.object(&yaml.Node{Line: l.Pos.Line, Column: l.Pos.Col}, "neutral", name)
		for _, call := range c.callsOf(l, recv, nil, name) {
			call.Neutral = true
		}
	}
}

func (c *content) addLock(l *Library, e *Lock) {
	m := &e.Match
	switch m.Kind {
	case "field", "funcfield":
		for _, p := range l.Paths {
			k := joinKey(p, m.Recv, m.Name)
			c.fields[k] = append(c.fields[k], e)
		}
	case "call", "rediscmd", "lua", "chain", "opts":
		for _, call := range c.callsOf(l, m.Recv, m.Types, m.Name) {
			if m.Kind == "call" && len(m.Where) == 0 {
				call.Locks = append(call.Locks, e)
			} else {
				call.Depends = append(call.Depends, e)
			}
		}
	}
	if m.Kind != "call" && m.Kind != "field" {
		c.kinds[m.Kind] = append(c.kinds[m.Kind], e)
	}
}

func (c *content) addSink(d *decoder, l *Library, s *Sink) {
	for _, call := range c.callsOf(l, s.Recv, s.DeclaredOn, s.Method) {
		if call.Sink != nil && call.Sink != s {
			d.fault(s.Pos, "%s has a row already, in line %d", joinKey("", s.Recv, s.Method), call.Sink.Pos.Line)
			return
		}
		call.Sink = s
	}
}

// callsOf returns the calls of a name under every path and receiver, made if new.
func (c *content) callsOf(l *Library, recv string, further []string, name string) []*Call {
	recvs := append([]string{recv}, further...)
	calls := make([]*Call, 0, len(l.Paths)*len(recvs))
	for _, p := range l.Paths {
		for _, r := range recvs {
			if index.IsPattern(p) || index.IsPattern(r) || index.IsPattern(name) {
				calls = append(calls, c.pattern(p, r, name))
				continue
			}
			k := joinKey(p, r, name)
			if c.calls[k] == nil {
				c.calls[k] = new(Call)
			}
			calls = append(calls, c.calls[k])
		}
	}
	return calls
}

func (c *content) pattern(path, recv, name string) *Call {
	for i := range c.patterns {
		if p := &c.patterns[i]; p.path == path && p.recv == recv && p.name == name {
			return p.call
		}
	}
	call := new(Call)
	if len(c.patterns) < maxPatterns {
		c.patterns = append(c.patterns, callPattern{path, recv, name, call})
	}
	return call
}

// call looks a function up; nil if the file does not know it.
func (c *content) call(pkg, recv, name string) *Call {
	if call := c.calls[joinKey(pkg, recv, name)]; call != nil {
		return call
	}
	if now := c.older[joinKey(pkg, "", recv)]; now != "" {
		if call := c.calls[joinKey(pkg, now, name)]; call != nil {
			return call
		}
	}
	for i := range c.patterns {
		p := &c.patterns[i]
		if index.MatchWord(p.name, name) && index.MatchWord(p.recv, recv) && index.MatchPath(p.path, pkg) {
			return p.call
		}
	}
	if c.neutral[pkg] {
		return neutralCall
	}
	return nil
}

// resolve gives each row its profile: of its own file, else of an imported one.
func (c *content) resolve(d *decoder, imports []*content) {
	known := slices.Clone(c.doc.profiles)
	for _, i := range imports {
		known = append(known, i.doc.profiles...)
	}
	byName := make(map[string]*Profile, len(known))
	names := make([]string, 0, len(known))
	for _, p := range known {
		if byName[p.Name] == nil {
			byName[p.Name] = p
			names = append(names, p.Name)
		}
	}
	for _, u := range c.doc.uses {
		if u.sink.Profile = byName[u.name]; u.sink.Profile == nil {
			d.errorf(u.node, "%s", unknown("profile", u.name, names)+importHint(c.doc.imports))
		}
	}
}

func importHint(imports []string) string {
	if len(imports) > 0 {
		return ""
	}
	return fmt.Sprintf(" (profiles of another file are visible after %q)", "import: [file]")
}
