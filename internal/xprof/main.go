package main

import (
	"os"
	"runtime/pprof"

	"github.com/fencelint/fencelint/internal/driver"
)

func main() {
	f, _ := os.Create(os.Getenv("PROF"))
	pprof.StartCPUProfile(f)
	c := driver.New("(devel)").Main(os.Args[1:])
	pprof.StopCPUProfile()
	f.Close()
	os.Exit(c)
}
