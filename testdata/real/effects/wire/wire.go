// Package wire sends requests for others.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
)

// Client sends orders to one place.
type Client struct {
	HTTP *http.Client
	Base string
}

// New makes a request with a body.
func New(ctx context.Context, method, url string, body []byte) (*http.Request, error) {
	return http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
}

// Keyed makes a request that carries a key.
func Keyed(ctx context.Context, url, key string, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Idempotency-Key", key)
	return req, nil
}

// SetKey adds the key to a request.
func SetKey(req *http.Request, key string) { req.Header.Set("Idempotency-Key", key) }

// Call sends v, with a key unless that is empty.
func (c *Client) Call(ctx context.Context, method, path, key string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Send sends what it is given with the headers that it is given.
func (c *Client) Send(ctx context.Context, headers map[string]string, body []byte) error {
	req, err := New(ctx, http.MethodPost, c.Base, body)
	if err != nil {
		return err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
