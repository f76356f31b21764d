package driver

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/fencelint/fencelint/internal/driver/unit"
)

// printVersionHash answers -V=full. The go command keeps results under the last
// word of the answer: it has to change with the program and with the user's
// models, which the program reads by itself.
func (t *Tool) printVersionHash() int {
	h := sha256.New()
	if err := hashProgram(h); err != nil {
		t.complain(err)
		return 1
	}
	if err := hashModels(h); err != nil {
		t.complain(err)
		return 1
	}
	fmt.Fprintf(t.Stdout, "fencelint version devel %s buildID=%x\n", t.Version, h.Sum(nil))
	return 0
}

func hashProgram(w io.Writer) error {
	name, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// hashModels adds the user's models: those of the module in whose directory the go
// command runs, and of the other modules of the workspace.
func hashModels(w io.Writer) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	dirs := append([]string{unit.ModuleRoot(dir)}, workspace(dir)...)
	for _, d := range dirs {
		data, err := os.ReadFile(filepath.Join(d, modelFile))
		if d == "" || os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s %d\n%s", modelFile, len(data), data); err != nil {
			return err
		}
	}
	return nil
}

// workspace returns the directories of the modules that the go.work file for dir
// names, nothing if there is none. A line that is misunderstood only means that a
// change of models in that module is noticed late.
func workspace(dir string) []string {
	file := os.Getenv("GOWORK")
	if file == "off" {
		return nil
	}
	for file == "" {
		if f := filepath.Join(dir, "go.work"); exists(f) {
			file = f
		} else if parent := filepath.Dir(dir); parent != dir {
			dir = parent
		} else {
			return nil
		}
	}
	data, _ := os.ReadFile(file) // the go command complains if it cannot be read
	var dirs []string
	block := false
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 2 && words[0] == "use" && words[1] == "(":
			block = true
		case len(words) == 1 && words[0] == ")":
			block = false
		case len(words) == 2 && words[0] == "use", len(words) == 1 && block:
			dirs = append(dirs, filepath.Join(filepath.Dir(file), strings.Trim(words[len(words)-1], "\"`")))
		}
	}
	return dirs
}
