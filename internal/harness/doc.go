// Package harness tests fencelint as a whole, by what its users see.
//
// What enters are programs with marks (testdata/real, and a folder of cases where
// there is one) and the tool that `go build ./cmd/fencelint` makes; what leaves are
// red tests. It knows drivers, exit codes and output forms. It must not know how
// the engine comes to its findings; only the tests of facts look at their size.
//
//   - corpus: marks, findings in one form, and their comparison
//   - standalone: the checker of x/tools over go/packages
//   - nogo: a pass filled as rules_go fills it
//   - goplsver: a module that builds the analyzers against the x/tools of gopls
//
// With -short only what needs neither a build nor the module cache is tested.
package harness
