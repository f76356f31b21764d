// Package docs keeps documents in a service that is asked over the network, each with the
// name of who works at it.
package docs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
)

// ErrLost says that another worker has the document.
var ErrLost = errors.New("another worker has the document")

// Doc is one document.
type Doc struct {
	Key, Worker, State string
}

// Docs hands out documents to work at.
type Docs interface {
	Dequeue(ctx context.Context) (*Doc, error)
	Lease(ctx context.Context, key string) (*Doc, error)
	EndLease(ctx context.Context, key, state string) (*Doc, error)
	Count(ctx context.Context) (int, error)
}

// Shelf keeps what is in memory alone.
type Shelf interface {
	Dequeue(ctx context.Context) (*Doc, error)
	EndLease(ctx context.Context, key string) error
}

// New asks a service.
func New(url, worker string) Docs { return &docs{url, worker} }

type docs struct{ url, worker string }

func (d *docs) Dequeue(ctx context.Context) (*Doc, error) {
	return d.send(ctx, &Doc{Worker: d.worker, State: "taken"})
}

func (d *docs) Lease(ctx context.Context, key string) (*Doc, error) {
	return d.send(ctx, &Doc{Key: key, Worker: d.worker})
}

func (d *docs) EndLease(ctx context.Context, key, state string) (*Doc, error) {
	return d.send(ctx, &Doc{Key: key, State: state})
}

func (d *docs) Count(context.Context) (int, error) { return 0, nil }

func (d *docs) send(ctx context.Context, doc *Doc) (*Doc, error) {
	body, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, d.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, ErrLost
	}
	return doc, nil
}

// NewShelf keeps documents in memory.
func NewShelf() Shelf { return new(shelf) }

type shelf struct{ docs []*Doc }

func (s *shelf) Dequeue(context.Context) (*Doc, error) {
	if len(s.docs) == 0 {
		return nil, nil
	}
	d := s.docs[0]
	s.docs = s.docs[1:]
	return d, nil
}

func (s *shelf) EndLease(context.Context, string) error { return nil }
