package prove

import (
	"slices"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

// assumption is what a proof by an epoch relies on, and what happens where it fails.
type assumption struct{ provided, otherwise string }

// assumptions belong to the durabilities of epochs that may fall, the weakest last. A
// majority keeps its numbers, and so does one server with a disk.
var assumptions = []struct {
	durability string
	assumption
}{
	{"unknown", assumption{"the coordinator, as it is deployed, never loses a number", "whether the coordinator may repeat or lower its numbers depends on how it is deployed"}},
	{"async-replica", assumption{"the coordinator never loses a number in a failover", "a failover of the coordinator may repeat or lower its numbers"}},
	{"per-process", assumption{"the coordinator never restarts", "a restart of the coordinator begins its numbers anew"}},
}

// assumedOf is the weakest assumption behind the epochs of a statement, nil if there is none.
func assumedOf(own map[fence.Arg]*bound) *assumption {
	var out *assumption
	for i := range assumptions {
		for _, b := range own {
			if slices.ContainsFunc(b.origins, func(o origin) bool { return o.durability == assumptions[i].durability }) {
				out = &assumptions[i].assumption
			}
		}
	}
	return out
}

// castWords name the types in which an order is lost.
var castWords = map[string]string{"text": "text", "float": "floating point, which has no digits for large numbers", "narrow": "an integer of fewer than 64 bits"}

// fault names the first rule that a compared or stored epoch breaks, "" for none.
func fault(m *fence.Mutation, v *fence.Verdict, own map[fence.Arg]*bound, lock *flow.LockClass) (rule, reason string) {
	for _, f := range faults {
		if r := f.found(m, v, own, lock); r != "" {
			return f.rule, r
		}
	}
	return "", ""
}

// faults are the tests of a fence, in the order in which one is reported.
var faults = []struct {
	rule  string
	found func(*fence.Mutation, *fence.Verdict, map[fence.Arg]*bound, *flow.LockClass) string
}{
	{"crosstablefence", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		for _, o := range v.Others {
			if v.RejectsStale != fence.Yes && !o.Locked {
				return "the epoch is compared in table " + o.Table + ", whose row is not locked"
			}
		}
		return ""
	}},
	{"unprovedwrite", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		cast := len(v.Casts) > 0 && len(v.Problems) == 0 // which says more
		if v.RejectsStale == fence.Unknown && (v.Compared || len(v.Problems) > 0) && !cast {
			return firstOf(v.Problems, "the condition cannot be decided")
		}
		return ""
	}},
	{"tokennotcompared", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if !v.Compared && v.StoredToken {
			return "the epoch is stored, but nothing compares it"
		}
		return ""
	}},
	{"fencecolumn", func(_ *fence.Mutation, v *fence.Verdict, own map[fence.Arg]*bound, _ *flow.LockClass) string {
		if len(v.Casts) > 0 {
			return "the comparison is made as " + castWords[v.Casts[0]]
		}
		for _, a := range v.GuardArgs {
			if b := own[a]; b != nil {
				for _, o := range b.origins {
					if o.narrow == flow.OtherBase {
						return "the epoch is written in " + flow.OtherBase + ", which a column orders otherwise than the numbers"
					}
					if o.narrow != "" {
						return "the epoch is narrowed to " + o.narrow
					}
				}
			}
		}
		return ""
	}},
	{"staleadmitted", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if v.Apart != "" {
			return v.Apart
		}
		if v.RejectsStale == fence.No {
			return "an epoch below " + v.Column + " passes the condition"
		}
		return ""
	}},
	{"tokenmismatch", func(_ *fence.Mutation, v *fence.Verdict, own map[fence.Arg]*bound, _ *flow.LockClass) string {
		if shifted(v, own) {
			return "the condition compares one number and " + v.Column + " is set to another that is computed from it"
		}
		if (v.Advances == "other" || v.Advances == "regress") && len(v.SetArgs) > 0 && !sameArgs(v.GuardArgs, v.SetArgs) {
			return "the condition compares one value and " + v.Column + " is set to another"
		}
		return ""
	}},
	{"fencenotadvanced", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if advances(v) || v.StoredToken {
			return ""
		}
		return "the epoch is compared with " + v.Column + " and never stored in it"
	}},
	{"staleadmitted", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if advances(v) {
			return ""
		}
		return "the epoch is compared with " + v.Column + ", but stored elsewhere: nobody moves what it is compared with"
	}},
	{"nulladmitted", func(m *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, _ *flow.LockClass) string {
		if v.ZeroToken == fence.Admitted || v.NullToken == fence.Admitted && m.Semantics == fence.SQL3VL {
			return "a token of zero or NULL passes whatever " + v.Column + " holds"
		}
		if v.NullRule == "bypasses" && m.InsertPath == fence.Closed {
			return "a row whose " + v.Column + " is NULL takes any epoch"
		}
		return ""
	}},
	{"equaladmitted", func(_ *fence.Mutation, v *fence.Verdict, _ map[fence.Arg]*bound, lock *flow.LockClass) string {
		if v.AdmitsEqual == fence.Yes && v.Replay == nil && lock.Replay == "" && v.Advances != "na" {
			return "a repeated delivery under the same epoch passes again"
		}
		return ""
	}},
	{"zerotoken", func(_ *fence.Mutation, v *fence.Verdict, own map[fence.Arg]*bound, _ *flow.LockClass) string {
		for _, a := range v.GuardArgs {
			if b := own[a]; b != nil && slices.ContainsFunc(b.origins, func(o origin) bool { return o.class == zero }) {
				return "on one path the epoch is never set"
			}
		}
		return ""
	}},
	{"mixedtokens", func(_ *fence.Mutation, v *fence.Verdict, own map[fence.Arg]*bound, _ *flow.LockClass) string {
		source := ""
		for _, a := range append(slices.Clone(v.GuardArgs), v.SetArgs...) {
			if own[a] == nil {
				continue
			}
			for _, o := range own[a].origins {
				if o.source != "" && source != "" && o.source != source {
					return "numbers of " + source + " and of " + o.source + " meet in one column"
				}
				source = o.source
			}
		}
		return ""
	}},
}

func advances(v *fence.Verdict) bool {
	return v.Advances == "yes" || v.Advances == "na" || pinned(v)
}

// pinned reports whether a write is accepted only where the stored fence is the epoch
// already: nothing is left to store, and whoever stores a larger one shuts it out.
func pinned(v *fence.Verdict) bool {
	kept := v.Advances == "absent" || v.Advances == "keeps"
	return kept && v.Less == fence.Never && v.Greater == fence.Never && v.Null == fence.Never
}

func sameArgs(a, b []fence.Arg) bool {
	for _, x := range b {
		if !slices.Contains(a, x) {
			return false
		}
	}
	return true
}

// shifted reports whether the number that is stored is the one that is compared, moved by
// arithmetic in Go: who compares t+2 passes where a newer owner has stored t+1.
func shifted(v *fence.Verdict, own map[fence.Arg]*bound) bool {
	for _, s := range v.SetArgs {
		for _, g := range v.GuardArgs {
			if a, b := own[s], own[g]; a != nil && b != nil && s != g && !a.term.Equal(b.term) && unmoved(a.term).Equal(unmoved(b.term)) {
				return true
			}
		}
	}
	return false
}

// unmoved is the number from which constants make another.
func unmoved(t *term.Term) *term.Term {
	for t.Kind == term.Op && len(t.Args) == 2 && (opOrigins[t.Str] != nil) {
		switch {
		case t.Args[1].Kind == term.Const:
			t = t.Args[0]
		case t.Args[0].Kind == term.Const:
			t = t.Args[1]
		default:
			return t
		}
	}
	return t
}

func firstOf(s []string, otherwise string) string {
	if len(s) > 0 {
		return s[0]
	}
	return otherwise
}
