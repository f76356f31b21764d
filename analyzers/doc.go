// Package analyzers lists the rules of fencelint. Each rule is a package of its
// own below this one, with a variable Analyzer, so that any driver of go/analysis
// can take them one by one or all together.
//
// all.go and the pages in docs/rules are generated from the folders.
package analyzers

//go:generate go run ../internal/rule/genall
//go:generate go run ../internal/rule/gendocs ../docs/rules
