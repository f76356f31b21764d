package harness

import "testing"

// TestLibraries runs a fixture for each library of locks, made with the library itself.
func TestLibraries(t *testing.T) { marked(t, "libraries") }
