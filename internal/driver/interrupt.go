package driver

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// errInterrupted is what a run comes to that is asked to end.
var errInterrupted = errors.New("interrupted")

// interruptible runs what starts the go command, which would otherwise go on compiling when
// this process has been ended: a terminal interrupts both, but a time limit only this one.
func interruptible[T any](run func(context.Context) (T, error)) (T, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	v, err := run(ctx)
	if ctx.Err() != nil {
		err = errInterrupted
	}
	return v, err
}
