// Package must ends what went wrong.
package must

import (
	"errors"
	"log"
	"os"
)

// OrPanic panics on the first error.
func OrPanic(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic(err)
		}
	}
}

// OrDie exits.
func OrDie(errs ...error) {
	if err := errors.Join(errs...); err != nil {
		log.Fatal(err)
	}
}

// First tells of the first one.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// All tells all.
func All(errs ...error) error { return errors.Join(errs...) }

// Log only logs.
func Log(errs ...error) {
	for _, err := range errs {
		if err != nil {
			log.Println(err)
		}
	}
}

// True exits unless all hold.
func True(oks ...bool) {
	for _, ok := range oks {
		if !ok {
			os.Exit(1)
		}
	}
}

// Any exits unless one holds.
func Any(oks ...bool) bool {
	for _, ok := range oks {
		if ok {
			return true
		}
	}
	return false
}

// One takes an error and more.
func One(err error, msg ...string) {
	if err != nil {
		if len(msg) > 0 {
			log.Println(msg)
		}
		panic(err)
	}
}
