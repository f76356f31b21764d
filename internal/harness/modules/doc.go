// Package modules tests the modules below the root module, so that `go test ./...` in
// the root stays the one command. It is a package of its own for the sake of go test's
// time limit.
package modules
