// Package lockclass reports distributed locks that nobody has classified.
package lockclass

import (
	"honnef.co/go/tools/analysis/lint"

	"github.com/fencelint/fencelint/internal/rule"
)

// Analyzer reports the rule lockclass.
var Analyzer = rule.New(Doc)

// Doc is the documentation of the rule.
var Doc = &rule.Doc{
	Name: "lockclass",
	RawDocumentation: lint.RawDocumentation{
		Title:    "distributed lock without a class, or with two",
		Severity: lint.SeverityWarning,
		Since:    "0.1.0",
		Text: `
A lock, lease or leadership across processes serves one of two ends. Either it saves work: if two
holders run at once, something is done twice, and that is all. Or it protects the truth: if two
holders run at once, data is wrong. The code looks the same in both cases, so a person has to say
which it is, once, beside the lock:

    //fencelint:lock efficiency
    //fencelint:lock correctness

The rule stands at every acquisition without a class. The class may be written at the call, at the
variable or field of the lock, at its type, at the enclosing function, or at the package clause; the
nearest one counts. For a wrapper of your own it is enough at the wrapper's declaration. Of a lock that
is called through an interface the class may also stand at the interface or at its method; if there
is none, the rule stands where the wrapper becomes the interface.

The rule also stands at a second class for one lock: two acquisitions of the same lock object, or of
the same constant key, of which one says efficiency and the other correctness.

There is one finding for each lock, and nothing else is said about it until it has a class. Releases,
renewals and questions such as IsLeader need no class. Locks in tests need none.`,
		Before: `
m := concurrency.NewMutex(session, "/locks/settle")
if err := m.Lock(ctx); err != nil { // lockclass
	return err
}`,
		After: `
m := concurrency.NewMutex(session, "/locks/settle")
//fencelint:lock correctness
if err := m.Lock(ctx); err != nil {
	return err
}`,
	},
	Breaks: `
A  acquires the lock, starts the work
A  is paused (garbage collector, swap, network) for longer than the lease
B  acquires the lock, does the work
A  wakes up and goes on: harmless for a cache, wrong for an account; the code does not say which`,
	Accept: `Write the class; there is no need for \'accept\'. If you are not sure, say correctness: it
asks for proofs, and what it finds tells you what is at stake. Of a lock that is only there to save
work, a word of reason helps the next reader:

    //fencelint:lock efficiency reason="two runs rebuild the same cache entry"`,
	Blind: []string{
		`A lock of a library without a model is not seen. Declare your own with \'//fencelint:acquires\', or describe the library in \'fencelint.yaml\'.`,
		`\'SET key value NX\' may be a lock or a mark against duplicates. Without a second sign of a lock (an expiry and a release, a telling name) it is not reported.`,
		`Row locks and claims in a database (\'FOR UPDATE\', a conditional put) are acquisitions only where a directive says so.`,
		`In two programs that share no package, two classes for one lock are not compared.`,
	},
}
