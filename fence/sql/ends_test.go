package sql_test

import (
	"testing"

	"github.com/fencelint/fencelint/fence/sql"
)

// TestEnds: which statements end the transaction that they are sent in.
func TestEnds(t *testing.T) {
	all := []sql.Dialect{sql.Postgres, sql.MySQL, sql.SQLite, sql.SQLServer, sql.Oracle}
	for _, c := range []struct {
		text string
		in   []sql.Dialect
	}{
		{"COMMIT", all}, {"commit work", all}, {"END", all}, {"ROLLBACK", all}, {"ROLLBACK TO SAVEPOINT a", all}, {"rollback to a", all}, {"ABORT", all},
		{"COMMIT AND CHAIN", all},
		{"BEGIN", []sql.Dialect{sql.MySQL}}, {"START TRANSACTION", []sql.Dialect{sql.MySQL}},
		{"SAVEPOINT a", nil}, {"RELEASE SAVEPOINT a", nil}, {"SELECT 1", nil}, {"UPDATE t SET a = 1", nil}, {"SET LOCAL lock_timeout = 5", nil},
		{"CREATE TABLE t (a int)", []sql.Dialect{sql.MySQL, sql.Oracle}}, {"TRUNCATE TABLE t", []sql.Dialect{sql.MySQL, sql.Oracle}},
		{"LOCK TABLES t WRITE", []sql.Dialect{sql.MySQL}}, {"SET autocommit = 1", []sql.Dialect{sql.MySQL}}, {"GRANT ALL ON t TO u", []sql.Dialect{sql.MySQL, sql.Oracle}},
		{"PREPARE TRANSACTION 'x'", all},
	} {
		for _, d := range all {
			want := false
			for _, in := range c.in {
				want = want || in == d
			}
			if got := sql.Parse(c.text, nil, d).Statements[0].Ends; got != want {
				t.Errorf("%s %q: %v, want %v", d, c.text, got, want)
			}
		}
	}
}
