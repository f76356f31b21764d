package editor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// errUnavailable marks what is missing on this machine or in this network, in contrast
// to a recipe that does not fit.
var errUnavailable = errors.New("not available")

// Limits for what the go command does. A network that swallows everything must not hold
// up an editor for long.
const (
	askTime   = 30 * time.Second
	fetchTime = 5 * time.Minute
	buildTime = 15 * time.Minute
)

// toolchain is the go command for the directory that the editor works in.
type toolchain struct {
	version string // "go1.26.8"
	env     []string
}

// findToolchain asks the go command in dir: gopls must not be older than the Go of the
// program that it looks at.
func findToolchain(dir string) (*toolchain, error) {
	var env struct{ GOVERSION, GOTOOLCHAIN string }
	t := &toolchain{env: os.Environ()}
	out, err := t.run(dir, askTime, "env", "-json", "GOVERSION", "GOTOOLCHAIN")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	t.version = env.GOVERSION
	t.env = append(t.env,
		// The user's settings are for the user's programs, not for this one.
		"GOWORK=off", "GOFLAGS=-mod=mod", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH, "CGO_ENABLED=0")
	if strings.HasSuffix(env.GOTOOLCHAIN, "auto") {
		t.env = append(t.env, "GOTOOLCHAIN="+env.GOVERSION+"+auto")
	}
	return t, nil
}

// run runs the go command in dir and returns what it prints.
func (t *toolchain) run(dir string, limit time.Duration, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, t.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("the go command is %w: %v", errUnavailable, err)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("go %s: no end after %v", args[0], limit)
	case err != nil:
		return nil, fmt.Errorf("go %s: %v\n%s", args[0], err, tail(stderr.String()))
	}
	return out, nil
}

// maxLines is how much of a long message is shown; what went wrong stands at its end.
const maxLines = 12

func tail(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	if n := len(lines); n > maxLines {
		lines = append([]string{"..."}, lines[n-maxLines:]...)
	}
	return strings.Join(lines, "\n")
}
