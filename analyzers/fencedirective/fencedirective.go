// Package fencedirective reports directives of fencelint that do not say what
// their writer thinks they say.
package fencedirective

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule fencedirective.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "fencedirective",
	RawDocumentation: lint.RawDocumentation{
		Title:    "faulty, misplaced or useless fencelint directive",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
A directive is a decision in writing. One that is misspelt, stands in the wrong place or no longer
matches anything would be passed over in silence, and the decision with it. So each of these is a
finding, at the directive:

- an unknown verb, key or value, with the nearest known word if there is one;
- a comment that holds \'fencelint:\' and is no directive: a space after the slashes, a block comment;
- a directive on something that it cannot speak about, such as \'staletest\' on a function that is no test;
- two classes at one place;
- \'accept\' without a reason, of an unknown rule, or with a date that is in no calendar;
- \'accept\' that holds back no finding;
- \'accept\' whose date is past (on the command line and in the register only, since the results that
  editors and \'go vet\' keep have no clock).

One faulty directive is one finding, whatever is wrong with it. A class that can still be read counts
although something else in its directive is wrong, and a faulty \'accept\' still holds back the finding
that it stands on: you get one message, not two.`,
		Before: `
// fencelint:lock efficiency
lock, err := client.Obtain(ctx, "report", time.Minute, nil)

//fencelint:accept unfencedwrite
_, err = db.ExecContext(ctx, update, id)`,
		After: `
//fencelint:lock efficiency
lock, err := client.Obtain(ctx, "report", time.Minute, nil)

//fencelint:accept unfencedwrite reason="the row is rebuilt from the ledger every night"
_, err = db.ExecContext(ctx, update, id)`,
	},
	Breaks: `
you       write an exception until the end of March and give it a reason
later     the write moves to another function; the directive stays behind and matches nothing
reviewer  reads the directive and believes that the open write is known and decided
A, B      a paused owner comes back and writes; nobody had decided that this may happen`,
	Accept: `This rule cannot be accepted: mend the directive or delete it.`,
	Blind: []string{
		`A directive in a file that the build configuration leaves out is not read.`,
		`Whether a reason is a good one is for people to judge.`,
	},
}
