package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/fencelint/fencelint/internal/driver"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/prove"
)

// engineTime is what the analysis of packages costs beside the building of their SSA
// form, in CPU time of this process.
type engineTime struct {
	packages, lines int
	ssa, all        time.Duration
}

// measureEngine analyses the packages of a directory in this process, one after the
// other, and builds the SSA form of each once more by itself.
func measureEngine(dir, pattern string, w io.Writer) error {
	runtime.GOMAXPROCS(1)
	if err := os.Chdir(dir); err != nil {
		return err
	}
	var sum engineTime
	t := driver.New("bench")
	t.Stdout = io.Discard
	t.Engine = sum.engine
	args := append([]string{"-tests=false"}, strings.Fields(pattern)...)
	if code := t.Main(args); code == driver.ExitUsage || sum.packages == 0 {
		return fmt.Errorf("nothing was analysed (exit %d)", code)
	}
	kloc := float64(sum.lines) / 1000
	rest := sum.all - sum.ssa
	_, err := fmt.Fprintf(w, "%d packages, %d lines; for each 1,000 lines: SSA %.1f ms, engine %.1f ms, %.2f times as much\n", sum.packages, sum.lines,
		ms(sum.ssa)/kloc, ms(rest)/kloc, float64(rest)/float64(sum.ssa))
	return err
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// engine runs the analysis of one package, and what it is compared with.
func (e *engineTime) engine(u *prove.Unit, o prove.Options) (*prove.Result, error) {
	start := cpuTime()
	flow.BuildSSA(u.Fset, u.Files, u.Pkg, u.Info)
	built := cpuTime()
	res, err := prove.Run(u, o)
	end := cpuTime()
	e.packages++
	e.ssa += built - start
	e.all += end - built
	for _, f := range u.Files {
		e.lines += u.Fset.File(f.FileStart).LineCount()
	}
	return res, err
}
