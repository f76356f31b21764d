package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
)

func init() {
	profiles["zk.version"] = zkVersion
	profiles["zk.exists"] = zkCreate
	profiles["zk.multi"] = zkMulti
}

// zkVersion judges a write that names the version of a node.
func zkVersion(j *judge, p *pair) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	if s.Version < 0 || s.Version >= len(p.w.Args) {
		return notInSight("the version is not in sight")
	}
	return j.zkCompares(p, p.w.Args[s.Version])
}

// zkCompares judges a version that a write demands; -1 means any.
func (j *judge) zkCompares(p *pair, version *term.Term) decision {
	d := decision{}
	for _, v := range term.Settle(version).Alternatives() {
		if n, ok := wholeNumber(v); ok && n < 0 {
			return unconditional("version -1 writes whatever is there")
		}
		d = worse(d, j.comparesVersion(p, v, "Exists", "ExistsW"))
	}
	return d
}

// comparesVersion is a compare-and-set on a version; looks are the calls that read
// nothing but the version.
func (j *judge) comparesVersion(p *pair, version *term.Term, looks ...string) decision {
	d := j.casVerdict(p, decision{}, j.looked(p, version, looks...))
	if d.rule == "" && j.fromCaller(version) { // it may be the one that means any
		d.verdict = waiting
	}
	return d
}

// fromCaller reports whether a value is one that a caller hands in.
func (j *judge) fromCaller(t *term.Term) bool {
	return slices.ContainsFunc(j.origins(t), func(o origin) bool { return o.class == handedIn })
}

// looked reports whether a version comes from a call in the hold that reads nothing else.
func (j *judge) looked(p *pair, version *term.Term, looks ...string) bool {
	return version.Any(func(u *term.Term) bool {
		if u.Kind != term.Call {
			return false
		}
		for _, l := range looks {
			if lastPart(u.Str) == l {
				return j.inHold(p, u)
			}
		}
		return false
	})
}

// wholeNumber is a constant integer, converted or not.
func wholeNumber(t *term.Term) (int64, bool) {
	for t.Kind == term.Iface || t.Kind == term.Convert {
		t = t.Args[0]
	}
	if term.IsZero(t) {
		return 0, true
	}
	return term.IntValue(t)
}

// Modes in which a node is made.
const (
	zkEphemeral  = 1
	zkSequential = 2
)

// zkCreate judges a new node: the server refuses a second one of the same name.
func zkCreate(j *judge, p *pair) decision {
	switch {
	case strings.HasSuffix(p.w.Key, "Sequential"):
		return zkNumbered
	case !strings.HasSuffix(p.w.Key, ".Create"):
		return zkPassing
	}
	if len(p.w.Args) < 3 {
		return notInSight("how the node is made is not in sight")
	}
	return j.zkMade(p, p.w.Args[0], p.w.Args[2])
}

var zkPassing = notInSight("the server removes the node by itself, and then another one is made")

var zkNumbered = unconditional("the server numbers the nodes, so that no creation is refused")

func (j *judge) zkMade(p *pair, path, flags *term.Term) decision {
	d := decision{}
	for _, f := range term.Settle(flags).Alternatives() {
		switch n, ok := wholeNumber(f); {
		case !ok && f.Symbolic():
			d = worse(d, decision{verdict: waiting, rule: "unprovedwrite", guard: "unknown", reason: "the caller says how the node is made"})
		case !ok:
			d = worse(d, notInSight("how the node is made is not known"))
		case n&zkSequential != 0:
			d = worse(d, zkNumbered)
		case n&zkEphemeral != 0:
			d = worse(d, zkPassing)
		default:
			d = worse(d, createdOnce(path, "only the first one creates the node"))
		}
	}
	return d
}

// createdOnce is the verdict on what is refused where the name exists already: a name
// that is drawn for this write never does.
func createdOnce(name *term.Term, reason string) decision {
	switch {
	case name == nil:
	case name.Any(drawn):
		return unconditional("it is refused only under a name that exists, and its name is drawn anew each time")
	case fromClock(name):
		return unconditional("it is refused only under a name that exists, and its name has the time in it, which is another one each time")
	}
	return decision{verdict: proved, guard: "create-once", reason: reason}
}

// drawn reports whether a term is a random value.
func drawn(t *term.Term) bool {
	return (t.Kind == term.Call || t.Kind == term.Global) && (randomSources[t.Str] || isRandomPackage(t.Str))
}

// zkMulti judges operations that happen together or not at all: what refuses one of
// them refuses all.
func zkMulti(j *judge, p *pair) decision {
	always, perhaps, hidden := j.sentTogether(p)
	m := zkOperations{j: j, p: p, hidden: hidden}
	for _, op := range always {
		m.add(op, true)
	}
	for _, op := range perhaps {
		m.add(op, false)
	}
	switch {
	case m.own:
		return j.rejection(p, decision{verdict: proved, guard: "owner", guarded: true, reason: "the operations happen only while the lock's own node exists"})
	case m.compared.guard == "cas" && m.compared.rule == "" && m.compared.verdict != waiting:
		return m.compared
	case m.hidden != nil:
		d := notSeen("the operations are put together out of sight")
		if m.hidden.Symbolic() {
			d.verdict = waiting
		}
		return d
	case m.writes.verdict == silent || m.writes.verdict == proved:
		return m.writes
	}
	return stronger(m.compared, m.writes)
}

// zkOperations is what the operations of one request are worth.
type zkOperations struct {
	j        *judge
	p        *pair
	own      bool       // one of them asks for the lock's own node
	compared decision   // the best version that is compared
	writes   decision   // the worst of the writes, each by itself
	hidden   *term.Term // an operation that is not known
}

// add looks at one operation, which may not be among those that are sent.
func (m *zkOperations) add(op *term.Term, sure bool) {
	op = unboxed(term.Settle(op))
	field := func(name string) *term.Term { return fieldNamed(op, name) }
	compared := decision{}
	switch {
	case op.Kind != term.Struct || op.Open:
		m.hidden = op
	case lastPart(op.Str) == "CheckVersionRequest":
		m.own = m.own || sure && ofOwnNode(field("Path"), m.p)
		compared = m.j.zkChecks(m.p, field("Version"))
	case lastPart(op.Str) == "SetDataRequest", lastPart(op.Str) == "DeleteRequest":
		compared = m.j.zkCompares(m.p, field("Version"))
		m.writes = worse(m.writes, compared)
	case lastPart(op.Str) == "CreateRequest":
		m.writes = worse(m.writes, m.j.zkMade(m.p, field("Path"), field("Flags")))
	default:
		m.hidden = op
	}
	if sure {
		m.compared = stronger(m.compared, compared)
	}
}

// stronger is the better of two conditions of one unit, which both must hold.
func stronger(a, b decision) decision {
	if b.verdict == silent || a.verdict != silent && strength(a) <= strength(b) {
		return a
	}
	return b
}

func strength(d decision) int {
	switch {
	case d.rule == "" && d.verdict != waiting:
		return 0
	case d.verdict == waiting:
		return 1
	case d.guard != "none":
		return 2
	}
	return 3
}

// zkChecks judges the version of a node that is only checked. The number is that of
// the changes to the node and begins anew with each node of the name.
func (j *judge) zkChecks(p *pair, version *term.Term) decision {
	switch n, ok := wholeNumber(version); {
	case ok && n < 0:
		return unconditional("version -1 only asks whether the node exists, and a newer owner has one of the same name")
	case ok:
		return decision{verdict: refuted, rule: "identityreused", guard: "owner", reason: "the version of a node counts its changes from 0, and the node of a newer owner under the same name has the same one"}
	}
	return j.comparesVersion(p, version)
}

// ofOwnNode reports whether a path is that of the node that the acquisition made: the
// server gives each a name of its own.
func ofOwnNode(path *term.Term, p *pair) bool {
	path = unboxed(term.Settle(path))
	return path.Kind == term.Call && path.N == 0 && !otherGrant(path, p.acq) && zkOwnName(p.acq)
}

// zkOwnName reports whether an acquisition makes a node that no other one has the name of,
// and that the server removes when the session ends.
func zkOwnName(acq *flow.Event) bool {
	if strings.HasSuffix(acq.Key, "Sequential") {
		return true
	}
	if !strings.HasSuffix(acq.Key, ".Create") || len(acq.Args) < 3 {
		return false
	}
	mode, ok := wholeNumber(acq.Args[2])
	return ok && mode&zkSequential != 0 && mode&zkEphemeral != 0
}
