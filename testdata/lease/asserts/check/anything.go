package check

import (
	"fmt"
	"log"
	"log/slog"
)

// NoErrorf panics with a text.
func NoErrorf(err error, format string, args ...any) {
	if err != nil {
		panic(fmt.Errorf(format+": %w", append(args, err)...))
	}
}

// Check looks for an error among anything.
func Check(msg string, args ...any) {
	for _, a := range args {
		if err, ok := a.(error); ok && err != nil {
			log.Fatalf("%s: %v", msg, err)
		}
	}
}

// Expect asks anything for its type.
func Expect(args ...any) {
	for _, a := range args {
		switch x := a.(type) {
		case error:
			panic(x)
		case bool:
			if !x {
				panic("false")
			}
		}
	}
}

// Thatf panics with a text.
func Thatf(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(format, args...))
	}
}

// OK takes an error or an answer.
func OK(cond any, msg ...any) {
	switch c := cond.(type) {
	case nil:
		return
	case error:
		if c != nil {
			panic(fmt.Sprint(append(msg, c)...))
		}
	case bool:
		if !c {
			panic(fmt.Sprint(msg...))
		}
	}
}

// Warnf only notes it.
func Warnf(err error, format string, args ...any) {
	if err != nil {
		slog.Warn(fmt.Sprintf(format, args...), "err", err)
	}
}

// WarnAny looks for one and notes it.
func WarnAny(msg string, args ...any) {
	for _, a := range args {
		if err, ok := a.(error); ok && err != nil {
			log.Printf("%s: %v", msg, err)
		}
	}
}

// OnlyErrors panics on errors alone.
func OnlyErrors(args ...any) {
	for _, a := range args {
		if err, ok := a.(error); ok {
			panic(err)
		}
	}
}
