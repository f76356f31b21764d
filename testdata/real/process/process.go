// Package process starts other programs while it holds a lock.
package process

import (
	"context"
	"os"
	"os/exec"

	"go.etcd.io/etcd/client/v3/concurrency"
)

func run(ctx context.Context, name string, args ...string) ([]byte, error) {
	return exec.CommandContext(ctx, name, args...).CombinedOutput()
}

// Bad starts processes of which nobody sees what they write.
func Bad(ctx context.Context, s *concurrency.Session, id string) error {
	mu := concurrency.NewMutex(s, "/locks/process")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))

	if _, err := run(ctx, "settle", id); err != nil { // want "unprovedwrite"
		return err
	}
	cmd := exec.Command("notify", id)
	cmd.Stderr = os.Stderr
	return cmd.Run() // want "unprovedwrite"
}

// Accepted says why that is right.
func Accepted(ctx context.Context, s *concurrency.Session) error {
	mu := concurrency.NewMutex(s, "/locks/process")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	//fencelint:accept unprovedwrite reason="it only prints"
	_, err := exec.CommandContext(ctx, "date").Output()
	return err
}

// Cheap may start it twice.
func Cheap(ctx context.Context, s *concurrency.Session) error {
	mu := concurrency.NewMutex(s, "/locks/build")
	//fencelint:lock efficiency
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return exec.CommandContext(ctx, "make").Run()
}

// Files are the process's own as far as anybody can see.
func Files(ctx context.Context, s *concurrency.Session, data []byte) error {
	mu := concurrency.NewMutex(s, "/locks/process")
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	if err := os.WriteFile("next", data, 0o600); err != nil {
		return err
	}
	return os.Rename("next", "now")
}
