// Package elasticsearch has the declarations that fixtures use: to compile the whole of
// the typed client would cost more than it tells.
package elasticsearch

import "github.com/elastic/go-elasticsearch/v9/typedapi"

// TypedClient has a field for each call.
type TypedClient struct{ *typedapi.API }
