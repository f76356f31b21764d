// Package create has one call.
package create

import (
	"context"
	"net/http"
	"net/url"
)

// Create is the request.
type Create struct{ values url.Values }

// Response is the answer.
type Response struct{ Result string }

// NewCreate begins a request.
type NewCreate func(index, id string) *Create

// Document sets a parameter.
func (r *Create) Document(v any) *Create { return r }

// Perform sends it and gives the bare answer.
func (r *Create) Perform(ctx context.Context) (*http.Response, error) { return nil, ctx.Err() }

// Do sends it.
func (r *Create) Do(ctx context.Context) (*Response, error) {
	return &Response{r.values.Get("")}, ctx.Err()
}
