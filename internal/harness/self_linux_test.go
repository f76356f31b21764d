//go:build linux

package harness

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
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

// measured runs the tool and tells the peak of its memory. What the kernel tells of a
// process that has ended includes the memory of the one that started it. The limit of
// address space keeps a fault from taking the machine along.
const measured = `
ulimit -v 8000000
"$0" ./... >&2 &
while line=$(grep VmHWM /proc/$!/status 2>/dev/null); do peak=$line; sleep 0.05; done
echo "$peak"
wait $!
`

// TestOnItself runs fencelint on this repository, which is code as people write it,
// without a lock: it finds nothing, soon, and without using up the machine.
func TestOnItself(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	// What is compiled first counts as memory and time of whoever asks for it.
	if r := kit.Run(t, kit.Root(t), "go", "list", "-export", "-deps", "-test", "./..."); r.Code != 0 {
		t.Fatalf("go list: %.4000s", r.Stderr)
	}
	cmd := exec.CommandContext(ctx, "bash", "-c", measured, kit.Tool(t))
	cmd.Dir = kit.Root(t)
	var out, peak bytes.Buffer
	cmd.Stdout, cmd.Stderr = &peak, &out
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Errorf("%v\n%.4000s", err, out.String())
	}
	var memory int
	if _, err := fmt.Sscanf(peak.String(), "VmHWM: %d kB", &memory); err != nil {
		t.Fatalf("memory: %v in %q", err, peak.String())
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	kit.Report(t, "this repository: %v of CPU time, %d KiB at most", used, memory)
	if memory > maxSelfMemory {
		t.Errorf("%d KiB of memory, budget %d", memory, maxSelfMemory)
	}
	if used > maxSelfTime {
		t.Errorf("%v of CPU time, budget %v", used, maxSelfTime)
	}
}
