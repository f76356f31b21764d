package model

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// sinkDraft is a row about effects while it is read.
type sinkDraft struct {
	Sink
	names  []string
	idents []*yaml.Node
	use    *yaml.Node
}

var sinkFields = []field[sinkDraft]{
	{"call", func(d *decoder, n *yaml.Node, s *sinkDraft) {
		d.each(n, "call", func(e *yaml.Node) {
			s.names = append(s.names, d.text(e, "call"))
			s.idents = append(s.idents, e)
		})
	}},
	{"types", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.DeclaredOn = d.texts(n, "types") }},
	{"kind", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Kind = d.word(n, &kindWords) }},
	{"boundary", func(d *decoder, n *yaml.Node, s *sinkDraft) {
		s.Boundary = d.text(n, "boundary")
		for w := range strings.SplitSeq(s.Boundary, "|") {
			if !boundaryWords.has(w) {
				d.errorf(n, "%s", unknown("boundary", w, boundaryWords.words()))
			}
		}
	}},
	{"gives", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Gives = d.path(n, "gives") }},
	{"gives_a", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.GivesCarrier = d.word(n, &carrierWords) }},
	{"callback", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Callback = d.path(n, "callback") }},
	{"stmt", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Stmt = d.argument(n, "stmt") }},
	{"lang", func(d *decoder, n *yaml.Node, s *sinkDraft) {
		s.Dialect = d.text(n, "lang")
		if sql, format, ok := strings.Cut(s.Dialect, ":"); ok {
			s.Dialect, s.Format = sql, format
		}
	}},
	{"args", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Args = d.argument(n, "args") }},
	{"shape", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.ArgsShape = d.word(n, &shapeWords) }},
	{"input", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Input = d.path(n, "input") }},
	{"key", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Key = d.path(n, "key") }},
	{"value", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Value = d.path(n, "value") }},
	{"table", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Table = d.argument(n, "table") }},
	{"version", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Version = d.argument(n, "version") }},
	{"cond", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Cond = d.texts(n, "cond") }},
	{"cond_step", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.CondStep = d.text(n, "cond_step") }},
	{"condition", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Condition = d.word(n, &conditionWords) }},
	{"cond_text", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.CondText = d.text(n, "cond_text") }},
	{"left", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Left = d.path(n, "left") }},
	{"op", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Op = d.path(n, "op") }},
	{"right", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Right = d.path(n, "right") }},
	{"term", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Term = d.text(n, "term") }},
	{"profile", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.use = n }},
	{"idem_key", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.IdemKey = d.text(n, "idem_key") }},
	{"dedupe", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Dedupe = d.text(n, "dedupe") }},
	{"window", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Window = d.text(n, "window") }},
	{"random", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Random = d.boolean(n, "random") }},
	{"refused", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Refused = d.text(n, "refused") }},
	{"severity", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Severity = d.word(n, &severityWords) }},
	{"report", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Report = d.word(n, &reportWords) }},
	{"opts", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Opts = d.text(n, "opts") }},
	{"pattern", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Pattern = d.text(n, "pattern") }},
	{"since", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Since = d.text(n, "since") }},
	{"sig", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Sig = d.text(n, "sig") }},
	{"note", func(d *decoder, n *yaml.Node, s *sinkDraft) { s.Note = d.text(n, "note") }},
}

var profileFields = []field[Profile]{
	{"signal", func(d *decoder, n *yaml.Node, p *Profile) { p.Rejection.Signal = d.word(n, &signalWords) }},
	{"symbol", func(d *decoder, n *yaml.Node, p *Profile) { p.Rejection.Symbol = d.text(n, "symbol") }},
	{"when", func(d *decoder, n *yaml.Node, p *Profile) { p.Rejection.When = d.text(n, "when") }},
	{"err_nil", func(d *decoder, n *yaml.Node, p *Profile) {
		p.Rejection.ErrNil, p.Rejection.ErrStated = d.boolean(n, "err_nil"), true
	}},
	{"also", func(d *decoder, n *yaml.Node, p *Profile) { p.Rejection.Also = d.text(n, "also") }},
	{"ignored", func(d *decoder, n *yaml.Node, p *Profile) { p.Rejection.Ignored = d.text(n, "ignored") }},
	{"wrong", func(d *decoder, n *yaml.Node, p *Profile) { p.Rejection.Wrong = d.text(n, "wrong") }},
	{"at", func(d *decoder, n *yaml.Node, p *Profile) { p.Rejection.At = d.text(n, "at") }},
	{"signal_note", func(d *decoder, n *yaml.Node, p *Profile) { p.Rejection.Note = d.text(n, "signal_note") }},
	{"order", func(d *decoder, n *yaml.Node, p *Profile) { p.OrderOps = d.text(n, "order") }},
	{"assumes", func(d *decoder, n *yaml.Node, p *Profile) { p.Assumes = d.texts(n, "assumes") }},
	{"needs", func(d *decoder, n *yaml.Node, p *Profile) { p.Needs = d.text(n, "needs") }},
	{"cond", func(d *decoder, n *yaml.Node, p *Profile) { p.CondField = d.text(n, "cond") }},
	{"cond_step", func(d *decoder, n *yaml.Node, p *Profile) { p.CondStep = d.text(n, "cond_step") }},
	{"dedupe", func(d *decoder, n *yaml.Node, p *Profile) {
		p.Dedupe = new(Dedupe)
		mapping(d, n, "dedupe", dedupeFields, p.Dedupe)
	}},
	{"severity", func(d *decoder, n *yaml.Node, p *Profile) { p.Severity = d.word(n, &severityWords) }},
	{"verified", func(d *decoder, n *yaml.Node, p *Profile) { p.Verified = d.text(n, "verified") }},
	{"note", func(d *decoder, n *yaml.Node, p *Profile) { p.Note = d.text(n, "note") }},
}

var dedupeFields = []field[Dedupe]{
	{"key", func(d *decoder, n *yaml.Node, p *Dedupe) { p.Key = d.text(n, "key") }},
	{"window", func(d *decoder, n *yaml.Node, p *Dedupe) { p.Window = d.text(n, "window") }},
	{"on_dup", func(d *decoder, n *yaml.Node, p *Dedupe) { p.OnDup = d.text(n, "on_dup") }},
}

var generatedFields = []field[Generated]{
	{"id", func(d *decoder, n *yaml.Node, g *Generated) { g.ID = d.text(n, "id") }},
	{"recognise", func(d *decoder, n *yaml.Node, g *Generated) { g.Recognise = d.texts(n, "recognise") }},
	{"how", func(d *decoder, n *yaml.Node, g *Generated) { g.How = d.text(n, "how") }},
	{"meaning", func(d *decoder, n *yaml.Node, g *Generated) { g.Meaning = d.text(n, "meaning") }},
	{"advance", func(d *decoder, n *yaml.Node, g *Generated) { g.Advance = d.text(n, "advance") }},
	{"commands", func(d *decoder, n *yaml.Node, g *Generated) { g.Commands = d.notes(n, "commands") }},
	{"terminals", func(d *decoder, n *yaml.Node, g *Generated) { g.Terminals = d.notes(n, "terminals") }},
	{"predicates", func(d *decoder, n *yaml.Node, g *Generated) { g.Predicates = d.notes(n, "predicates") }},
}

// sinks decodes one line of the list of sinks: one row for each name of its call.
func (d *decoder) sinks(n *yaml.Node, lib *libraryDraft) []*Sink {
	s := sinkDraft{Sink: Sink{Lib: lib.Name, Stmt: -1, Args: -1, Table: -1, Version: -1, Pos: d.pos(n)}}
	if !mapping(d, n, "sink", sinkFields, &s) {
		return nil
	}
	if len(s.names) == 0 || s.Kind == "" || s.Boundary == "" {
		d.errorf(n, "a sink needs call, kind and boundary")
	}
	if s.GivesCarrier != "" && s.Gives.IsZero() {
		d.errorf(n, "gives_a without gives")
	}
	out := make([]*Sink, 0, len(s.names))
	for i, name := range s.names {
		e := s.Sink
		e.Recv, e.Method = d.object(s.idents[i], "call", name)
		e.DeclaredOn = append(slices.Clone(e.DeclaredOn), furtherReceivers(lib.Library, e.Recv)...)
		for _, c := range lib.Carriers {
			if c.Field == e.Recv {
				e.Carrier = c.Text
			}
		}
		if len(lib.Paths) > 0 {
			e.Pkg = lib.Paths[0]
		}
		out = append(out, &e)
		if s.use != nil {
			lib.doc.uses = append(lib.doc.uses, profileUse{&e, d.text(s.use, "profile"), s.use})
		}
	}
	return out
}
