//go:build !unix

package editor

import (
	"errors"
	"os"
	"os/exec"
)

const programName = "gopls.exe"

// become runs another program in the place of this one and returns its exit code.
func become(path string, args []string) (int, error) {
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}
