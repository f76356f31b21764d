// Command goplsver runs the analyzers with the x/tools that gopls pins, and prints
// the findings as JSON. Its arguments are a folder and patterns.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/fencelint/fencelint/analyzers"
	"github.com/fencelint/fencelint/internal/harness/standalone"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: goplsver FOLDER PATTERN...")
		os.Exit(2)
	}
	found, err := standalone.Run(os.Args[1], analyzers.All, os.Args[2:]...)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}
