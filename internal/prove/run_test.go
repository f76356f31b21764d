package prove

import (
	"testing"

	"github.com/fencelint/fencelint/model"
)

// A driver that has read the user's file for itself hands the table over; nobody reads the
// file again for each package.
func TestTableIsReadOnce(t *testing.T) {
	table := model.Builtin()
	if got, err := (Options{Models: "gone.yaml", Table: table}).table(); got != table || err != nil {
		t.Errorf("got %p, want %p: %v", got, table, err)
	}
	if _, err := (Options{Models: "gone.yaml"}).table(); err == nil {
		t.Error("a file that is gone is no error")
	}
}
