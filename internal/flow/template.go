package flow

import (
	"strings"
	"text/template/parse"

	"github.com/fencelint/fencelint/internal/term"
)

// templateCalls are the calls of package text/template that make a template or go on
// with one, and keep its text as it is.
var templateCalls = set("text/template.New", "text/template.Template.Parse", "text/template.Template.Option", "text/template.Template.New")

// rendered is what a template writes: its constant text, with the values that it puts
// in where they are known, and holes where not. It is nil if the text is not known.
func rendered(tpl, data *term.Term) *term.Term {
	if tpl.Kind == term.Alt {
		return eachForm(tpl, func(t *term.Term) *term.Term { return rendered(t, data) })
	}
	text, ok := templateText(tpl)
	if !ok {
		return nil
	}
	t := parse.New("text")
	t.Mode = parse.SkipFuncCheck
	t, err := t.Parse(text, "", "", make(map[string]*parse.Tree))
	if err != nil || t.Root == nil {
		return nil
	}
	return (&filler{data: unbox(data)}).list(t.Root)
}

// templateText is the text that a template was parsed from. Functions and other
// delimiters would give it another meaning.
func templateText(tpl *term.Term) (string, bool) {
	if tpl.Kind != term.Call || tpl.Str != "text/template.Template.Parse" || len(tpl.Args) != 2 {
		return "", false
	}
	for t := tpl.Args[0]; ; t = t.Args[0] {
		if t.Kind != term.Call || !templateCalls[t.Str] {
			return "", false
		}
		if t.Str == "text/template.New" {
			break
		}
	}
	return term.StringValue(tpl.Args[1])
}

// filler fills the values into a template.
type filler struct{ data *term.Term }

func (f *filler) list(l *parse.ListNode) *term.Term {
	if l == nil {
		return term.NewString("")
	}
	var parts []*term.Term
	for _, n := range l.Nodes {
		parts = append(parts, f.node(n))
	}
	return term.NewConcat(parts...)
}

func (f *filler) node(n parse.Node) *term.Term {
	switch n := n.(type) {
	case *parse.TextNode:
		return term.NewString(string(n.Text))
	case *parse.CommentNode:
		return term.NewString("")
	case *parse.ActionNode:
		if t := f.value(n.Pipe); t != nil {
			return printed('v', t)
		}
		return term.NewUnknown("what a template puts in for " + n.String())
	case *parse.IfNode:
		return term.NewAlt(f.list(n.List), f.list(n.ElseList))
	}
	return term.NewUnknown("what a template makes of " + firstLine(n.String()))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// value is what a pipeline gives that only selects from the data; nil for others.
func (f *filler) value(p *parse.PipeNode) *term.Term {
	if len(p.Decl) > 0 || len(p.Cmds) != 1 || len(p.Cmds[0].Args) != 1 {
		return nil
	}
	switch a := p.Cmds[0].Args[0].(type) {
	case *parse.DotNode:
		return f.data
	case *parse.StringNode:
		return term.NewString(a.Text)
	case *parse.FieldNode:
		t := f.data
		for _, name := range a.Ident {
			if t = member(t, name); t == nil {
				return nil
			}
		}
		return t
	}
	return nil
}

// member is a field of a struct, or an entry of a map, by its name; nil if it is not
// in sight.
func member(t *term.Term, name string) *term.Term {
	t = unbox(t)
	if t.Kind != term.Struct {
		return nil
	}
	if t.Str == "map" {
		return term.NewElem(t, term.NewString(name))
	}
	for i, n := range t.Names {
		if strings.HasSuffix(n, "."+name) {
			return t.Args[i]
		}
	}
	return nil
}
