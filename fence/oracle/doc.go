// Package oracle holds the tests that ask real databases whether package
// fence is right: random guards and upserts on PostgreSQL, MariaDB and SQLite,
// races of two sessions, and planted faults that the comparison must notice.
//
// It is a module of its own so that drivers stay out of fencelint's. Servers
// are started on the loopback interface in temporary directories; a test
// whose server is not installed is skipped and says so.
package oracle
