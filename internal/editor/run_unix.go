//go:build unix

package editor

import (
	"os"
	"syscall"
)

const programName = "gopls"

// become replaces this process by another program; it returns only if that fails.
func become(path string, args []string) (int, error) {
	return 0, syscall.Exec(path, append([]string{path}, args...), os.Environ())
}
