// Package typedapi gathers the calls.
package typedapi

import (
	"github.com/elastic/go-elasticsearch/v9/typedapi/core/create"
	"github.com/elastic/go-elasticsearch/v9/typedapi/core/delete"
	"github.com/elastic/go-elasticsearch/v9/typedapi/core/index"
	"github.com/elastic/go-elasticsearch/v9/typedapi/core/update"
)

// API has a field for each call.
type API struct {
	Index  index.NewIndex
	Create create.NewCreate
	Update update.NewUpdate
	Delete delete.NewDelete
}
