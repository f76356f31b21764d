package driver

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/prove"
	"github.com/fencelint/fencelint/internal/report"
	"github.com/fencelint/fencelint/internal/rule"
)

func proveText(w io.Writer, list []*proof) error {
	for i, p := range list {
		if i > 0 {
			fmt.Fprintln(w)
		}
		_, err := fmt.Fprintf(w, "read as %s\n%s", strings.Join(p.as, ", "), proofBody(p))
		if err != nil {
			return err
		}
	}
	return nil
}

// proofBody is all but how the statement was read.
func proofBody(p *proof) string {
	var b strings.Builder
	if p.none != "" {
		word := "nothing to prove"
		if p.open {
			word = "unproved"
		}
		return fmt.Sprintf("%s: %s\n", word, rule.Printable(p.none))
	}
	m := p.Mutation
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %-10s %s\n", name, rule.Printable(fsql.Shown(text)))
		}
	}
	line(m.Kind.String(), m.Resource)
	line("sets", assignments(m.Set))
	line("inserts", assignments(m.InsertRow))
	line("only where", guardText(m))
	line("no row", noRow(m))
	line("token", tokenText(&p.Reading))
	fenceTable(&b, &p.Proof, p.Tokens)
	for _, x := range m.Problems {
		line("unclear", problemText([]fence.Problem{x}, ""))
	}
	fmt.Fprintf(&b, "%s: %s%s\n", p.Verdict, rule.Printable(p.Reason), inParentheses(p.Rule))
	for _, s := range p.says {
		line("schema", s)
	}
	for _, a := range p.Proof.Assumptions {
		line("assumed", a)
	}
	return b.String()
}

func inParentheses(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func assignments(as []fence.Assign) string {
	parts := make([]string, len(as))
	for i, a := range as {
		parts[i] = cmp.Or(a.Column, "?") + " = " + fence.TermText(a.Value)
	}
	return strings.Join(parts, ", ")
}

func guardText(m *fence.Mutation) string {
	if m.Guard == nil {
		return "(no condition)"
	}
	return fence.Text(m.Guard)
}

// noRow says what happens to a row that is not there.
func noRow(m *fence.Mutation) string {
	switch {
	case m.OnConflict == "nothing":
		return "inserts one; a key that is taken is left alone"
	case m.InsertPath != fence.Closed:
		return "inserts one"
	}
	return ""
}

func tokenText(r *prove.Reading) string {
	if len(r.Tokens) == 0 {
		return "none: no placeholder is compared and stored; -token names one"
	}
	return argList(r.Tokens) + ": " + r.Why
}

var storedWords = map[string]string{
	"greater": "stored > token", "equal": "stored = token", "less": "stored < token", "null": "stored is NULL",
}

// fenceTable writes the ordering table.
func fenceTable(b *strings.Builder, v *fence.Verdict, tokens []fence.Arg) {
	if len(tokens) == 0 || v.Column == "" {
		return
	}
	fmt.Fprintf(b, "  %-10s %s\n", "fence", rule.Printable(fsql.Shown(strings.TrimPrefix(v.Table+"."+v.Column, ".")))+", which "+prove.Advance(v))
	for _, o := range prove.Orderings(v) {
		note := ""
		if o.Stored == "greater" {
			note = "  (the owner is obsolete)"
		}
		fmt.Fprintf(b, "    %-16s %s%s\n", storedWords[o.Stored], o.Answer, note)
	}
}

// proofJSON is one write for programs.
type proofJSON struct {
	Read        []string         `json:"read"`
	Kind        string           `json:"kind,omitempty"`
	Resource    string           `json:"resource,omitempty"`
	Sets        []assignJSON     `json:"sets"`
	Inserts     []assignJSON     `json:"inserts,omitempty"`
	Condition   string           `json:"condition,omitempty"`
	Tokens      []fence.Arg      `json:"tokens"`
	Why         string           `json:"why,omitempty"`
	Fence       string           `json:"fence,omitempty"`
	Advances    string           `json:"advances,omitempty"`
	Table       []prove.Ordering `json:"table"`
	Guard       string           `json:"guard,omitempty"`
	Verdict     string           `json:"verdict"`
	Rule        string           `json:"rule,omitempty"`
	Reason      string           `json:"reason"`
	Assumptions []string         `json:"assumptions,omitempty"`
	Schema      []string         `json:"schema,omitempty"`
	Problems    []string         `json:"problems,omitempty"`
}

type assignJSON struct {
	Column string `json:"column"`
	Value  string `json:"value"`
}

func assignsJSON(as []fence.Assign) []assignJSON {
	out := make([]assignJSON, len(as))
	for i, a := range as {
		out[i] = assignJSON{a.Column, fence.TermText(a.Value)}
	}
	return out
}

func proveJSON(w io.Writer, list []*proof) error {
	out := make([]proofJSON, len(list))
	for i, p := range list {
		out[i] = proofJSON{Read: p.as, Verdict: p.verdict(), Reason: cmp.Or(p.Reason, p.none), Sets: []assignJSON{}, Tokens: []fence.Arg{}, Table: []prove.Ordering{}}
		if p.none != "" {
			continue
		}
		o, m := &out[i], p.Mutation
		o.Kind, o.Resource, o.Sets = m.Kind.String(), m.Resource, assignsJSON(m.Set)
		if len(m.InsertRow) > 0 {
			o.Inserts = assignsJSON(m.InsertRow)
		}
		if m.Guard != nil {
			o.Condition = fence.Text(m.Guard)
		}
		o.Schema = p.says
		o.Why, o.Guard, o.Rule, o.Assumptions, o.Problems = p.Why, p.Guard, p.Rule, p.Proof.Assumptions, p.Proof.Problems
		if len(p.Tokens) > 0 {
			o.Tokens, o.Fence, o.Advances, o.Table = p.Tokens, p.Proof.Column, p.Proof.Advances, prove.Orderings(&p.Proof)
		}
	}
	return report.Encode(w, out)
}
