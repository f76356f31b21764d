package catalogue

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/fencelint/fencelint/model"
)

//go:generate go run ./gendoc ../../docs/libraries.md

//go:embed libraries.tmpl
var pageText string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("libraries").Parse(pageText))
})

// chapter is the libraries of one grade, or of several that one heading covers.
type chapter struct {
	Title   string
	Short   string // in the list of counts
	grades  []Grade
	Answers []pageAnswer
}

type pageAnswer struct {
	Name, Anchor, Path, Sentence string
	Lines                        [][2]string
}

// Page returns docs/libraries.md: what each lock library gives, by the table's own words.
func Page(t *model.Table) (string, error) {
	chapters := []*chapter{
		{Title: "A fencing token comes with the grant", Short: "give one with the grant", grades: []Grade{GradeEpoch, GradePattern}},
		{Title: "A fencing token can be read after the grant", Short: "have one that must be read after the grant, together with who holds the lock", grades: []Grade{GradeReread}},
		{Title: "No token, but the same store can refuse", Short: "have none, but the store that keeps the lock can refuse a write of its own to an obsolete owner", grades: []Grade{GradeGuard}},
		{Title: "A number that is no fencing token", Short: "show a number that looks like one and is none", grades: []Grade{GradeNumber}},
		{Title: "A name without order", Short: "show a name of the owner, which can be compared and not ordered", grades: []Grade{GradeName}},
		{Title: "Nothing", Short: "show nothing", grades: []Grade{GradeNone}},
	}
	answers := Answers(t)
	for _, a := range answers {
		for _, c := range chapters {
			if slices.Contains(c.grades, a.Grade) {
				c.Answers = append(c.Answers, pageOf(a))
			}
		}
	}
	var b strings.Builder
	err := pageTemplate().Execute(&b, map[string]any{"Count": len(answers), "Chapters": chapters})
	return b.String(), err
}

func pageOf(a Answer) pageAnswer {
	l := a.Lib
	p := pageAnswer{Name: l.Name, Anchor: strings.ReplaceAll(l.Name, "/", ""), Path: "statements, through any driver", Sentence: a.Sentence()}
	if len(l.Paths) > 0 {
		p.Path = code(l.Paths[0])
	}
	line := func(head, text string) {
		if text != "" {
			p.Lines = append(p.Lines, [2]string{head, text})
		}
	}
	line("import paths", codes(l.Paths, "<br>"))
	line("behind it", cell(l.Store))
	line("checked against", cell(l.Checked))
	line("acquire", calls(l, begins))
	line("release", calls(l, func(e *model.Lock) bool { return e.Role == model.RoleRelease }))
	line("loss signal", grouped(l, begins, lossCell))
	line("token", grouped(l, begins, tokenCell))
	line("durability", durability(l))
	line("guard by the same store", grouped(l, guards, guardCell))
	line("traps", traps(l))
	line("note", cell(l.Note))
	return p
}

func codes(list []string, sep string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = code(s)
	}
	return strings.Join(out, sep)
}

// cell keeps text within a cell of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// calls names the entries that are wanted, each once.
func calls(l *model.Library, wanted func(*model.Lock) bool) string {
	var out []string
	for _, e := range l.Locks {
		if name := callCell(e); wanted(e) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

func callCell(e *model.Lock) string {
	out := code(matchName(&e.Match))
	if e.Match.Kind == "sql" {
		out = code(e.ID) + ": statements that match " + code(e.Match.Pattern)
	}
	if e.Maybe {
		out += " (where it serves as a lock)"
	}
	return out
}

// grouped says something of the wanted entries; where they differ, of each.
func grouped(l *model.Library, wanted func(*model.Lock) bool, say func(*model.Lock) string) string {
	var texts []string
	who := map[string][]string{}
	for _, e := range l.Locks {
		text := say(e)
		if !wanted(e) || text == "" {
			continue
		}
		if who[text] == nil {
			texts = append(texts, text)
		}
		if name := code(shortName(e)); !slices.Contains(who[text], name) {
			who[text] = append(who[text], name)
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	for i, t := range texts {
		texts[i] = strings.Join(who[t], ", ") + ": " + t
	}
	return strings.Join(texts, "<br>")
}

func shortName(e *model.Lock) string {
	if e.Match.Kind == "sql" {
		return e.ID
	}
	return matchName(&e.Match)
}

// guards reports that an entry may tell of a guard.
func guards(e *model.Lock) bool {
	return begins(e) || e.Role == model.RoleGuard && e.Guard != "optimistic"
}

func lossCell(e *model.Lock) string { return remarked(e, "lost", cell(loss(e))) }

// remarked adds what the model remarks on a field of the entry.
func remarked(e *model.Lock, field, text string) string {
	for _, n := range e.Notes {
		if n.Field == field && text != "" {
			text += " (" + cell(n.Text) + ")"
		}
	}
	return text
}

func tokenCell(e *model.Lock) string {
	if e.Token.Class == "" {
		return ""
	}
	out := string(e.Token.Class)
	if at := place(e.Token.At); at != "" {
		out = at + ", " + out
	}
	return remarked(e, "token", out)
}

func guardCell(e *model.Lock) string {
	if e.Guard == "" {
		return ""
	}
	out := meaning(model.Guards(), e.Guard)
	if at := e.GuardAt.String(); at != "" {
		out = code(at) + ": " + out
	}
	return remarked(e, "guard", out)
}

// durability of the tokens of a library; of one without tokens nothing is said.
func durability(l *model.Library) string {
	var out []string
	for _, e := range l.Locks {
		d := e.Token.Durability
		if !begins(e) || d == "" || e.Token.Class == model.ClassNone {
			continue
		}
		text := d
		if e.Token.Class != model.ClassOpaque { // what has no order cannot fall
			text += ": " + meaning(model.Durabilities(), d)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, "<br>")
}

// traps are those of acquisitions, in words.
func traps(l *model.Library) string {
	var words, out []string
	for _, e := range l.Locks {
		if begins(e) || e.Role == model.RoleRelease || e.Role == model.RoleExtend {
			words = append(words, e.Traps...)
		}
	}
	slices.Sort(words)
	for _, w := range slices.Compact(words) {
		out = append(out, fmt.Sprintf("%s: %s", w, cell(meaning(model.Traps(), w))))
	}
	return strings.Join(out, "<br>")
}
