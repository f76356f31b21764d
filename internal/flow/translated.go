package flow

import (
	"fmt"
	"go/types"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// translated opens the name of a call of a function of the project that makes a text of its
// arguments: what it makes is found where they are known. The last argument is what is known
// of the text anyway.
const translated = "text of "

// maxForms bounds the texts that one call may make.
const maxForms = 16

// translates reports whether the function makes a text of texts, lists of them, numbers and
// flags, by code that can be run.
func (f *fn) translates() bool {
	sig := f.f.Signature
	if sig.Results().Len() != 1 || !isString(sig.Results().At(0).Type()) || len(f.f.FreeVars) > 0 || f.f.Parent() != nil {
		return false
	}
	texts := 0
	for _, p := range f.f.Params {
		b, ok := p.Type().Underlying().(*types.Basic)
		switch {
		case sig.Recv() != nil && p == f.f.Params[0] && len(*p.Referrers()) == 0:
		case isTexts(p.Type()):
			texts++
		case !ok || b.Info()&(types.IsString|types.IsInteger|types.IsBoolean) == 0:
			return false
		case isString(p.Type()):
			texts++
		}
	}
	return texts > 0 && f.a.runsAlone(f.f, 0)
}

// isTexts reports whether a type is that of lists of texts.
func isTexts(t types.Type) bool {
	l, ok := t.Underlying().(*types.Slice)
	return ok && isString(l.Elem())
}

// runsAlone reports whether a function calls nothing but what a run knows.
func (a *Analysis) runsAlone(f *ssa.Function, depth int) bool {
	if depth > maxRunDeep || len(f.Blocks) == 0 {
		return false
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Call:
				if !a.runsCall(in, f, depth) {
					return false
				}
			case *ssa.MakeClosure:
				if !a.runsAlone(in.Fn.(*ssa.Function), depth+1) {
					return false
				}
			case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.Select, *ssa.MapUpdate, *ssa.FieldAddr, *ssa.Field, *ssa.MakeMap, *ssa.MakeChan, *ssa.TypeAssert:
				return false
			}
		}
	}
	return true
}

func (a *Analysis) runsCall(c *ssa.Call, in *ssa.Function, depth int) bool {
	common := c.Common()
	if common.IsInvoke() {
		return false
	}
	f := common.StaticCallee()
	switch {
	case f == nil:
		return true // a builtin, or a literal that is looked at where it is made
	case f == in:
		return true
	case f.Pkg != nil && f.Pkg.Pkg == a.Pkg && len(f.Blocks) > 0:
		return a.runsAlone(f, depth+1)
	}
	key := callKey(common)
	return texts2[key] != nil || runnable[key] || strings.HasPrefix(key, "regexp.Regexp.") || strings.HasPrefix(key, "strings.Builder.") || strings.HasPrefix(key, "bytes.Buffer.")
}

// translation stands for the result of a function that makes a text, where what it makes is
// not known whatever it is given.
func (f *fn) translation(out []*term.Term) []*term.Term {
	if len(out) != 1 || !out[0].Any(isHole) && !f.asksLists(out[0]) || !f.translates() {
		return out
	}
	if f.renumbers() {
		return []*term.Term{f.value(f.f.Params[len(f.f.Params)-1])}
	}
	args := make([]*term.Term, 0, len(f.f.Params)+1)
	for i := range f.f.Params {
		args = append(args, f.value(f.f.Params[i]))
	}
	return []*term.Term{term.NewCall(translated+f.id, "", 0, append(args, out[0])...)}
}

// asksLists reports whether a text may be one of several, and a list decides.
func (f *fn) asksLists(text *term.Term) bool {
	return text.Any(isAlt) && slices.ContainsFunc(f.f.Params, func(p *ssa.Parameter) bool { return isTexts(p.Type()) })
}

func isHole(t *term.Term) bool {
	return t.Kind == term.Unknown || t.Kind == term.Op && t.Str == "part" || t.Kind == term.Call && t.Str == "regexp.Regexp.ReplaceAllStringFunc"
}

// runTranslation is the text that a translation makes of what it is given now; nil while that
// is not known yet.
func (a *Analysis) runTranslation(u *term.Term) *term.Term {
	id := strings.TrimPrefix(u.Str, translated)
	last := len(u.Args) - 1
	args, known := u.Args[:last], u.Args[last]
	for _, t := range args {
		if t.Symbolic() {
			return nil
		}
	}
	f := a.byID[id]
	if f == nil && !known.Any(isHole) {
		return known
	}
	if f == nil {
		return term.NewText("text that "+plainID(id)+" of another package makes", BeginOf(known))
	}
	forms := [][]any{nil}
	for _, t := range args {
		var next [][]any
		for _, v := range t.Alternatives() {
			x, ok := constantValue(v)
			if !ok || len(forms)*len(t.Alternatives()) > maxForms {
				return known
			}
			for _, form := range forms {
				next = append(next, append(form[:len(form):len(form)], x))
			}
		}
		forms = next
	}
	var out []*term.Term
	for _, form := range forms {
		s, ok := a.ranText(f, form)
		if !ok {
			return known
		}
		out = append(out, term.NewString(s))
	}
	return term.NewAlt(out...)
}

// ranText is runText, done once for each function and what it is given.
func (a *Analysis) ranText(f *fn, args []any) (string, bool) {
	key := f.id + fmt.Sprintf("%q", args)
	got, done := a.ran[key]
	if !done {
		if s, ok := a.runText(f.f, args); ok {
			got = &s
		}
		if a.ran == nil {
			a.ran = make(map[string]*string)
		}
		a.ran[key] = got
	}
	if got == nil {
		return "", false
	}
	return *got, true
}

func plainID(id string) string {
	return id[strings.LastIndexByte(id, '/')+1:]
}

// constantValue is the value of a term that is one; of an unused receiver, nothing.
func constantValue(t *term.Term) (v any, ok bool) {
	defer func() {
		if recover() != nil {
			v, ok = nil, false
		}
	}()
	return goValue(t), true
}

// foldPattern puts a text in place of what a pattern matches.
func foldPattern(literal bool) func([]*term.Term, int) *term.Term {
	return func(args []*term.Term, _ int) *term.Term {
		if len(args) != 3 || !knowsText(args[1]) {
			return nil
		}
		re := patternOf(args[0])
		by, ok := term.StringValue(args[2])
		if re == nil || !ok || args[1].Any(func(u *term.Term) bool { return u.Kind == term.Concat }) && looksAround(re.String()) {
			return nil
		}
		return mapText(args[1], func(s string) string {
			if literal {
				return re.ReplaceAllLiteralString(s, by)
			}
			return re.ReplaceAllString(s, by)
		})
	}
}

// looksAround reports whether a pattern asks what stands around a match, or matches whatever
// there is, so that a text with holes cannot be looked at piece by piece.
func looksAround(pattern string) bool {
	re, err := syntax.Parse(pattern, syntax.Perl)
	return err != nil || asksAround(re)
}

func asksAround(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary,
		syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpCharClass:
		return len(re.Rune) > 0 && re.Rune[len(re.Rune)-1] == unicode.MaxRune // all but some
	}
	for _, sub := range re.Sub {
		if asksAround(sub) {
			return true
		}
	}
	return false
}
