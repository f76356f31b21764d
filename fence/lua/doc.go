// Package lua reads scripts that a Redis server runs as one step, for fence.Prove.
//
// What enters is the text of a script. What leaves is a [Script]: the write that
// it makes, lowered to the algebra of package fence, and how it answers when it
// writes nothing. Keys and arguments keep their names: "KEYS[1]", "ARGV[2]". The
// package must not know Go, clients, or which argument is a token.
//
// The script is run on paths: each way from its beginning to its end, with the
// conditions of its branches. What has been written when a path ends is guarded by
// the conditions before the first write, since a script that stops half way keeps
// what it has done. Comparisons follow the types of Lua: two texts compare byte by
// byte, a number and a text cannot be ordered. What is not understood becomes a
// Problem, and a script with a problem proves nothing.
package lua
