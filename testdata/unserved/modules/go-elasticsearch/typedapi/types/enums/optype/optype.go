// Package optype says what a request does.
package optype

// OpType is a word for it.
type OpType struct{ Name string }

// Create makes a document that is not there.
var Create = OpType{"create"}
