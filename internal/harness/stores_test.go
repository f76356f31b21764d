package harness

import "testing"

// TestStores runs the programs about receivers, each with right use and with misuse of
// one library, through go vet and through the command.
func TestStores(t *testing.T) { marked(t, "stores") }
