// Package writers keeps writers in fields, and lets the standard library write to them.
package writers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

type outBook struct {
	w io.Writer
	m *concurrency.Mutex
}

func stdoutBook(m *concurrency.Mutex) *outBook { return &outBook{w: os.Stdout, m: m} }

func (b *outBook) good(ctx context.Context) error {
	//fencelint:lock correctness
	if err := b.m.Lock(ctx); err != nil {
		return err
	}
	defer b.m.Unlock(ctx)
	_, err := fmt.Fprintln(b.w, "x")
	return err
}

type memBook struct {
	w io.Writer
	m *concurrency.Mutex
}

func newMem(m *concurrency.Mutex, w io.Writer) *memBook { return &memBook{w: w, m: m} }

func (b *memBook) handedIn(ctx context.Context) error {
	//fencelint:lock correctness
	if err := b.m.Lock(ctx); err != nil {
		return err
	}
	defer b.m.Unlock(ctx)
	return json.NewEncoder(b.w).Encode(1)
}

// an own writer to the object store
type s3Writer struct {
	c   *s3.Client
	key string
}

func (w *s3Writer) Write(p []byte) (int, error) {
	_, err := w.c.PutObject(context.Background(), &s3.PutObjectInput{Bucket: aws.String("b"), Key: &w.key})
	return len(p), err
}

type objBook struct {
	w io.Writer
	m *concurrency.Mutex
}

func newObj(m *concurrency.Mutex, c *s3.Client) *objBook {
	return &objBook{w: &s3Writer{c, "k"}, m: m}
}

func (b *objBook) bad(ctx context.Context) error {
	//fencelint:lock correctness
	if err := b.m.Lock(ctx); err != nil {
		return err
	}
	defer b.m.Unlock(ctx)
	_, err := b.w.Write([]byte("x")) // want "unfencedwrite"
	return err
}

type objBook2 struct {
	w io.Writer
	m *concurrency.Mutex
}

func newObj2(m *concurrency.Mutex, c *s3.Client) *objBook2 {
	return &objBook2{w: &s3Writer{c, "k"}, m: m}
}

func (b *objBook2) bad(ctx context.Context) error {
	//fencelint:lock correctness
	if err := b.m.Lock(ctx); err != nil {
		return err
	}
	defer b.m.Unlock(ctx)
	_, err := fmt.Fprintf(b.w, "x") // want "unfencedwrite"
	return err
}

func (b *objBook2) bad2(ctx context.Context, v any) error {
	//fencelint:lock correctness
	if err := b.m.Lock(ctx); err != nil {
		return err
	}
	defer b.m.Unlock(ctx)
	return json.NewEncoder(b.w).Encode(v) // want "unfencedwrite"
}

func (b *objBook2) bad3(ctx context.Context, r io.Reader) error {
	//fencelint:lock correctness
	if err := b.m.Lock(ctx); err != nil {
		return err
	}
	defer b.m.Unlock(ctx)
	_, err := io.Copy(b.w, r) // want "unfencedwrite"
	return err
}

func (b *objBook2) badBuffered(ctx context.Context, v any) error {
	//fencelint:lock correctness
	if err := b.m.Lock(ctx); err != nil {
		return err
	}
	defer b.m.Unlock(ctx)
	w := bufio.NewWriter(b.w)
	w.WriteString("x")
	return w.Flush() // want "unfencedwrite"
}

// onceWriter makes an object, and never anew.
type onceWriter struct {
	c   *s3.Client
	key string
}

func (w *onceWriter) Write(p []byte) (int, error) {
	_, err := w.c.PutObject(context.Background(), &s3.PutObjectInput{Bucket: aws.String("b"), Key: &w.key, IfNoneMatch: aws.String("*")})
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

type onceBook struct {
	w io.Writer
	m *concurrency.Mutex
}

func newOnce(m *concurrency.Mutex, c *s3.Client) *onceBook {
	return &onceBook{w: &onceWriter{c, "once"}, m: m}
}

func (b *onceBook) good(ctx context.Context, v any) error {
	//fencelint:lock correctness
	if err := b.m.Lock(ctx); err != nil {
		return err
	}
	defer b.m.Unlock(ctx)
	return json.NewEncoder(b.w).Encode(v)
}

type bufBook struct {
	w io.Writer
	m *concurrency.Mutex
}

func newBuf(m *concurrency.Mutex) *bufBook { return &bufBook{w: new(bytes.Buffer), m: m} }

func (b *bufBook) good(ctx context.Context) error {
	//fencelint:lock correctness
	if err := b.m.Lock(ctx); err != nil {
		return err
	}
	defer b.m.Unlock(ctx)
	_, err := fmt.Fprintln(b.w, "x")
	return err
}
