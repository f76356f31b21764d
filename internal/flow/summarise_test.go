package flow

import (
	"strings"
	"testing"
)

// A function with more calls of unknown targets than a summary has room for keeps its
// writes, and says that something is left out.
func TestLimitKeepsWrites(t *testing.T) {
	a := analyseStd(t, `package p

import (
	"context"
	"database/sql"
)

type accessor interface { Next() accessor }
func many(ctx context.Context, db *sql.DB, a accessor) error {
`+strings.Repeat("\ta.Next()\n", 2*maxEvents)+`
	_, err := db.ExecContext(ctx, "DELETE FROM depot")
	return err
}`)
	writes, lost := 0, 0
	for _, e := range summaryOf(t, a, "many").Events {
		switch {
		case e.Kind == Write && e.Key == "":
			lost++
		case e.Kind == Write:
			writes++
		}
	}
	if writes != 1 || lost != 1 {
		t.Errorf("%d writes and %d marks of what is left out", writes, lost)
	}
}
