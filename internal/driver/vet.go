package driver

import (
	"errors"
	"flag"
	"go/token"
	"go/types"
	"io"
	"os"
	"runtime/debug"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/fencelint/fencelint/analyzers"
	"github.com/fencelint/fencelint/internal/driver/unit"
	"github.com/fencelint/fencelint/internal/prove"
	"github.com/fencelint/fencelint/internal/report"
	"github.com/fencelint/fencelint/internal/rule"
	"github.com/fencelint/fencelint/model"
)

// vetFlags are the flags that the go command passes on.
type vetFlags struct {
	rules     selection
	options   prove.Options
	json      bool
	fix, diff bool
}

func parseVetFlags(args []string, stderr io.Writer) (*vetFlags, string, error) {
	f := &vetFlags{rules: selection{}}
	fs := flag.NewFlagSet("fencelint", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {} // the go command has checked the flags
	f.rules.register(fs)
	registerEngine(fs, &f.options)
	fs.BoolVar(&f.json, "json", false, "emit JSON output")
	fs.BoolVar(&f.fix, "fix", false, "apply all suggested fixes")
	fs.BoolVar(&f.diff, "diff", false, "with -fix, print a unified diff instead")
	fs.Int("c", -1, "no effect")
	for _, old := range []string{"source", "v", "all"} {
		fs.Bool(old, false, "no effect")
	}
	fs.String("tags", "", "no effect")
	if err := fs.Parse(args); err != nil {
		return nil, "", err
	}
	if fs.NArg() != 1 {
		return nil, "", errors.New("want one configuration file")
	}
	return f, fs.Arg(0), nil
}

// vetHeap is the memory below which a process for one package collects no garbage,
// unless GOGC or GOMEMLIMIT say otherwise: most of them end long before, and
// collecting took a quarter of their time.
const vetHeap = 192 << 20

// vet analyses the one package that a configuration of the go command describes.
// Its exit codes are those that the go command expects: 0, and 1 for failure or,
// without -json, for findings.
func (t *Tool) vet(args []string) int {
	flags, file, err := parseVetFlags(args, t.Stderr)
	if err != nil {
		t.complain(err)
		return 1
	}
	cfg, err := unit.ReadConfig(file)
	if err != nil {
		t.complain(err)
		return 1
	}
	if flags.fix || flags.diff || cfg.TypesInFacts() {
		return t.delegate()
	}
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(vetHeap)
	}
	code, err := t.vetUnit(cfg, flags)
	if err != nil {
		t.complain(err)
		return 1
	}
	return code
}

// delegate hands the process over to the checker of x/tools, which reads the
// program's arguments itself and exits.
func (t *Tool) delegate() int {
	unitchecker.Main(analyzers.All...)
	return ExitFailure
}

// vetUnit decides, analyses, and writes the two outputs.
func (t *Tool) vetUnit(cfg *unit.Config, flags *vetFlags) (int, error) {
	u := &vetUnit{tool: t, cfg: cfg, flags: flags}
	res, err := u.analyse()
	if err != nil {
		if cfg.SucceedOnTypecheckFailure && isSourceError(err) {
			return 0, u.leave(nil)
		}
		return 0, err
	}
	if err := u.leave(res.fact); err != nil {
		return 0, err
	}
	if !flags.json && len(res.findings) == 0 || !u.reports() {
		return 0, nil
	}
	if flags.json {
		return 0, u.toStdout(func(w io.Writer) error { return report.Vet(w, cfg.ID, res.findings) })
	}
	return 1, report.Text(t.Stderr, res.findings)
}

// vetUnit is one package on its way through the vet tool.
type vetUnit struct {
	tool   *Tool
	cfg    *unit.Config
	flags  *vetFlags
	origin unit.Origin
	left   unit.Left // nothing for a package of the standard library
}

// analyse returns an empty outcome for a package that cannot matter.
func (u *vetUnit) analyse() (outcome, error) {
	u.origin = u.cfg.Origin()
	if u.origin == unit.Standard {
		u.tool.observe("skip", u.cfg.ImportPath)
		return outcome{}, nil
	}
	var err error
	if u.left, err = u.cfg.Left(); err != nil {
		return outcome{}, err
	}
	models, err := u.userModels()
	if err != nil {
		return outcome{}, err
	}
	v, err := unit.Judge(models, u.cfg.Candidate())
	if err != nil {
		return outcome{}, err
	}
	if v == unit.Never {
		u.tool.observe("skip", u.cfg.ImportPath)
		return outcome{}, nil
	}
	c := u.check()
	if !importable(u.cfg.Dir, u.cfg.GoFiles) {
		c.options.Facts = prove.FactUnused
	}
	return c.run()
}

// userModels finds the user's models for packages of the main module. Packages of
// other modules lie elsewhere and are judged by the built-in models.
func (u *vetUnit) userModels() (Models, error) {
	o := &u.flags.options
	if o.Models == "" && u.origin == unit.OwnModule {
		var err error
		if o.Models, err = findModels(u.cfg.Dir); err != nil {
			return nil, err
		}
	}
	models, err := u.tool.Models(o.Models)
	o.Table, _ = models.(*model.Table) // read once
	return models, err
}

// leave writes the fact of the package.
func (u *vetUnit) leave(fact []byte) error {
	return u.cfg.Leave(unit.Vetx{Variant: u.left.Variant, Fact: fact})
}

// reports decides whether the findings are printed. The go command (1.26) keeps
// what a package printed under a key that does not say whether findings were
// asked for (VetxOnly), and so would replay the silence of a mere dependency when
// the package is asked for itself. Therefore a package of the main module that
// may later be asked for under the same key reports always. Two kinds never are,
// and reporting them would only show every finding twice: a package compiled
// against the test form of another, and one that has tests in its own package,
// since it is its test form that is asked for.
func (u *vetUnit) reports() bool {
	if !u.cfg.VetxOnly {
		return true
	}
	return u.origin == unit.OwnModule && !u.left.AgainstVariant && !hasTestForm(u.cfg.Dir, u.cfg.GoFiles)
}

// toStdout writes to the file that the go command reads as standard output.
func (u *vetUnit) toStdout(write func(io.Writer) error) error {
	if u.cfg.Stdout == "" {
		return write(u.tool.Stdout)
	}
	f, err := os.Create(u.cfg.Stdout)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

func (u *vetUnit) check() *check {
	cfg, fset := u.cfg, token.NewFileSet()
	exports := newExports(fset, func(path string) string { return cfg.PackageFile[path] })
	return &check{
		tool: u.tool, path: cfg.ImportPath, files: cfg.GoFiles, module: u.ownModule(), goVersion: cfg.GoVersion,
		fset: fset, importer: importerFunc(func(path string) (*types.Package, error) {
			return exports.load(cfg.ImportMap[path])
		}),
		facts:   func(path string) []byte { return u.left.Facts[path] },
		options: u.flags.options,
		rules:   u.flags.rules,
		show:    func(name string) string { return name },
		locate:  rule.Layout{Module: cfg.ModulePath, Pkg: cfg.ImportPath, Dir: cfg.Dir}.File,
	}
}

// ownModule is the path of the package's module if that is the user's own.
func (u *vetUnit) ownModule() string {
	if u.origin != unit.OwnModule {
		return ""
	}
	return u.cfg.ModulePath
}
