package flow

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// embeddedFS is the type of a folder that is part of the program.
const embeddedFS = "embed.FS"

// Bounds of the embedded texts that are followed.
const (
	maxEmbedded     = 40
	maxEmbeddedText = 1 << 15
)

// embedded is what //go:embed puts into a package variable: a text, or a folder with
// texts by their names; nil if that is not known.
func (a *Analysis) embedded(v *ssa.Global) *term.Term {
	spec, doc := a.varSpec(v.Pos())
	if spec == nil || doc == nil {
		return nil
	}
	var patterns []string
	for _, c := range doc.List {
		if rest, ok := strings.CutPrefix(c.Text, "//go:embed "); ok {
			patterns = append(patterns, strings.Fields(rest)...)
		}
	}
	if len(patterns) == 0 {
		return nil
	}
	dir := filepath.Dir(a.Fset.Position(spec.Pos()).Filename)
	if typeName(v.Type().Underlying().(*types.Pointer).Elem()) == embeddedFS {
		return a.embeddedFolder(dir, patterns)
	}
	if text, ok := a.embeddedText(dir, strings.Trim(patterns[0], "\"`")); ok {
		return term.NewString(text)
	}
	return nil
}

func (a *Analysis) embeddedText(dir, name string) (string, bool) {
	read := a.ReadFile
	if read == nil {
		read = os.ReadFile
	}
	text, err := read(filepath.Join(dir, filepath.FromSlash(name)))
	return string(text), err == nil
}

// embeddedFolder is a folder of which all files that can be statements are known; nil
// if they are too many.
func (a *Analysis) embeddedFolder(dir string, patterns []string) *term.Term {
	var names []string
	for _, p := range patterns {
		found, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(strings.Trim(p, "\"`"))))
		for _, name := range found {
			names = append(names, a.filesIn(dir, name)...)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 0 || len(names) > maxEmbedded {
		return nil
	}
	var keys []string
	var texts []*term.Term
	size := 0
	for _, n := range names {
		text, ok := a.embeddedText(dir, n)
		if size += len(text); !ok || size > maxEmbeddedText {
			return nil
		}
		keys, texts = append(keys, term.NewString(n).Key()), append(texts, term.NewString(text))
	}
	return term.NewStruct(embeddedFS, "", keys, texts)
}

// filesIn lists a file, or the files in a folder, by their names from dir on.
func (a *Analysis) filesIn(dir, name string) []string {
	var out []string
	_ = filepath.WalkDir(name, func(p string, d os.DirEntry, err error) error {
		if err != nil || len(out) > maxEmbedded {
			return filepath.SkipAll
		}
		if rel, err := filepath.Rel(dir, p); err == nil && !d.IsDir() {
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	return out
}

// foldEmbedded reads a file of a folder that is part of the program.
func foldEmbedded(args []*term.Term, n int) *term.Term {
	if len(args) != 2 || n != 0 {
		return nil
	}
	fs := unbox(args[0])
	if fs.Kind != term.Struct || fs.Str != embeddedFS {
		return nil
	}
	if args[1].Kind == term.Alt {
		return eachForm(args[1], func(name *term.Term) *term.Term { return foldEmbedded([]*term.Term{fs, name}, n) })
	}
	for i, k := range fs.Names {
		if k == args[1].Key() {
			return fs.Args[i]
		}
	}
	return nil
}
