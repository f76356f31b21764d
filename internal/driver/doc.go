// Package driver runs the engine over packages, as a tool of the go command or
// on its own.
//
// What enters is a command line; what leaves is a report and an exit code. A
// driver knows how packages are found, ordered, parsed and type-checked, and
// which of them can matter at all. It must not know what any rule means.
//
// # Personalities
//
// With -V=full, -flags or a file that ends in .cfg the program is a vet tool:
// `go vet -vettool=fencelint ./...` calls it once for every package of the
// closure (vet.go). Otherwise it is a command of its own (command.go), which
// analyses all packages in one process.
//
// # What can matter
//
// Most packages of a closure have nothing to do with locks. Both personalities
// ask the same question before they read a package (package unit); as a vet tool the
// program asks it before it is initialised (cmd/fencelint/skip). The standard library
// never counts, nor does another's module that a model covers; of other modules only
// packages count that import a modelled lock or store or carry a directive. A package
// of the main module can always be of use to one with a lock. The command sees the
// whole program, and so leaves out those that no package with a lock can reach; a vet
// tool sees one package at a time and cannot know.
//
// # The command's two phases
//
// Phase one lists the packages, without compiling anything (load.go). From the imports
// follows the cone: what can matter. Phase two asks the go command for export data of
// what the cone imports (compile.go), reads it once, and checks each package of the
// cone alone from source, in the order of imports, on all processors (schedule.go).
// What a package leaves behind are findings, rows and one fact; syntax, types and the
// engine's structures go as soon as it is done. A package with tests is reported in the
// form that is compiled with them, as go vet does; if others import it, its plain form
// is analysed too, for its fact, since what they see are not the tests.
//
// # Exit codes
//
// 0 clean, 1 findings, 2 usage (also: a pattern that matches no package),
// 3 load failure or internal error. With 3, all packages that could be analysed
// have been, and their findings are in the report.
package driver
