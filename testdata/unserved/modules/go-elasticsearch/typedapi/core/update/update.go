// Package update has one call.
package update

import (
	"context"
	"net/http"
	"net/url"

	"github.com/elastic/go-elasticsearch/v9/typedapi/types"
)

// Update is the request.
type Update struct{ values url.Values }

// Response is the answer.
type Response struct{ Result string }

// NewUpdate begins a request.
type NewUpdate func(index, id string) *Update

// IfSeqNo sets a parameter.
func (r *Update) IfSeqNo(v string) *Update { return r }

// IfPrimaryTerm sets a parameter.
func (r *Update) IfPrimaryTerm(v string) *Update { return r }

// Doc sets a parameter.
func (r *Update) Doc(v any) *Update { return r }

// Script sets a parameter.
func (r *Update) Script(v *types.Script) *Update { return r }

// Perform sends it and gives the bare answer.
func (r *Update) Perform(ctx context.Context) (*http.Response, error) { return nil, ctx.Err() }

// Do sends it.
func (r *Update) Do(ctx context.Context) (*Response, error) {
	return &Response{r.values.Get("")}, ctx.Err()
}
