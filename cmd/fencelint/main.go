// Command fencelint tells, for every distributed lock, lease and leadership in Go
// code, what stops the write of a holder that was paused past its lease.
//
// It is a command of its own, a language server and a tool for go vet:
//
//	fencelint ./...
//	fencelint register ./...
//	fencelint gopls
//	go vet -vettool=$(which fencelint) ./...
package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	_ "github.com/fencelint/fencelint/cmd/fencelint/skip" // ends most runs as a vet tool

	"github.com/fencelint/fencelint/internal/driver"
)

func main() {
	os.Exit(driver.New(version()).Main(arguments()))
}

// arguments are those of the command line. Under the name fencelint-gopls, of a link or a
// copy, the program is `fencelint gopls`: some editors take the path of a language server
// and no arguments for it.
func arguments() []string {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if name == "fencelint-gopls" {
		return append([]string{"gopls"}, os.Args[1:]...)
	}
	return os.Args[1:]
}

// version is that of the module, as the go command wrote it into the program.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
