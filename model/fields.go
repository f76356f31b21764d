package model

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// lockDraft is a lock entry while it is read: calls may name several functions.
type lockDraft struct {
	Lock
	node   *yaml.Node
	id     string
	names  []string // of the match
	idents []*yaml.Node
}

// matchKeys are the kinds of match; an entry has exactly one of them.
var matchKeys = []string{"call", "field", "funcfield", "implements", "const", "type", "sql", "rediscmd", "lua", "chain", "opts"}

// match takes the value of one of the match keys.
func (l *lockDraft) match(d *decoder, n *yaml.Node, kind string) {
	if l.Match.Kind != "" {
		d.errorf(n, "an entry has one match; this one has %s and %s", l.Match.Kind, kind)
		return
	}
	l.Match.Kind = kind
	if kind == "sql" {
		l.Match.Pattern, l.Match.re = d.pattern(n, kind)
		l.names, l.idents = []string{""}, []*yaml.Node{n}
		return
	}
	d.each(n, kind, func(e *yaml.Node) {
		l.names = append(l.names, d.text(e, kind))
		l.idents = append(l.idents, e)
	})
	if len(l.names) == 0 {
		d.errorf(n, "%s is empty", kind)
	}
}

var lockFields = []field[lockDraft]{
	{"call", func(d *decoder, n *yaml.Node, l *lockDraft) { l.match(d, n, "call") }},
	{"field", func(d *decoder, n *yaml.Node, l *lockDraft) { l.match(d, n, "field") }},
	{"funcfield", func(d *decoder, n *yaml.Node, l *lockDraft) { l.match(d, n, "funcfield") }},
	{"implements", func(d *decoder, n *yaml.Node, l *lockDraft) { l.match(d, n, "implements") }},
	{"const", func(d *decoder, n *yaml.Node, l *lockDraft) { l.match(d, n, "const") }},
	{"type", func(d *decoder, n *yaml.Node, l *lockDraft) { l.match(d, n, "type") }},
	{"sql", func(d *decoder, n *yaml.Node, l *lockDraft) { l.match(d, n, "sql") }},
	{"rediscmd", func(d *decoder, n *yaml.Node, l *lockDraft) { l.match(d, n, "rediscmd") }},
	{"lua", func(d *decoder, n *yaml.Node, l *lockDraft) { l.match(d, n, "lua") }},
	{"chain", func(d *decoder, n *yaml.Node, l *lockDraft) { l.match(d, n, "chain") }},
	{"opts", func(d *decoder, n *yaml.Node, l *lockDraft) { l.match(d, n, "opts") }},
	{"types", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.Types = d.texts(n, "types") }},
	{"where", func(d *decoder, n *yaml.Node, l *lockDraft) {
		d.each(n, "where", func(e *yaml.Node) {
			var w Where
			mapping(d, e, "where", whereFields, &w)
			l.Match.Where = append(l.Match.Where, w)
		})
	}},
	{"when", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.When = d.text(n, "when") }},
	{"funcs", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.Funcs = d.texts(n, "funcs") }},
	{"cmd", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.Cmd = d.text(n, "cmd") }},
	{"needs", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.Needs = d.texts(n, "needs") }},
	{"words", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.Args = d.argument(n, "words") }},
	{"script", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.Script = d.path(n, "script") }},
	{"acquire_re", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.AcquireRE = d.regexp(n, "acquire_re") }},
	{"release_re", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.ReleaseRE = d.regexp(n, "release_re") }},
	{"counter_re", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.CounterRE = d.regexp(n, "counter_re") }},
	{"steps", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.Steps = d.texts(n, "steps") }},
	{"end", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Match.End = d.text(n, "end") }},

	{"id", func(d *decoder, n *yaml.Node, l *lockDraft) { l.id = d.text(n, "id") }},
	{"role", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Role = Role(d.word(n, &roleWords)) }},
	{"mode", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Mode = d.word(n, &modeWords) }},
	{"mode_by", func(d *decoder, n *yaml.Node, l *lockDraft) { l.ModeBy = d.text(n, "mode_by") }},
	{"handle", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Handle = d.path(n, "handle") }},
	{"session", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Session = d.path(n, "session") }},
	{"key", func(d *decoder, n *yaml.Node, l *lockDraft) {
		if l.Keys = d.paths(n, "key"); len(l.Keys) > 0 {
			l.Key = l.Keys[0]
		}
	}},
	{"ttl", func(d *decoder, n *yaml.Node, l *lockDraft) { l.TTL = d.path(n, "ttl") }},
	{"ttl_unit", func(d *decoder, n *yaml.Node, l *lockDraft) { l.TTLUnit = d.word(n, &unitWords) }},
	{"value", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Value = d.path(n, "value") }},
	{"callback", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Callback = d.path(n, "callback") }},
	{"release", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Release = d.path(n, "release") }},
	{"ok", func(d *decoder, n *yaml.Node, l *lockDraft) {
		l.OKText = d.text(n, "ok")
		any, err := ParseCond(l.OKText)
		if err != nil {
			d.errorf(n, "ok: %v", err)
			return
		}
		l.OK, l.OKAny = any[0], any
	}},
	{"lost", func(d *decoder, n *yaml.Node, l *lockDraft) {
		s, err := ParseSignal(d.text(n, "lost"))
		if err != nil {
			d.errorf(n, "lost: %v", err)
		}
		l.Lost = s
	}},
	{"scope", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Scope = d.word(n, &scopeWords) }},
	{"on", func(d *decoder, n *yaml.Node, l *lockDraft) { l.On = d.wordList(n, &carrierWords) }},
	{"token", func(d *decoder, n *yaml.Node, l *lockDraft) { mapping(d, n, "token", tokenFields, &l.Token) }},
	{"guard", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Guard = d.word(n, &guardWords) }},
	{"guard_at", func(d *decoder, n *yaml.Node, l *lockDraft) { l.GuardAt = d.path(n, "guard_at") }},
	{"guard_key", func(d *decoder, n *yaml.Node, l *lockDraft) { l.GuardKey = d.path(n, "guard_key") }},
	{"traps", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Traps = d.wordList(n, &trapWords) }},
	{"maybe", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Maybe = d.boolean(n, "maybe") }},
	{"removes", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Removes = d.boolean(n, "removes") }},
	{"since", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Since = d.text(n, "since") }},
	{"sig", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Sig = d.text(n, "sig") }},
	{"proof", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Proof = d.word(n, &proofWords) }},
	{"note", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Note = d.text(n, "note") }},
	{"notes", func(d *decoder, n *yaml.Node, l *lockDraft) { l.Notes = d.lockNotes(n) }},
}

var whereFields = []field[Where]{
	{"at", func(d *decoder, n *yaml.Node, w *Where) { w.At = d.path(n, "at") }},
	{"eq", func(d *decoder, n *yaml.Node, w *Where) { w.Eq = d.text(n, "eq") }},
	{"re", func(d *decoder, n *yaml.Node, w *Where) { w.Re = d.regexp(n, "re") }},
	{"present", func(d *decoder, n *yaml.Node, w *Where) {
		w.Present = d.boolean(n, "present")
		w.Absent = !w.Present
	}},
}

var tokenFields = []field[Token]{
	{"class", func(d *decoder, n *yaml.Node, t *Token) { t.Class = TokenClass(d.word(n, &classWords)) }},
	{"at", func(d *decoder, n *yaml.Node, t *Token) { t.At = d.path(n, "at") }},
	{"requires", func(d *decoder, n *yaml.Node, t *Token) { t.Requires = d.text(n, "requires") }},
	{"holder_at", func(d *decoder, n *yaml.Node, t *Token) { t.HolderAt = d.path(n, "holder_at") }},
	{"holder_is", func(d *decoder, n *yaml.Node, t *Token) { t.HolderIs = d.path(n, "holder_is") }},
	{"type", func(d *decoder, n *yaml.Node, t *Token) { t.Type = d.text(n, "type") }},
	{"source", func(d *decoder, n *yaml.Node, t *Token) { t.Source = d.text(n, "source") }},
	{"durability", func(d *decoder, n *yaml.Node, t *Token) { t.Durability = d.word(n, &durabilityWords) }},
	{"upgrade", func(d *decoder, n *yaml.Node, t *Token) { t.Upgrade = d.text(n, "upgrade") }},
	{"zero", func(d *decoder, n *yaml.Node, t *Token) { t.Zero = d.text(n, "zero") }},
	{"needs", func(d *decoder, n *yaml.Node, t *Token) { t.Needs = d.text(n, "needs") }},
}

// locks decodes one line of the list of locks: one entry for each name of its match.
func (d *decoder) locks(n *yaml.Node, lib *Library) []*Lock {
	l := lockDraft{node: n}
	l.Pos = d.pos(n)
	l.Proof = lib.Proof
	if !mapping(d, n, "lock", lockFields, &l) {
		return nil
	}
	if l.Role == "" {
		d.errorf(n, "a lock entry needs a role")
	}
	if l.Match.Kind == "" {
		d.errorf(n, "a lock entry needs a match: one of %s", strings.Join(matchKeys, ", "))
		return nil
	}
	if l.Token.Class != "" && l.Token.Durability == "" {
		l.Token.Durability = lib.Durability
	}
	out := make([]*Lock, 0, len(l.names))
	for i, name := range l.names {
		e := l.Lock
		e.Lib, e.Match.Pkgs = lib.Name, lib.Paths
		if e.Match.Kind != "sql" {
			e.Match.Recv, e.Match.Name = d.object(l.idents[i], e.Match.Kind, name)
		}
		e.Match.Types = append(slices.Clone(e.Match.Types), furtherReceivers(lib, e.Match.Recv)...)
		e.ID = d.lockID(&l, lib, name)
		out = append(out, &e)
	}
	return out
}

func (d *decoder) lockID(l *lockDraft, lib *Library, name string) string {
	switch {
	case l.id != "" && len(l.names) > 1:
		return l.id + "." + name
	case l.id != "":
		return l.id
	case name == "":
		d.errorf(l.node, "an entry about statements needs an id")
	}
	return lib.Name + "." + name
}

func furtherReceivers(lib *Library, recv string) []string {
	for _, r := range lib.Receivers {
		if r.Field == recv {
			return strings.Fields(r.Text)
		}
	}
	return nil
}

// lockNotes are remarks on single fields of a lock entry.
func (d *decoder) lockNotes(n *yaml.Node) []Note {
	var out []Note
	d.pairs(n, "notes", func(k, v *yaml.Node) {
		known := make([]string, 0, len(lockFieldNames))
		for _, name := range lockFieldNames {
			if name == k.Value {
				out = append(out, Note{k.Value, d.text(v, "note")})
				return
			}
			known = append(known, name)
		}
		d.errorf(k, "%s", unknown("field in notes", k.Value, known))
	})
	slices.SortFunc(out, func(a, b Note) int { return strings.Compare(a.Field, b.Field) })
	return out
}

// lockFieldNames are the fields on which notes may remark. It repeats the names
// of lockFields, which cannot refer to itself; a test compares them.
var lockFieldNames = []string{
	"match", "mode", "handle", "session", "key", "ttl", "value", "callback", "release", "ok", "lost", "scope", "on", "token", "guard", "traps",
}
