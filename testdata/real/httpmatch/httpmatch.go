// Package httpmatch writes things of a peer that keeps versions, by plain requests: the
// version that a request replaces stands in one of its headers.
package httpmatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// ErrChanged says that the thing was changed since it was read.
var ErrChanged = errors.New("changed since it was read")

func read(ctx context.Context, hc *http.Client, url string) (body []byte, tag string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, "", err
	}
	resp, err := hc.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return body, resp.Header.Get("ETag"), err
}

func session(ctx context.Context, c *clientv3.Client, key string) (*concurrency.Session, *concurrency.Mutex, error) {
	s, err := concurrency.NewSession(c)
	if err != nil {
		return nil, nil, err
	}
	return s, concurrency.NewMutex(s, key), nil
}

// Good compares the version and hears of the refusal.
func Good(ctx context.Context, c *clientv3.Client, hc *http.Client, url string) error {
	_, m, err := session(ctx, c, "/httpmatch/good")
	if err != nil {
		return err
	}
	//fencelint:lock correctness contract=cas
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	body, tag, err := read(ctx, hc, url)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader(append(body, 'x')))
	if err != nil {
		return err
	}
	req.Header.Set("If-Match", tag)
	resp, err := hc.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusPreconditionFailed {
		return ErrChanged
	}
	return nil
}

// Plain has no contract: no update is lost, which the register says.
func Plain(ctx context.Context, c *clientv3.Client, hc *http.Client, url string) error {
	_, m, err := session(ctx, c, "/httpmatch/plain")
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	body, tag, err := read(ctx, hc, url)
	if err != nil {
		return err
	}
	return replace(ctx, hc, url, body, map[string]string{"If-Match": tag})
}

// replace sends a request with headers of the caller.
func replace(ctx context.Context, hc *http.Client, url string, body []byte, headers map[string]string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := hc.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("the peer answers %s", resp.Status)
	}
	return nil
}

// Bare sends no version through the same function.
func Bare(ctx context.Context, c *clientv3.Client, hc *http.Client, url string) error {
	_, m, err := session(ctx, c, "/httpmatch/bare")
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return replace(ctx, hc, url, []byte("x"), map[string]string{"Accept": "text/plain"}) // want "missingidempotency"
}

// Deaf takes a 412 for success.
func Deaf(ctx context.Context, c *clientv3.Client, hc *http.Client, url string) error {
	_, m, err := session(ctx, c, "/httpmatch/deaf")
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	body, tag, err := read(ctx, hc, url)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader(append(body, 'x')))
	if err != nil {
		return err
	}
	req.Header.Set("If-Match", tag)
	resp, err := hc.Do(req) // want "rejectionignored"
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// Mistaken looks at the status, and only asks for what the peer has broken.
func Mistaken(ctx context.Context, c *clientv3.Client, hc *http.Client, url string) error {
	_, m, err := session(ctx, c, "/httpmatch/mistaken")
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, tag, err := read(ctx, hc, url)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("If-Match", tag)
	resp, err := hc.Do(req) // want "rejectionignored"
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 500 {
		return fmt.Errorf("the peer answers %s", resp.Status)
	}
	return nil
}

// Fence wants an order, which a version has not.
func Fence(ctx context.Context, c *clientv3.Client, hc *http.Client, url string) error {
	_, m, err := session(ctx, c, "/httpmatch/fence")
	if err != nil {
		return err
	}
	//fencelint:lock correctness contract=fence
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, tag, err := read(ctx, hc, url)
	if err != nil {
		return err
	}
	return replace(ctx, hc, url, []byte("x"), map[string]string{"If-Match": tag}) // want "casnotfence"
}

// Any demands that something is there.
func Any(ctx context.Context, c *clientv3.Client, hc *http.Client, url string) error {
	_, m, err := session(ctx, c, "/httpmatch/any")
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return replace(ctx, hc, url, []byte("x"), map[string]string{"If-Match": "*"}) // want "missingidempotency"
}

// Once makes a thing that must not be there.
func Once(ctx context.Context, c *clientv3.Client, hc *http.Client, url string) error {
	_, m, err := session(ctx, c, "/httpmatch/once")
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader([]byte("first")))
	if err != nil {
		return err
	}
	req.Header.Set("If-None-Match", "*")
	resp, err := hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Since compares the time of the last change, in seconds.
func Since(ctx context.Context, c *clientv3.Client, hc *http.Client, url, read string) error {
	_, m, err := session(ctx, c, "/httpmatch/since")
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return replace(ctx, hc, url, []byte("x"), map[string]string{"Content-Type": "text/plain", "if-unmodified-since": read}) // want "unprovedwrite"
}

// Document is what a store of documents keeps.
type Document struct {
	ID    string `json:"id"`
	Tag   string `json:"_etag"`
	State string `json:"state"`
}

// Options say how a document is written.
type Options struct{ NoTag bool }

// Store is a client for documents.
type Store struct {
	HC   *http.Client
	Base string
}

func (s *Store) do(ctx context.Context, method, path string, want int, in any, headers http.Header) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, s.Base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for k, v := range headers {
		req.Header[textproto.CanonicalMIMEHeaderKey(k)] = v
	}
	req.Header.Set("X-Version", "3")
	resp, err := s.HC.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != want {
		return fmt.Errorf("%s: status %d", path, resp.StatusCode)
	}
	return nil
}

func (s *Store) setOptions(o *Options, doc *Document, headers http.Header) error {
	if o != nil && o.NoTag {
		return nil
	}
	if doc.Tag == "" {
		return errors.New("a document that was not read")
	}
	headers.Set("If-Match", doc.Tag)
	return nil
}

// Replace writes a document, if it is the one that was read.
func (s *Store) Replace(ctx context.Context, doc *Document, o *Options) error {
	headers := http.Header{}
	if err := s.setOptions(o, doc, headers); err != nil {
		return err
	}
	return s.do(ctx, http.MethodPut, "/docs/"+doc.ID, http.StatusOK, doc, headers)
}

// Finish replaces the document that was read.
func Finish(ctx context.Context, c *clientv3.Client, s *Store, doc *Document) error {
	_, m, err := session(ctx, c, "/httpmatch/finish")
	if err != nil {
		return err
	}
	//fencelint:lock correctness contract=cas
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	doc.State = "done"
	return s.Replace(ctx, doc, nil)
}
