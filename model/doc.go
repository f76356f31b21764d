// Package model knows what libraries do with locks and with writes.
//
// The knowledge is data: one YAML file a library or family under data/, embedded
// in the package, in the format that docs/models describes and that users write
// for their own libraries too. What enters is an object of the type checker, or
// its canonical key; what leaves is what the table says of it: which locks a
// call opens, acquires, extends or gives back ([Lock]), and which effect leaves
// the process through it ([Sink]).
//
// The package must not know how code is loaded or followed, what a directive
// says, or what makes a guard a proof.
//
// Nothing is parsed before it is asked for. A generated index tells which import
// path is described in which file, so a program that imports no modelled
// library pays a binary search, no more.
package model
