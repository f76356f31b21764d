package editor

import (
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The program texts of the recipe. Capital words stand for what recipe.files puts in.
var (
	//go:embed recipe/inject.go.txt
	injectText string
	//go:embed recipe/start_tool.go.txt
	startTool string
	//go:embed recipe/start_cmd.go.txt
	startCmd string
)

// recipe is what a generated main module depends on.
type recipe struct {
	gopls  string // version of gopls
	line   line
	goLine string // version of the go line
	pins   []pin  // versions at which shared dependencies are held
	own    origin
}

// pin holds a module at a version.
type pin struct{ Path, Version string }

// files returns the text of each file of the module.
func (r recipe) files() map[string]string {
	main := startCmd
	if r.line.tool != "" {
		main = strings.Replace(startTool, "TOOL", r.line.tool, 1)
	}
	return map[string]string{
		"go.mod":           r.module(),
		"main.go":          main,
		"inject/inject.go": strings.Replace(injectText, "VERSION", r.version(), 1),
	}
}

func (r recipe) module() string {
	var b strings.Builder
	fmt.Fprintf(&b, "module %s/fencegopls\n\ngo %s\n\n", goplsPath, r.goLine)
	fmt.Fprintf(&b, "require (\n\t%s %s\n\t%s %s\n)\n\n", ownPath, r.own.version, goplsPath, r.gopls)
	for _, p := range r.pins {
		fmt.Fprintf(&b, "replace %s => %[1]s %s\n", p.Path, p.Version)
	}
	if r.own.source != "" {
		fmt.Fprintf(&b, "replace %s => %q\n", ownPath, r.own.source)
	}
	return b.String()
}

// version is what the built gopls says of itself.
func (r recipe) version() string {
	if r.own.source != "" {
		return r.gopls + "+fencelint"
	}
	return r.gopls + "+fencelint." + strings.TrimPrefix(r.own.version, "v")
}

// write puts the module into dir.
func (r recipe) write(dir string) error {
	var errs []error
	for file, text := range r.files() {
		name := filepath.Join(dir, filepath.FromSlash(file))
		errs = append(errs, os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644))
	}
	return errors.Join(errs...)
}

// recipeDigest changes whenever the texts of the recipe do.
func recipeDigest() string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q", []string{injectText, startTool, startCmd})))
}
