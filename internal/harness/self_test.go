//go:build unix

package harness

import (
	"bytes"
	"context"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/fencelint/fencelint/internal/harness/kit"
)

// The budgets for looking at this repository: memory of the process in KiB, and time.
// The usual peak is 0.6 to 0.7 GiB, and up to 1 GiB where a busy machine delays the
// collector; a way of counting that explodes takes ten times that.
const (
	maxSelfMemory = 3 << 19
	maxSelfTime   = 60 * time.Second
)

// TestOnItself runs fencelint on this repository, which is code as people write it,
// without a lock: it finds nothing, soon, and without using up the machine.
func TestOnItself(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	// The limit of address space keeps a fault from taking the machine along.
	cmd := exec.CommandContext(ctx, "bash", "-c", `ulimit -v 8000000; exec "$0" ./...`, kit.Tool(t))
	cmd.Dir = kit.Root(t)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Errorf("%v\n%.4000s", err, out.String())
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	kit.Report(t, "this repository: %v of CPU time, %d KiB at most", used, usage.Maxrss)
	if usage.Maxrss > maxSelfMemory {
		t.Errorf("%d KiB of memory, budget %d", usage.Maxrss, maxSelfMemory)
	}
	if used > maxSelfTime {
		t.Errorf("%v of CPU time, budget %v", used, maxSelfTime)
	}
}
