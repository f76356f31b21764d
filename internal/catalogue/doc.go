// Package catalogue shows people what the models know: lists and rows in words, the
// page docs/libraries.md, drafts of entries for a package that nobody has modelled,
// and rows of a user's file that match nothing in a program.
//
// What enters is the table of package model, and types of packages where a draft or a
// comparison is asked for; what leaves is text or plain data. The package must not know
// how a command is called or how packages are loaded.
package catalogue
