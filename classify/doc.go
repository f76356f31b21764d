// Package classify reads what people have said about the locks of a package:
// the //fencelint: directives in its comments.
//
// What enters is the syntax of one package ([Read]). What leaves is a [Set]: the
// class of a lock by place (statement, declaration, function, package clause),
// the roles that declarations have, the decisions that hold findings back, and
// one [Problem] for each directive that is faulty. The package must not know
// types, models, or what a lock is: it answers for positions and names, and the
// caller decides which of them matter.
//
// # Form
//
// A directive is a comment line of the form
//
//	//fencelint:verb word key=value key="two words" // remark
//
// as [ast.ParseDirective] finds it. A value is a word or a Go string; a blank
// and two slashes end the arguments. The table of verbs, their words, keys and
// places is in grammar.go.
//
// # Place
//
// A directive belongs to the code on the first line below it, or, if code
// stands before it on its own line, to what begins (else ends) on that line.
// Other comments and other directives may stand between. Lines are those of the
// file as it is on disk: //line moves nothing, CRLF changes nothing. Everything
// above a package clause belongs to that clause.
//
// # Faults
//
// One faulty directive is one problem, whatever is wrong with it. What can
// still be read counts: a class beside an unknown key, an accept without a
// reason. Arguments that are wrong are dropped.
package classify
