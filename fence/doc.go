// Package fence proves what the condition of a write lets through.
//
// What enters is a [Mutation]: the guard of one write, the values it stores,
// and how its store compares absent values; and a predicate that says which
// arguments carry the fencing token. What leaves is a [Verdict]: for each
// order of the token t and the stored fence f (t<f, t=f, t>f, f absent)
// whether the write can be accepted, with a witness, and whether it stores t
// as the new fence.
//
// The package must not know any statement language, any Go syntax, nor where
// a token came from. Front ends such as fence/sql lower text to a Mutation.
//
// A proof is exhaustive, not a pattern match: every comparison with the fence
// or the token is a difference constraint (f < t + k), so a finite set of
// sample points meets every region of the plane, and the guard is evaluated
// in the store's own logic at each of them with all other conditions left
// open. What is no difference constraint is dark: it never proves anything.
package fence
