// Package model knows what libraries do with locks and with writes.
//
// The knowledge is data: YAML files, one a library or family, embedded from
// data/, in the format that users write for their own libraries too. What enters
// is an object of the type checker or its canonical key; what leaves is what the
// table says of it: which locks a call opens, acquires, extends or gives back
// ([Lock]), and which effect leaves the process through it ([Sink]). The package
// must not know how code is loaded or followed, what a directive says, or what
// makes a guard a proof.
//
// Nothing is parsed before it is asked for. A generated index tells which import
// path is described in which file, so a program that imports no modelled library
// pays for a binary search. After a change to data/ run go generate.
//
// # The format
//
//	fencelint: 1                      # version of the format
//	import: [sql]                     # files whose profiles are used
//	libraries:
//	  - lib: house                    # name; entries are called house.Mutex.Lock
//	    store: redis                  # what is behind it, for readers
//	    paths: [example.com/lock]     # import paths of the same API, the current one first
//	    modules: [example.com/lock]   # modules that need not be looked into
//	    durability: async-replica     # of the tokens
//	    carriers: {DB: pool, Tx: tx}  # what values of these types carry
//	    receivers: {base: [Client]}   # further receivers under which methods of base are known
//	    older: {Doer: doer}           # Doer declared the methods of doer in earlier releases
//	    neutral: [Mutex.Name]         # calls without effect; "*": all that no row mentions
//	    locks: [ ... ]                # one line an entry
//	    sinks: [ ... ]                # one line a row
//	profiles: {name: { ... }}         # how a receiver says no
//
// In import paths "*" stands for a part of one element, a final "..." for any
// rest; in names of types and functions "*" stands for any part.
//
// A lock entry has a role ([Role]), one match and what holds for it. The match
// is one of call, field, funcfield, implements, const, type (each Type.Name or
// Name, or a list of them), sql (a regular expression on statements), rediscmd,
// lua, chain, opts (a call whose arguments decide). A method is named by the
// type that declares it, without pointer: that is how the type checker knows it.
//
//	{call: Mutex.Lock, role: acquire, mode: try, handle: recv, key: "arg[1]",
//	 ok: "ret[0]==true && ret[1]==nil", lost: "chan_close:ret[0]",
//	 token: {class: epoch, at: recv.Epoch()}, traps: [err_only_success]}
//
// Paths begin at recv, arg[i] (the first parameter after the receiver is 0;
// arg[i..], arg[*], arg[last]), ret[i], elem[i] (received from the channel
// ret[i]), value (the matched field), callback.arg[i], session (what session
// names), opt:Name (a functional option), read:Type.Method.ret[i] (result of
// another call), word[i] (of a command), scan[i] (column of the first row),
// sqlarg[i], script; or say whose the lock is: key (equal keys, one lock), conn,
// tx, row. They go on with .Field, .Method(), .Method()[i], [*] and .(pkg.Type).
// X<-New.arg[0] is the value that New got as its argument 0 when it made X.
//
// Conditions (ok) are comparisons with nil, true, false, numbers or quoted text,
// or "ret[0] closed", joined with && and ||. Loss signals (lost) are chan_close,
// chan_value, ctx_done, callback, poll, err, advisory with a path, or extend,
// refused, exit, none; alternatives are joined with |. What cannot be said in
// these words goes into note, or into notes for a single field.
//
// A row about effects (sinks) has call, kind ([Kinds]) and boundary: store,
// cache, queue, external, local, read, carrier, unknown, or two joined with |.
// Kinds are also how the engine knows the life of a transaction: begin, commit,
// rollback, conn, prepare, stmt and close say with gives and gives_a what they
// make; rows_affected, scan, rows_next, rows_err, says_no and status are where a refusal is
// read; op, compare and term are values that a conditional transaction is made of.
//
// Unknown keys and words, repeated ids, paths that do not parse are errors with
// file, line and column, and with the word that was probably meant.
package model
