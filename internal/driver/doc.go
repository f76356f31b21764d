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
// ask the same question before they read a package (matter.go): of the main
// module, packages count that import a modelled path, carry a directive, or
// import a package with a fact; of other modules only those that import a
// modelled lock or store or carry a directive. The standard library never counts,
// nor does another's module that a model covers.
//
// # The command's two phases
//
// Phase one lists the packages, without compiling anything. From the imports
// follows the cone: what can matter, and what depends on it. Phase two asks the
// go command for export data of the packages that the cone imports, reads it
// once, and checks each package of the cone alone from source, in the order of
// imports, on all processors. What a package leaves behind are findings, rows and
// one fact; syntax, types and the engine's structures go as soon as it is done.
//
// # Exit codes
//
// 0 clean, 1 findings, 2 usage (also: a pattern that matches no package),
// 3 load failure or internal error. With 3, all packages that could be analysed
// have been, and their findings are in the report.
package driver
