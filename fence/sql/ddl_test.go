package sql

import "testing"

// What changes the schema can be done once more where it leaves what is there.
func TestAgain(t *testing.T) {
	for text, want := range map[string]bool{
		"CREATE TABLE IF NOT EXISTS stats (id int)":                true,
		"CREATE TABLE stats (id int)":                              false,
		"REFRESH MATERIALIZED VIEW CONCURRENTLY stats":             true,
		"DROP TABLE IF EXISTS stats":                               false,
		"ALTER TABLE IF EXISTS stats ADD COLUMN n int":             false,
		"CREATE MATERIALIZED VIEW IF NOT EXISTS stats AS SELECT 1": true,
	} {
		s := Parse(text, nil, Postgres)
		if len(s.Statements) != 1 || len(s.Statements[0].Mutations) != 1 || s.Statements[0].Mutations[0].Resource != "stats" {
			t.Errorf("%s: %+v", text, s.Statements)
			continue
		}
		if got := s.Statements[0].Mutations[0].Again; got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
