package httpmatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// Error is an answer that is no success.
type Error struct {
	Status int
	Text   string
}

func (e *Error) Error() string { return fmt.Sprintf("status %d: %s", e.Status, e.Text) }

func check(resp *http.Response) error {
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return nil
	}
	text, _ := io.ReadAll(resp.Body)
	return &Error{resp.StatusCode, string(text)}
}

func isSuccess(status int) bool { return status/100 == 2 }

func put(ctx context.Context, hc *http.Client, url, tag string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, "PUT", url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if tag != "" {
		req.Header.Set("If-Match", tag)
	}
	return hc.Do(req)
}

// Heard is a set of ways to hear of a refusal.
type Heard struct {
	etcd *clientv3.Client
	hc   *http.Client
}

func (h *Heard) under(ctx context.Context, key string, work func(context.Context) error) error {
	_, m, err := session(ctx, h.etcd, key)
	if err != nil {
		return err
	}
	//fencelint:lock correctness contract=cas
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return work(ctx)
}

// Checked asks a function.
func (h *Heard) Checked(ctx context.Context, url string) error {
	return h.under(ctx, "/heard/checked", func(ctx context.Context) error {
		body, tag, err := read(ctx, h.hc, url)
		if err != nil {
			return err
		}
		resp, err := put(ctx, h.hc, url, tag, body)
		if err != nil {
			return err
		}
		defer func() {
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}()
		return check(resp)
	})
}

// Chosen asks by a switch.
func (h *Heard) Chosen(ctx context.Context, url string) error {
	return h.under(ctx, "/heard/chosen", func(ctx context.Context) error {
		body, tag, err := read(ctx, h.hc, url)
		if err != nil {
			return err
		}
		resp, err := put(ctx, h.hc, url, tag, body)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		switch resp.StatusCode {
		case http.StatusOK, http.StatusNoContent:
			return nil
		case http.StatusPreconditionFailed:
			return ErrChanged
		}
		return &Error{Status: resp.StatusCode}
	})
}

// Again reads and writes again until it is not refused.
func (h *Heard) Again(ctx context.Context, url string) error {
	return h.under(ctx, "/heard/again", func(ctx context.Context) error {
		for {
			body, tag, err := read(ctx, h.hc, url)
			if err != nil {
				return err
			}
			resp, err := put(ctx, h.hc, url, tag, append(body, '.'))
			if err != nil {
				return err
			}
			resp.Body.Close()
			if resp.StatusCode == http.StatusPreconditionFailed {
				continue
			}
			if !isSuccess(resp.StatusCode) {
				return errors.New(resp.Status)
			}
			return nil
		}
	})
}

func (h *Heard) try(ctx context.Context, url string) (bool, error) {
	body, tag, err := read(ctx, h.hc, url)
	if err != nil {
		return false, err
	}
	resp, err := put(ctx, h.hc, url, tag, body)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusPreconditionFailed {
		return false, nil
	}
	return true, check(resp)
}

// Told is told by a bool.
func (h *Heard) Told(ctx context.Context, url string) error {
	return h.under(ctx, "/heard/told", func(ctx context.Context) error {
		ok, err := h.try(ctx, url)
		if err != nil {
			return err
		}
		if !ok {
			return ErrChanged
		}
		return nil
	})
}

// Decoded reads what the peer says.
func (h *Heard) Decoded(ctx context.Context, url string) error {
	return h.under(ctx, "/heard/decoded", func(ctx context.Context) error {
		body, tag, err := read(ctx, h.hc, url)
		if err != nil {
			return err
		}
		resp, err := put(ctx, h.hc, url, tag, body)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		var answer struct {
			Error string `json:"error"`
		}
		if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
			return err
		}
		if answer.Error != "" {
			return errors.New(answer.Error)
		}
		return nil
	})
}

// Dropped does not look at what it is told.
func (h *Heard) Dropped(ctx context.Context, url string) error {
	return h.under(ctx, "/heard/dropped", func(ctx context.Context) error {
		_, err := h.try(ctx, url) // want "rejectionignored"
		return err
	})
}
