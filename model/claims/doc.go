// Package claims asks real servers whether what the models say of locks is so: what counts
// as acquired, which numbers are ordered, what a guard by the owner refuses, what ends a
// session. A proof by fencelint rests on these sentences, and a finding does as well. Each
// test names the row that makes the claim, and fails where the row says something else.
//
// It is a module of its own for the weight of its servers. It knows the models, and nothing
// of the analysis.
package claims
