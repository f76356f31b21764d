package editor

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// ownPath is the module that this package belongs to.
const ownPath = "github.com/fencelint/fencelint"

// origin is where the go command finds the fencelint that this process runs.
type origin struct {
	version string // of the released module, or a placeholder
	source  string // directory with its source, "" for a released version
	digest  string // changes with the code
}

// placeholder is a version that a replacement makes meaningless.
const placeholder = "v0.0.0"

// ownOrigin finds out what info, which may be nil, says of this module. A directory that
// the user names wins. Otherwise a module that came from a proxy has a checksum; anything
// else was built from a directory, which the compiler has written down.
func ownOrigin(info *debug.BuildInfo, dir string) (origin, error) {
	if m := ownModule(info); dir == "" && m != nil && m.Sum != "" && m.Replace == nil {
		return origin{version: m.Version, digest: m.Sum}, nil
	}
	if dir == "" {
		_, file, _, _ := runtime.Caller(0)
		dir = filepath.Dir(filepath.Dir(filepath.Dir(file)))
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return origin{}, err
	}
	if !isOwnSource(dir) {
		return origin{}, fmt.Errorf("this fencelint is no released version, and %s does not hold its source; name the directory with -source", dir)
	}
	digest, err := sourceDigest(dir)
	return origin{version: placeholder, source: dir, digest: digest}, err
}

func ownModule(info *debug.BuildInfo) *debug.Module {
	if info == nil {
		return nil
	}
	if info.Main.Path == ownPath {
		return &info.Main
	}
	for _, m := range info.Deps {
		if m.Path == ownPath {
			return m
		}
	}
	return nil
}

// isOwnSource reports whether dir holds this module.
func isOwnSource(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	first, _, _ := bytes.Cut(data, []byte("\n"))
	return err == nil && strings.TrimSpace(string(first)) == "module "+ownPath
}

// sourceDigest hashes what the analyzers in dir are built from.
func sourceDigest(dir string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir():
			if path != dir && (name[0] == '.' || name == "testdata" || exists(filepath.Join(path, "go.mod"))) {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular(), name[0] == '.', strings.HasSuffix(name, "_test.go"), !partOfBuild(name):
			return nil
		}
		return addFile(h, dir, path)
	})
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// partOfBuild: Go, models, and the two files of the module. The texts of the recipe are
// part of the key by themselves.
func partOfBuild(name string) bool {
	switch filepath.Ext(name) {
	case ".go", ".yaml", ".mod", ".sum":
		return true
	}
	return false
}

func addFile(w io.Writer, dir, path string) error {
	rel, err1 := filepath.Rel(dir, path)
	data, err2 := os.ReadFile(path)
	_, err3 := fmt.Fprintf(w, "%s %d\n%s", filepath.ToSlash(rel), len(data), data)
	return errors.Join(err1, err2, err3)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
