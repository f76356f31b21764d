// Package answer looks at the responses of Elasticsearch.
package answer

import (
	"fmt"

	"github.com/elastic/go-elasticsearch/v8/esapi"
)

// Told makes an error of a response that says no.
func Told(res *esapi.Response, err error) error {
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.IsError() {
		return fmt.Errorf("elasticsearch: %s", res.Status())
	}
	return nil
}

// Dropped looks at the error alone.
func Dropped(res *esapi.Response, err error) error {
	if err != nil {
		return err
	}
	return res.Body.Close()
}
