package prove

import (
	"os"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Fact is the one fact of the engine, in its encoded form.
type Fact struct{ Data []byte }

// AFact marks Fact as an analysis fact.
func (*Fact) AFact() {}

// String tells the size only; the content is a table of summaries.
func (f *Fact) String() string { return "fencelint summaries" }

// Analyzer is the engine. Every rule requires it and reports the findings of its own name.
var Analyzer = &analysis.Analyzer{
	Name:       "fencelint",
	Doc:        "follow every distributed lock to the writes that it protects (engine of the other analyzers; reports nothing itself)",
	URL:        "https://pkg.go.dev/github.com/fencelint/fencelint",
	FactTypes:  []analysis.Fact{(*Fact)(nil)},
	ResultType: reflect.TypeFor[*Result](),
}

var options Options

func init() {
	Analyzer.Run = run // here, since run refers to Analyzer's options
	Analyzer.Flags.StringVar(&options.Models, "models", "", "file with models of your own libraries")
	Analyzer.Flags.BoolVar(&options.Strict, "strict", false, "also report what holds only under an assumption")
}

func run(pass *analysis.Pass) (any, error) {
	imported := make(map[string]*Fact)
	for _, imp := range pass.Pkg.Imports() {
		f := new(Fact)
		if pass.ImportPackageFact(imp, f) {
			imported[imp.Path()] = f
		}
	}
	u := &Unit{
		Fset: pass.Fset, Files: pass.Files, Pkg: pass.Pkg, Info: pass.TypesInfo, ReadFile: readFile(pass),
		Foreign: foreign(pass), Module: ownModule(pass),
		ImportFact: func(path string) []byte {
			if f := imported[path]; f != nil {
				return f.Data
			}
			return nil
		},
	}
	res, err := Run(u, options)
	if err != nil {
		return nil, err
	}
	if len(res.Fact) > 0 {
		pass.ExportPackageFact(&Fact{Data: res.Fact})
	}
	return res, nil
}

// foreign tells by what the driver says of the module. Some say nothing: then
// only the standard library is known by its paths.
func foreign(pass *analysis.Pass) bool {
	if m := pass.Module; m != nil && m.Path != "" {
		return m.Version != "" || m.Path == "std"
	}
	first, _, _ := strings.Cut(pass.Pkg.Path(), "/")
	return !strings.Contains(first, ".") && pass.Pkg.Name() != "main"
}

// ownModule is the path of the module if that is known not to be foreign.
func ownModule(pass *analysis.Pass) string {
	if pass.Module == nil || foreign(pass) {
		return ""
	}
	return pass.Module.Path
}

// readFile reads by way of the driver, which may have newer content than the disk. Some
// allow only files that they listed, and list no embedded ones.
func readFile(pass *analysis.Pass) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if pass.ReadFile != nil {
			if text, err := pass.ReadFile(name); err == nil {
				return text, nil
			}
		}
		return os.ReadFile(name)
	}
}
