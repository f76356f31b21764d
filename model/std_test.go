package model_test

import (
	"go/importer"
	"go/types"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/verify"
	"github.com/fencelint/fencelint/model"
)

// Rows about the standard library resolve against the standard library.
func TestStandardLibraryRows(t *testing.T) {
	imp := importer.Default()
	compared := 0
	for _, l := range model.Builtin().Libraries() {
		faults, rows := verify.Library(l, func(path string) (*types.Package, error) {
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
				return nil, nil
			}
			return imp.Import(path)
		})
		for _, f := range faults {
			t.Error(f)
		}
		compared += rows
	}
	if compared < 30 {
		t.Errorf("only %d rows compared", compared)
	}
	t.Logf("%d rows", compared)
}
