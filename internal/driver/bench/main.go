// Command bench compares what fencelint costs with what go vet costs on a module.
//
// It measures the CPU seconds of whole process trees, since those, unlike the time on
// the clock, hardly depend on what else the machine does, and prints ratios of medians
// of interleaved runs. "Cold" means: export data of all packages is in the build cache,
// and no result of the tool. For go vet that is reached by a flag value, for the vet
// tool by a copy of the program, that no run has had before.
//
//	go run ./internal/driver/bench [-n 3] [-tool fencelint] DIRECTORY
//
// With -engine it measures, in its own process, what the analysis costs for each 1,000
// lines beside the building of the SSA form:
//
//	go run ./internal/driver/bench -engine DIRECTORY
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	runs := flag.Int("n", 3, "number of runs of each command")
	tool := flag.String("tool", "", "fencelint to measure (default: built from this module)")
	pattern := flag.String("pattern", "./...", "packages")
	engine := flag.Bool("engine", false, "measure the analysis beside the building of SSA")
	flag.Parse()
	if flag.NArg() == 1 && *engine {
		if err := measureEngine(flag.Arg(0), *pattern, os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	if flag.NArg() != 1 {
		log.Fatal("usage: bench [flags] DIRECTORY")
	}
	b := &bench{dir: flag.Arg(0), pattern: *pattern, nonce: strconv.FormatInt(time.Now().UnixNano(), 36)}
	temp, err := os.MkdirTemp("", "fencelint-bench-")
	if err != nil {
		log.Fatal(err)
	}
	b.temp = temp
	err = b.main(*tool, *runs)
	os.RemoveAll(temp)
	if err != nil {
		log.Fatal(err)
	}
}

type bench struct {
	dir, pattern, temp, nonce string
	tool                      []byte // the program's text
	toolFile                  string
	round                     int
}

// state is a command and the state of the caches in which it runs.
type state struct {
	name string
	args func(*bench) ([]string, error)
}

// states lists what is measured, in this order within a round: a warm run repeats
// the cold one before it.
func states() []state {
	vet := func(b *bench) ([]string, error) {
		return []string{"go", "vet", fmt.Sprintf("-printf.funcs=bench%s%d", b.nonce, b.round), b.pattern}, nil
	}
	vetTool := func(b *bench) ([]string, error) {
		copied, err := b.copyTool()
		return []string{"go", "vet", "-vettool=" + copied, b.pattern}, err
	}
	own := func(b *bench) ([]string, error) { return []string{b.toolFile, b.pattern}, nil }
	return []state{
		{"go vet, cold", vet},
		{"go vet, warm", vet},
		{"go vet -vettool=fencelint, cold", vetTool},
		{"go vet -vettool=fencelint, warm", vetTool},
		{"fencelint", own},
	}
}

func (b *bench) main(tool string, runs int) error {
	if err := b.takeTool(tool); err != nil {
		return err
	}
	if n, load := cores(), loadAverage(); load > float64(n) {
		fmt.Printf("load average %.1f on %d processors: do not trust small differences\n", load, n)
	}
	for _, warm := range [][]string{{"go", "vet", b.pattern}, {b.toolFile, b.pattern}} {
		if _, err := b.measure(warm); err != nil {
			return err
		}
	}
	all := map[string][]cost{}
	for b.round = range runs {
		for _, s := range states() {
			args, err := s.args(b)
			if err != nil {
				return err
			}
			c, err := b.measure(args)
			if err != nil {
				return err
			}
			all[s.name] = append(all[s.name], c)
		}
	}
	return b.print(os.Stdout, all)
}

// takeTool builds the tool unless one is given.
func (b *bench) takeTool(tool string) error {
	if tool == "" {
		tool = filepath.Join(b.temp, "fencelint")
		cmd := exec.Command("go", "build", "-o", tool, "github.com/fencelint/fencelint/cmd/fencelint")
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("go build: %w", err)
		}
	}
	file, err := filepath.Abs(tool)
	if err != nil {
		return err
	}
	b.toolFile = file
	b.tool, err = os.ReadFile(file)
	return err
}

// copyTool writes the program of this round: the same code with another digest.
func (b *bench) copyTool() (string, error) {
	name := filepath.Join(b.temp, fmt.Sprintf("fencelint%d", b.round))
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	return name, os.WriteFile(name, append(slices.Clone(b.tool), b.nonce+strconv.Itoa(b.round)...), 0o777)
}

// cost is what a process and all its descendants used.
type cost struct {
	cpu, wall time.Duration
	peak      int64 // bytes, of the largest process; 0 if unknown
}

// measure runs a command. Findings are no failure.
func (b *bench) measure(args []string) (cost, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = b.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 || cmd.ProcessState.ExitCode() < 0 {
		return cost{}, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	s := cmd.ProcessState
	return cost{s.UserTime() + s.SystemTime(), time.Since(start), peakOf(s)}, nil
}

func (b *bench) print(w io.Writer, all map[string][]cost) error {
	base := map[bool]time.Duration{}
	for _, cold := range []bool{true, false} {
		base[cold] = median(all[states()[map[bool]int{true: 0, false: 1}[cold]].name]).cpu
	}
	fmt.Fprintf(w, "%-34s %9s %9s %9s %9s\n", "", "CPU s", "÷ cold", "÷ warm", "peak MiB")
	for _, s := range states() {
		m := median(all[s.name])
		if _, err := fmt.Fprintf(w, "%-34s %9.2f %9.2f %9.2f %9d\n", s.name, m.cpu.Seconds(),
			m.cpu.Seconds()/base[true].Seconds(), m.cpu.Seconds()/base[false].Seconds(), m.peak>>20); err != nil {
			return err
		}
	}
	return nil
}

// median of the costs by CPU.
func median(list []cost) cost {
	sorted := slices.SortedFunc(slices.Values(list), func(a, b cost) int { return int(a.cpu - b.cpu) })
	return sorted[len(sorted)/2]
}
