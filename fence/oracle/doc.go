// Package oracle holds the tests that ask others whether packages fence and fence/sql are
// right. Real databases, PostgreSQL, MariaDB and SQLite, run random guards and upserts,
// and races of two sessions; Redis runs random scripts; the grammars of PostgreSQL and TiDB read the same
// statements; and planted faults show that the comparison notices them.
//
// It is a module of its own so that drivers and parsers stay out of fencelint's. Servers
// are started on the loopback interface in temporary directories; a test whose server is
// not installed is skipped and says so. PostgreSQL's grammar is compiled to WebAssembly,
// which needs no C compiler.
package oracle
