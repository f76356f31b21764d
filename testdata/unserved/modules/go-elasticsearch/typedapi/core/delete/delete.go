// Package delete has one call.
package delete

import (
	"context"
	"net/http"
	"net/url"

	"github.com/elastic/go-elasticsearch/v9/typedapi/types/enums/versiontype"
)

// Delete is the request.
type Delete struct{ values url.Values }

// Response is the answer.
type Response struct{ Result string }

// NewDelete begins a request.
type NewDelete func(index, id string) *Delete

// IfSeqNo sets a parameter.
func (r *Delete) IfSeqNo(v string) *Delete { return r }

// IfPrimaryTerm sets a parameter.
func (r *Delete) IfPrimaryTerm(v string) *Delete { return r }

// Version sets a parameter.
func (r *Delete) Version(v string) *Delete { return r }

// VersionType sets a parameter.
func (r *Delete) VersionType(v versiontype.VersionType) *Delete { return r }

// Perform sends it and gives the bare answer.
func (r *Delete) Perform(ctx context.Context) (*http.Response, error) { return nil, ctx.Err() }

// Do sends it.
func (r *Delete) Do(ctx context.Context) (*Response, error) {
	return &Response{r.values.Get("")}, ctx.Err()
}
