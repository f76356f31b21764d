// Package unsaferelease reports releases that can free the lock of somebody else,
// or none.
package unsaferelease

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule unsaferelease.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "unsaferelease",
	RawDocumentation: lint.RawDocumentation{
		Title:    "release that may free another owner's lock, or not free its own",
		Severity: lint.SeverityError,
		Since:    "0.1.0",
		Text: `
When a lease has expired, the key of the lock is the next owner's. A release must therefore free what is
still its own, and nothing else. There are four ways to get that wrong:

- the key is deleted without a look at its value, or with a look in a step of its own (\'GET\', then \'DEL\');
- the row of a lease is emptied or deleted by its name alone, whoever has it (\'… SET leased_by = NULL WHERE name = $1\');
- the value is compared in one step with the deletion, but it is not the value of this acquisition alone:
  a host name, a constant, the id of the worker. The next acquisition of the same worker matches too;
- the lock is one of a database session, and the connection goes back to the pool without an unlock on it.
  \'Close\' of a \'*sql.Conn\' does not end the session: the lock stays, on a connection that others will use.

An error of a comparing release may be dropped: a lease that cannot be freed expires. A lock that has an
expiry need not be released at all.`,
		Before: `
defer func() {
	if v, err := rdb.Get(ctx, key).Result(); err == nil && v == me {
		rdb.Del(ctx, key)
	}
}()`,
		After: `
const compareAndDelete = "if redis.call('GET', KEYS[1]) == ARGV[1] then" +
	" return redis.call('DEL', KEYS[1]) end return 0"
release := redis.NewScript(compareAndDelete)
defer release.Run(context.WithoutCancel(ctx), rdb, []string{key}, me)`,
	},
	Breaks: `
A  is done; reads the key, sees its own value, is paused; the key expires
B  sets the key and starts to work
A  wakes up and deletes the key, which is B's
C  sets the key and starts to work: B and C at once, though neither was ever late`,
	Accept: `If a lock that is freed too early does no harm at this place:

    //fencelint:accept unsaferelease reason="shutdown of the last process; nobody is left to acquire"`,
	Blind: []string{
		`A script or function that is stored on the server is not read.`,
		`Whether a value that the caller hands in is fresh is the caller's matter; without a caller in sight nothing is said about it.`,
	},
}
