// Package check holds what a program does about errors that it does not expect.
package check

import (
	"errors"
	"fmt"
	"log"
	"os"
)

// PanicIf panics on a condition.
func PanicIf(failed bool, err error) {
	if failed {
		panic(err)
	}
}

// NoError panics if there is one.
func NoError(err error) {
	if err != nil {
		panic(err)
	}
}

// Must gives a value for which there was no error.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// ExitOn ends the program.
func ExitOn(err error) {
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "fatal:", err)
	os.Stderr.WriteString("see the manual\n")
	os.Exit(1)
}

// That panics where something does not hold.
func That(ok bool, what string) {
	if !ok {
		panic(errors.New(what))
	}
}

// Failed tells whether there was an error, and notes it.
func Failed(err error) bool {
	if err != nil {
		log.Println(err)
		return true
	}
	return false
}

// Note only notes it.
func Note(err error) {
	if err != nil {
		log.Println(err)
	}
}
