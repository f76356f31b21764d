// Package sql reads SQL statements for fence.Prove.
//
// What enters is statement text, perhaps with holes where the program inserts
// something unknown, and a dialect. What leaves is a [Script]: its statements,
// each with the mutations it performs lowered to the algebra of package fence.
// The package must not know Go, drivers, or which argument is a token.
//
// It is a tolerant reader of the parts of SQL that decide which rows a write
// accepts. It never fails: what it does not understand becomes a Problem with
// its text and offset, and a mutation with a problem proves nothing.
package sql
