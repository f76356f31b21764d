// Command fencelint tells, for every distributed lock, lease and leadership in Go
// code, what stops the write of a holder that was paused past its lease.
//
// It is a command of its own and a tool for go vet:
//
//	fencelint ./...
//	fencelint register ./...
//	go vet -vettool=$(which fencelint) ./...
package main

import (
	"os"
	"runtime/debug"

	"github.com/fencelint/fencelint/internal/driver"
)

func main() {
	os.Exit(driver.New(version()).Main(os.Args[1:]))
}

// version is that of the module, as the go command wrote it into the program.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
