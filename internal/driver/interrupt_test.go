//go:build unix

package driver

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterrupted ends the tool while the go command works for it, and wants both to end.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	const slow = "#!/bin/sh\ntrap 'echo > $DIR/ended; exit 1' INT TERM\necho > $DIR/started\nwhile :; do sleep 0.1; done\n"
	if err := os.WriteFile(file("go"), []byte(slow), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self(t), "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), toolEnv+"=1", "DIR="+dir, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := os.WriteFile(file("go.mod"), []byte("module toy.example/m\ngo 1.26\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	appears(t, file("started"))
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != ExitFailure || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
	appears(t, file("ended"))
}

func appears(t *testing.T, file string) {
	t.Helper()
	for range 300 {
		if _, err := os.Stat(file); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s does not appear", filepath.Base(file))
}
