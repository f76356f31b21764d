// Package azcore has the declarations that fixtures use.
package azcore

// ETag is a version.
type ETag string

// ETagAny is any.
const ETagAny ETag = "*"
