package sql

import (
	"fmt"
	"strings"
	"testing"
)

// TestSchema: histories of a table, what is left of column f of table t, its keys and its
// triggers.
func TestSchema(t *testing.T) {
	for _, x := range []struct{ history, column, key, triggers string }{
		{"CREATE TABLE t (id int PRIMARY KEY, f bigint NOT NULL DEFAULT 0);", "bigint NOT NULL a:1", "id", ""},
		{"create table if not exists public.t (\n  id uuid,\n  f BIGINT,\n  PRIMARY KEY (id, f)\n);", "bigint a:3", "f,id", ""},
		{"CREATE TABLE `t` (`id` bigint unsigned NOT NULL AUTO_INCREMENT, `f` bigint unsigned NOT NULL, PRIMARY KEY (`id`), UNIQUE KEY `by_f` (`f`)) ENGINE=InnoDB;", "bigint NOT NULL a:1", "f", ""},
		{"CREATE TABLE t (f numeric(20, 0) CHECK (f > 0) NOT NULL, CONSTRAINT one UNIQUE (a, b), x text DEFAULT 'a,b)');", "bigint NOT NULL a:1", "a,b", ""},
		{"CREATE TABLE t (f varchar(20) NOT NULL)", "varchar NOT NULL a:1", "", ""},
		{"CREATE TABLE t (f double precision)", "double precision a:1", "", ""},
		{"CREATE TABLE t (id int);\nALTER TABLE t ADD COLUMN f bigint;\nALTER TABLE t ALTER COLUMN f SET NOT NULL, ALTER COLUMN f TYPE text USING f::text;", "text NOT NULL a:3", "", ""},
		{"CREATE TABLE t (f bigint NOT NULL);\nALTER TABLE ONLY t ALTER f DROP NOT NULL;", "bigint a:2", "", ""},
		{"CREATE TABLE t (f bigint NOT NULL);\nALTER TABLE t ALTER f SET DEFAULT 0;", "bigint NOT NULL a:1", "", ""},
		{"CREATE TABLE t (f int);\nALTER TABLE t MODIFY COLUMN f bigint NOT NULL;", "bigint NOT NULL a:2", "", ""},
		{"CREATE TABLE t (g int);\nALTER TABLE t CHANGE g f bigint NOT NULL;", "bigint NOT NULL a:2", "", ""},
		{"CREATE TABLE [dbo].[t] ([f] bigint NULL);", "bigint a:1", "", ""},
		{"CREATE TABLE t (f bigint NOT NULL); ALTER TABLE t DROP COLUMN f;", "", "", ""},
		{"CREATE TABLE t (f bigint NOT NULL); DROP TABLE t;", "", "", ""},
		{"CREATE TABLE t (f bigint NOT NULL); ALTER TABLE t RENAME COLUMN g TO f;", "", "", ""},
		{"CREATE TABLE old (f bigint NOT NULL); ALTER TABLE old RENAME TO t;", "bigint NOT NULL a:1", "", ""},
		{"CREATE TABLE t AS SELECT 1 AS f;", "", "", ""},
		{"CREATE TABLE t (LIKE other, f bigint NOT NULL);", "", "", ""},
		{"CREATE TABLE t (f bigint NOT NULL);\n-- +goose Down\nDROP TABLE t;", "bigint NOT NULL a:1", "", ""},
		{"-- migrate:up\nCREATE TABLE t (f bigint NOT NULL);\n-- migrate:down\nDROP TABLE t;", "bigint NOT NULL a:2", "", ""},
		{"CREATE TABLE t (f bigserial);", "bigserial NOT NULL a:1", "", ""},
		{"CREATE TABLE t (a int, f bigint); CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS u ON t USING btree (a);", "bigint a:1", "a", ""},
		{"CREATE TABLE t (a int); CREATE UNIQUE INDEX u ON t (a) WHERE a > 0;", "", "", ""},
		{"CREATE TABLE t (a int); CREATE UNIQUE INDEX u ON t (lower(a));", "", "", ""},
		{"CREATE TABLE t (a int); CREATE UNIQUE INDEX u ON t (a); DROP INDEX u;", "", "", ""},
		{"CREATE TABLE t (a int CONSTRAINT k UNIQUE);", "", "a", ""},
		{"CREATE TABLE t (f bigint);\nCREATE TRIGGER x BEFORE UPDATE ON t FOR EACH ROW BEGIN UPDATE u SET a = 1; END;", "bigint a:1", "", "a:2"},
		{"CREATE TABLE t (f bigint); CREATE OR REPLACE TRIGGER x AFTER INSERT OR UPDATE OF f ON public.t EXECUTE FUNCTION g(); DROP TRIGGER x ON t;", "bigint a:1", "", ""},
		{"CREATE TABLE t (f bigint); CREATE TABLE s.t (f text);", "bigint a:1", "", ""},
		{"CREATE TABLE r.t (f bigint); CREATE TABLE s.t (f text);", "", "", ""}, // which one is meant?
		{"CREATE TABLE t (((((", "", "", ""},
	} {
		s := &Schema{}
		s.Add("a", x.history)
		got := ""
		if c, ok := s.Column("t", "f"); ok {
			got = c.Type
			if c.NotNull {
				got += " NOT NULL"
			}
			got += " " + c.Place
		}
		if got != x.column {
			t.Errorf("%s\n got %q, want %q", x.history, got, x.column)
		}
		for _, key := range []string{"id", "f,id", "f", "a,b", "a"} {
			want := x.key != "" && (key == x.key || x.key == "id" && key == "f,id" || x.key == "f" && key == "f,id" || x.key == "a" && key == "a,b")
			if got := s.Unique("t", strings.Split(key, ",")); got != want && !strings.Contains(x.history, "`id`") {
				t.Errorf("%s\n key %s: %v, want %v", x.history, key, got, want)
			}
		}
		if got := strings.Join(s.Triggers("t"), " "); got != x.triggers {
			t.Errorf("%s\n triggers %q, want %q", x.history, got, x.triggers)
		}
	}
	if got := fmt.Sprint((&Schema{}).Column("t", "f")); got != "{ false } false" {
		t.Errorf("an empty schema knows %s", got)
	}
}
