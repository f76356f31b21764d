// Package rule is what all rules have in common: their names, the shape of
// their documentation, and how a finding of the engine becomes a diagnostic.
//
// What enters is the engine's result; what leaves is an [analysis.Analyzer] for
// each rule, and one help text in plain or Markdown form. It must not know what
// any single rule means: that is in the rule's own folder below analyzers/.
package rule

import (
	"bytes"
	"fmt"
	"strings"

	"honnef.co/go/tools/analysis/lint"
)

// Doc is everything that a person can read about one rule. Help, the pages in
// docs/rules, SARIF and editors all take it from here.
//
// Of the embedded documentation, Title is one line, Text says what the rule
// reports, Before and After are Go code with the fault and without it, Since is
// the first release with the rule. Texts may mark code with \'…\'.
type Doc struct {
	lint.RawDocumentation

	// Name is the rule's one name: analyzer, flag, category and word after accept.
	Name string
	// Breaks is the interleaving that does the harm, one step a line.
	Breaks string
	// Accept says how to decide otherwise, and when that is sensible.
	Accept string
	// Blind are the known blind spots, a sentence each.
	Blind []string
}

// URL is the address of the rule's page.
func (d *Doc) URL() string { return pages + d.Name + ".md" }

const pages = "https://github.com/fencelint/fencelint/blob/main/docs/rules/"

// Group is the title of the group of rules that the rule belongs to.
func (d *Doc) Group() string { return GroupOf(d.Name) }

// Level is the severity in one word: error, warning or note.
func (d *Doc) Level() string {
	switch d.Severity {
	case lint.SeverityError:
		return "error"
	case lint.SeverityInfo, lint.SeverityHint:
		return "note"
	}
	return "warning"
}

// Summary is the rule's title as plain text.
func (d *Doc) Summary() string { return plain(d.Title) }

// Description is what the rule reports, as plain text.
func (d *Doc) Description() string { return plain(strings.TrimSpace(d.Text)) }

// section is one titled part of a rule's documentation.
type section struct {
	title string
	prose string // paragraphs, with marks
	code  string // shown as it is
	lang  string // language of the code, for Markdown
}

func (d *Doc) sections() []section {
	list := []section{
		{prose: d.Text},
		{title: "The interleaving that breaks", code: d.Breaks, lang: "text"},
		{title: "Bad", code: d.Before, lang: "go"},
		{title: "Good", code: d.After, lang: "go"},
		{title: "How to accept", prose: d.Accept},
	}
	if len(d.Blind) > 0 {
		list = append(list, section{title: "Blind spots", prose: "- " + strings.Join(d.Blind, "\n- ")})
	}
	return list
}

// Help is the documentation as plain text, as `fencelint help NAME` prints it.
// Its first line is "NAME: title".
func (d *Doc) Help() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %s\n", d.Name, plain(d.Title))
	for _, s := range d.sections() {
		if s.prose == "" && s.code == "" {
			continue
		}
		b.WriteByte('\n')
		if s.title != "" {
			fmt.Fprintf(&b, "%s:\n\n", s.title)
		}
		if s.prose != "" {
			fmt.Fprintln(&b, plain(strings.TrimSpace(s.prose)))
		}
		if s.code != "" {
			fmt.Fprintln(&b, indent(s.code))
		}
	}
	fmt.Fprintf(&b, "\nSeverity: %s. Since %s.\n", d.Level(), d.since())
	return b.String()
}

// Markdown is the documentation as a page.
func (d *Doc) Markdown() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n**%s**\n", d.Name, marked(d.Title))
	for _, s := range d.sections() {
		if s.prose == "" && s.code == "" {
			continue
		}
		b.WriteByte('\n')
		if s.title != "" {
			fmt.Fprintf(&b, "## %s\n\n", s.title)
		}
		if s.prose != "" {
			fmt.Fprintln(&b, marked(strings.TrimSpace(s.prose)))
		}
		if s.code != "" {
			fmt.Fprintf(&b, "```%s\n%s\n```\n", s.lang, strings.Trim(s.code, "\n"))
		}
	}
	fmt.Fprintf(&b, "\n---\n\nGroup: %s. Severity: %s. Since %s.\n", d.Group(), d.Level(), d.since())
	return b.String()
}

func (d *Doc) since() string {
	if d.Since == "" {
		return "the next release"
	}
	return d.Since
}

// marks are how a text shows code: \'name\'.
const mark = `\'`

func plain(s string) string  { return strings.ReplaceAll(s, mark, "") }
func marked(s string) string { return strings.ReplaceAll(s, mark, "`") }

func indent(s string) string {
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "    " + l
		}
	}
	return strings.Join(lines, "\n")
}
