// Package unit is one package as the go command hands it to a vet tool, and the question
// whether it can matter at all.
//
// What enters is the go command's description of the package, and who can say of import
// paths what they are; what leaves is a verdict, and the files of facts in which packages
// speak to those that import them. It knows nothing of syntax, types or rules, and imports
// next to nothing: most packages end here (see cmd/fencelint/skip).
package unit

import (
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"strings"
)

// Config is the description of one package by the go command.
type Config struct {
	ID                        string
	Dir                       string
	ImportPath                string
	GoVersion                 string
	GoFiles                   []string
	ModulePath, ModuleVersion string
	Module                    json.RawMessage // since Go 1.27
	ImportMap                 map[string]string
	PackageFile               map[string]string
	PackageVetx               map[string]string
	VetxOnly                  bool
	VetxOutput                string
	Stdout                    string
	SucceedOnTypecheckFailure bool
}

// ReadConfig reads one.
func ReadConfig(file string) (*Config, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	cfg := new(Config)
	if err := json.Unmarshal(data, cfg); err != nil {
		return nil, fmt.Errorf("%s: not a vet configuration: %v", file, err)
	}
	return cfg, nil
}

// TypesInFacts reports whether the go command gives no export data, so that types
// must travel with the facts: then every package has to go through unitchecker,
// which writes them there. Of a package without imports that cannot be seen; the
// newer go command is known by other signs then.
func (c *Config) TypesInFacts() bool {
	needs := false
	for _, path := range c.ImportMap {
		if path == "unsafe" || path == "C" {
			continue
		}
		if c.PackageFile[path] == "" {
			return true
		}
		needs = true
	}
	newer := c.ModulePath == "" && version.Compare(version.Lang(c.GoVersion), "go1.27") >= 0
	return c.PackageFile == nil || !needs && (c.Module != nil || newer)
}

// Candidate is the package, for [Judge].
func (c *Config) Candidate() Candidate {
	out := Candidate{Path: Bare(c.ImportPath), Origin: c.Origin(), Files: c.GoFiles}
	for _, path := range c.ImportMap {
		out.Imports = append(out.Imports, path)
	}
	return out
}

// Left is what the imported packages have left for the package.
type Left struct {
	Facts map[string][]byte // by import path, non-empty ones only
	// AgainstVariant: a package that it imports was compiled with its tests;
	// Variant: so was this one, or it was compiled for the tests of another.
	AgainstVariant, Variant bool
}

// Left reads what the imported packages have left. It reports what cannot be read.
func (c *Config) Left() (Left, error) {
	left := Left{Facts: make(map[string][]byte)}
	for path, file := range c.PackageVetx {
		data, err := os.ReadFile(file)
		if err != nil {
			return Left{}, err
		}
		v, err := DecodeVetx(data)
		if err != nil {
			return Left{}, fmt.Errorf("facts of %s: %w", path, err)
		}
		if len(v.Fact) > 0 {
			left.Facts[path] = v.Fact
		}
		left.AgainstVariant = left.AgainstVariant || v.Variant
	}
	left.Variant = left.AgainstVariant && c.VetxOnly || HasTestFile(c.GoFiles)
	return left, nil
}

// Leave writes what the packages that import this one are told.
func (c *Config) Leave(v Vetx) error {
	if c.VetxOutput == "" {
		return nil
	}
	return os.WriteFile(c.VetxOutput, v.Encode(), 0o666)
}

// Origin tells to whom the package belongs. The go command gives no version to
// the modules of a workspace, nor to packages outside any module.
func (c *Config) Origin() Origin {
	switch {
	case c.ModulePath == "" && LooksStandard(Bare(c.ImportPath)):
		return Standard
	case c.ModuleVersion == "", replacedBelow(c.Dir):
		return OwnModule
	}
	return ThirdParty
}

// replacedBelow reports whether dir belongs to a module that lies in a directory
// below another module: a directory that replaces it. What the go command
// downloaded, or vendored, is not meant.
func replacedBelow(dir string) bool {
	if strings.Contains(dir, "@") || strings.Contains(filepath.ToSlash(dir), "/vendor/") {
		return false
	}
	root := ModuleRoot(dir)
	return root != "" && ModuleRoot(filepath.Dir(root)) != ""
}

// ModuleRoot returns the nearest directory upwards from dir that holds a go.mod,
// "" if there is none.
func ModuleRoot(dir string) string {
	for !exists(filepath.Join(dir, "go.mod")) {
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
	return dir
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Bare removes the mark of a test's build from an import path: "p [p.test]".
func Bare(path string) string {
	path, _, _ = strings.Cut(path, " ")
	return path
}

// HasTestFile reports whether one of the files is a test's.
func HasTestFile(files []string) bool {
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			return true
		}
	}
	return false
}
