//go:build !unix

package main

import (
	"os"
	"runtime"
)

func peakOf(*os.ProcessState) int64 { return 0 }
func loadAverage() float64          { return 0 }
func cores() int                    { return runtime.NumCPU() }
