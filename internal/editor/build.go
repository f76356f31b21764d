package editor

import (
	"encoding/json"
	"fmt"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// goplsPath is the module of gopls.
const goplsPath = "golang.org/x/tools/gopls"

// shared are the modules of which gopls uses more than they promise, or which its
// analyzers come from: they stay at the versions that gopls requires.
var shared = []string{"golang.org/x/tools", "honnef.co/go/tools"}

// leastGo is the go line of this module.
const leastGo = "1.26.0"

// order says which gopls is wanted.
type order struct {
	gopls string // version
	line  line
	own   origin
	tools *toolchain
}

// binary returns the program for o, and builds it unless it is in the cache.
func (o order) binary(progress io.Writer) (string, error) {
	root, err := cacheRoot()
	if err != nil {
		return "", err
	}
	key := o.key()
	name := filepath.Join(root, key, programName)
	if use(name) {
		return name, nil
	}
	fmt.Fprintf(progress, "fencelint: building gopls %s with the rules inside; this takes about a minute, once\n", o.gopls)
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(root, "build-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	built, err := o.build(tmp)
	if err != nil {
		return "", err
	}
	// If another process was faster, the rename fails and its program is as good.
	if err := os.Rename(filepath.Dir(built), filepath.Dir(name)); err != nil && !exists(name) {
		return "", err
	}
	prune(root, key)
	return name, nil
}

// build writes the module into dir and makes the program.
func (o order) build(dir string) (string, error) {
	r, err := o.recipe(dir)
	if err != nil {
		return "", err
	}
	if err := r.write(dir); err != nil {
		return "", err
	}
	return o.compile(dir)
}

// compile builds the module in dir and tries whether the program starts.
func (o order) compile(dir string) (string, error) {
	if _, err := o.tools.run(dir, fetchTime, "list", "-deps", "."); err != nil {
		return "", fmt.Errorf("gopls %s or what it requires is %w: %w", o.gopls, errUnavailable, err)
	}
	name := filepath.Join(dir, "bin", programName)
	if _, err := o.tools.run(dir, buildTime, "build", "-ldflags=-s -w", "-o", name, "."); err != nil {
		return "", fmt.Errorf("gopls %s with the rules inside does not compile: %w", o.gopls, err)
	}
	if out, err := exec.Command(name, "version").CombinedOutput(); err != nil {
		return "", fmt.Errorf("gopls %s with the rules inside does not start: %w\n%s", o.gopls, err, head(string(out)))
	}
	return name, nil
}

// head is the begin of what a panic prints.
func head(s string) string {
	first, _, _ := strings.Cut(s, "\n\n")
	return first
}

// recipe asks the go command what the chosen gopls requires.
func (o order) recipe(dir string) (recipe, error) {
	r := recipe{gopls: o.gopls, line: o.line, goLine: leastGo, own: o.own}
	var module struct{ GoMod string }
	if err := o.ask(dir, &module, "list", "-m", "-json", goplsPath+"@"+o.gopls); err != nil {
		return r, fmt.Errorf("gopls %s is %w: %w", o.gopls, errUnavailable, err)
	}
	var file struct {
		Go      string
		Require []pin
	}
	if err := o.ask(dir, &file, "mod", "edit", "-json", module.GoMod); err != nil {
		return r, err
	}
	if version.Compare("go"+file.Go, "go"+leastGo) > 0 {
		r.goLine = file.Go
	}
	for _, p := range file.Require {
		if slices.Contains(shared, p.Path) {
			r.pins = append(r.pins, p)
		}
	}
	if len(r.pins) != len(shared) {
		return r, fmt.Errorf("gopls %s does not require all of %s", o.gopls, strings.Join(shared, ", "))
	}
	return r, nil
}

// ask runs the go command in dir and decodes its answer.
func (o order) ask(dir string, answer any, args ...string) error {
	out, err := o.tools.run(dir, askTime, args...)
	if err != nil {
		return err
	}
	return json.Unmarshal(out, answer)
}

// target names the machine that the program is for.
const target = runtime.GOOS + "/" + runtime.GOARCH
