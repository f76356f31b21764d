// Package versiontype says how versions are compared.
package versiontype

// VersionType is a word for it.
type VersionType struct{ Name string }

// The ways.
var (
	Internal    = VersionType{"internal"}
	External    = VersionType{"external"}
	Externalgte = VersionType{"external_gte"}
)
