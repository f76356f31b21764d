// Package index has one call.
package index

import (
	"context"
	"net/http"
	"net/url"

	"github.com/elastic/go-elasticsearch/v9/typedapi/types/enums/optype"
	"github.com/elastic/go-elasticsearch/v9/typedapi/types/enums/versiontype"
)

// Index is the request.
type Index struct{ values url.Values }

// Response is the answer.
type Response struct{ Result string }

// NewIndex begins a request.
type NewIndex func(index string) *Index

// Id sets a parameter.
func (r *Index) Id(v string) *Index { return r }

// Document sets a parameter.
func (r *Index) Document(v any) *Index { return r }

// IfSeqNo sets a parameter.
func (r *Index) IfSeqNo(v string) *Index { return r }

// IfPrimaryTerm sets a parameter.
func (r *Index) IfPrimaryTerm(v string) *Index { return r }

// Version sets a parameter.
func (r *Index) Version(v string) *Index { return r }

// VersionType sets a parameter.
func (r *Index) VersionType(v versiontype.VersionType) *Index { return r }

// OpType sets a parameter.
func (r *Index) OpType(v optype.OpType) *Index { return r }

// Perform sends it and gives the bare answer.
func (r *Index) Perform(ctx context.Context) (*http.Response, error) { return nil, ctx.Err() }

// Do sends it.
func (r *Index) Do(ctx context.Context) (*Response, error) {
	return &Response{r.values.Get("")}, ctx.Err()
}
