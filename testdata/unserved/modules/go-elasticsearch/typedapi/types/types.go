// Package types has the values of requests.
package types

// Script runs at the server.
type Script struct{ Source *string }
