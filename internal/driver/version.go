package driver

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

// printVersionHash answers -V=full. The go command keeps results under the last
// word of the answer: it has to change with the program and with the user's
// models, which the program reads by itself.
func (t *Tool) printVersionHash() int {
	h := sha256.New()
	if err := hashProgram(h); err != nil {
		fmt.Fprintf(t.Stderr, "fencelint: %v\n", err)
		return 1
	}
	if err := hashModels(h); err != nil {
		fmt.Fprintf(t.Stderr, "fencelint: %v\n", err)
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

// hashModels adds the user's models, found from the working directory of the go
// command.
func hashModels(w io.Writer) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	file := findModels(dir)
	if file == "" {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s %d\n%s", modelFile, len(data), data)
	return err
}
