package driver

import (
	"errors"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/fencelint/fencelint/internal/catalogue"
	"github.com/fencelint/fencelint/internal/rule"
)

const checkAbout = `
Compares your model file (fencelint.yaml beside go.mod, or -fencelint.models) with the packages
and all that they import: which rows name a type, function or field that is not there, or take a
value where there is none. Whether a row says what the library does, only a person can tell.

Exit codes: 0 each row matches, 1 some do not, 2 usage, 3 something could not be loaded.

`

// modelsCheck says which rows of the user's model file match nothing in the program.
func (t *Tool) modelsCheck(args []string) int {
	c := newModelsCommand("models check")
	c.loads()
	patterns, code := t.parseModels(c, args, "[packages]", checkAbout)
	if code >= 0 {
		return code
	}
	table, file, err := c.table()
	switch {
	case err != nil:
		return t.fail(err)
	case file == "":
		return t.wrongUse(c, "there is no "+modelFile+" beside go.mod; name a file with -fencelint.models, or begin one:\n"+
			"fencelint models add IMPORT/PATH > "+modelFile)
	}
	libs := catalogue.Own(table, filepath.ToSlash(file))
	paths, q, err := c.program(patterns)
	if err != nil {
		return t.fail(err)
	}
	program, err := loadTypes(q, catalogue.Matching(libs, paths))
	if err != nil {
		return t.fail(err)
	}
	found := catalogue.Check(libs, program)
	for _, u := range found.Unmatched {
		fmt.Fprintln(t.Stdout, rule.Printable(u.String()))
	}
	fmt.Fprintf(t.Stdout, "%s: rows compared: %d", rule.Printable(filepath.ToSlash(file)), found.Rows)
	if found.Text > 0 {
		fmt.Fprintf(t.Stdout, " (and %d about statements, which no type tells of)", found.Text)
	}
	fmt.Fprintf(t.Stdout, "; places that match nothing: %d\n", len(found.Unmatched))
	if len(found.Unmatched) > 0 {
		return ExitFindings
	}
	return ExitClean
}

// program returns the import paths of all packages that the patterns name or need.
func (c *modelsCommand) program(patterns []string) ([]string, query, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, query{}, err
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	q := query{dir: dir, tests: c.tests, flags: c.buildFlags(), patterns: patterns}
	g, err := list(q)
	if err != nil {
		return nil, q, explainList(err)
	}
	if err := matched(g, q); err != nil {
		return nil, q, err
	}
	var paths []string
	for _, n := range g.order {
		if n.forTest == "" {
			paths = append(paths, n.path)
		}
	}
	return paths, q, nil
}

// loadTypes checks packages from source, so that what is not exported is there too.
// What they import comes from export data.
func loadTypes(q query, paths []string) (map[string]*types.Package, error) {
	out := map[string]*types.Package{}
	if len(paths) == 0 {
		return out, nil
	}
	list, err := loadPackages(q, paths)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		out[p.PkgPath] = p.Types
	}
	return out, nil
}

// loadPackages checks packages from source.
func loadPackages(q query, paths []string) ([]*packages.Package, error) {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule
	list, err := q.load(mode, false, paths)
	if err != nil {
		return nil, explainList(err)
	}
	var faults []error
	for _, p := range list {
		for _, e := range p.Errors {
			faults = append(faults, errors.New(strings.TrimSpace(describeListError(e))))
		}
	}
	return list, errors.Join(faults...)
}
