package flow

import (
	"go/constant"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A function that only numbers the places of a statement, as Rebind of sqlx does, leaves the
// statement as it is. Other packages, which cannot run it, are told so. It is found by running
// it on samples that go through all of its code.

// renumbers reports whether the function gives its one text back with each question mark
// replaced by a numbered place.
func (f *fn) renumbers() bool {
	texts := 0
	for _, p := range f.f.Params {
		if isString(p.Type()) {
			texts++
		} else if f.f.Signature.Recv() == nil || p != f.f.Params[0] {
			return false
		}
	}
	if texts != 1 {
		return false
	}
	r := &run{a: f.a, met: make(map[*ssa.BasicBlock]bool)}
	for _, s := range slices.Concat(samples, f.ownSamples()) {
		if !f.renumbersOne(r, s) {
			return false
		}
	}
	return allMet(f.f, r.met, make(map[*ssa.Function]bool))
}

// samples are texts that a function is tried on. The first one is unlike most that a function
// gives back.
var samples = []string{
	"UPDATE t SET a = ?, b = ?\n-- c\n\tWHERE é < ?  AND D <= $ OR x IN (?, ?)", "", "?", "SELECT 1", "a?b",
	strings.Repeat("? ", 12), "x = '?' AND y = ?", "x = ''? AND y = 'a''?' OR z = ?", "x = \"?\" AND y = ?", "-- it's ?\n? /* ? */ ?", "`?` ?", "a ?? b ?",
}

// ownSamples are made of the texts and letters that the function itself compares with.
func (f *fn) ownSamples() []string {
	var out []string
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			for _, op := range in.Operands(nil) {
				c, ok := (*op).(*ssa.Const)
				if !ok || c.Value == nil {
					continue
				}
				s := ""
				switch n, isInt := constant.Int64Val(constant.ToInt(c.Value)); {
				case c.Value.Kind() == constant.String:
					s = constant.StringVal(c.Value)
				case isInt && n >= ' ' && n < 1<<16:
					s = string(rune(n))
				}
				if s != "" && len(out) < maxForms {
					out = append(out, "a "+s+" b ? "+s+" c ?")
				}
			}
		}
	}
	return out
}

func (f *fn) renumbersOne(r *run, s string) bool {
	args := make([]any, len(f.f.Params))
	args[len(args)-1] = s
	r.left = maxRun
	got, ok := r.text(f.f, args)
	return ok && slices.ContainsFunc([]string{"$", ":", "@p"}, func(prefix string) bool {
		return got == numbered(s, prefix, "") || got == numbered(s, prefix, "'") || got == numbered(s, prefix, "'\"") || got == numbered(s, prefix, "'\"`")
	})
}

// numbered is a text with its places numbered, but for those in quotes of some kinds.
func numbered(s, prefix, quotes string) string {
	var b strings.Builder
	n, in := 0, rune(0)
	for _, c := range s {
		switch {
		case in != 0 && c == in:
			in = 0
		case in == 0 && strings.ContainsRune(quotes, c):
			in = c
		}
		if c == '?' && in == 0 {
			n++
			b.WriteString(prefix + strconv.Itoa(n))
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}

// allMet reports whether runs went through all blocks of a function and of what it calls in
// the package, but for those that panic.
func allMet(f *ssa.Function, met map[*ssa.BasicBlock]bool, seen map[*ssa.Function]bool) bool {
	if seen[f] {
		return true
	}
	seen[f] = true
	for _, b := range f.Blocks {
		if _, panics := b.Instrs[len(b.Instrs)-1].(*ssa.Panic); panics || b == f.Recover {
			continue
		}
		if !met[b] {
			return false
		}
		for _, in := range b.Instrs {
			var called *ssa.Function
			switch in := in.(type) {
			case *ssa.Call:
				called = in.Common().StaticCallee()
			case *ssa.MakeClosure:
				called, _ = in.Fn.(*ssa.Function)
			}
			if called != nil && called.Pkg == f.Pkg && !allMet(called, met, seen) {
				return false
			}
		}
	}
	return true
}
