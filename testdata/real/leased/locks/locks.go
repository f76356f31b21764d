// Package locks asks a service for locks; what looks alike locks within the process.
package locks

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"sync"
)

// ErrTaken says that another owner has the lock.
var ErrTaken = errors.New("another owner has the lock")

// Locks is the client of a service.
type Locks interface {
	Lock(ctx context.Context, name, owner string) (string, error)
	Release(ctx context.Context, name, owner string) error
}

// Local has the same methods.
type Local interface {
	Lock(ctx context.Context, name string) error
	Release(ctx context.Context, name string) error
}

// Dial makes a client.
func Dial(url string) Locks { return &client{url} }

type client struct{ url string }

func (c *client) Lock(ctx context.Context, name, owner string) (string, error) {
	return owner, c.send(ctx, "/lock/"+name, owner)
}

func (c *client) Release(ctx context.Context, name, owner string) error {
	return c.send(ctx, "/release/"+name, owner)
}

func (c *client) send(ctx context.Context, path, owner string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, bytes.NewReader([]byte(owner)))
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		err = ErrTaken
	}
	return errors.Join(err, res.Body.Close())
}

// Logger tells what happens.
type Logger interface{ Debug(text string) }

// NewLocal makes locks of the process.
func NewLocal(log Logger) Local { return &local{log: log, held: make(map[string]bool)} }

type local struct {
	mu   sync.Mutex
	log  Logger
	held map[string]bool
}

func (l *local) Lock(_ context.Context, name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log.Debug("locks " + name)
	if l.held[name] {
		return ErrTaken
	}
	l.held[name] = true
	return nil
}

func (l *local) Release(_ context.Context, name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.held, name)
	return nil
}
