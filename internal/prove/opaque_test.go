package prove

import (
	"go/types"
	"testing"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// A call of which nothing is known has no guard by a lock that gives it nothing.
func TestOpaqueCall(t *testing.T) {
	j := &judge{models: model.Builtin(), u: &Unit{Pkg: types.NewPackage("p", "p")}, a: new(flow.Analysis), implement: map[string][]string{}, unchosen: map[string]string{}}
	token := term.NewCall("lib.Acquire", "1", 0)
	acq := &flow.Event{Key: "lib.Acquire", Hold: &flow.Hold{Handle: term.NewParam(0)}}
	call := &flow.DynCall{Iface: "p.Jobs", Method: "Run"}
	for _, c := range []struct {
		what string
		recv *term.Term
		args []*term.Term
		want string
	}{
		{"nothing", term.NewParam(3), []*term.Term{term.NewParam(1), term.NewString("x")}, "none"},
		{"what the acquisition gave", term.NewParam(3), []*term.Term{term.NewField("lib.Lease.ID", token)}, "unknown"},
		{"what may be that", term.NewParam(3), []*term.Term{term.NewUnknown("?")}, "unknown"},
		{"made from it", term.NewField("p.T.f", token), nil, "unknown"},
		{"of an unknown object", nil, nil, "unknown"},
	} {
		p := &pair{acq: acq, w: &flow.Event{Kind: flow.Dyn, Key: "p.Jobs.Run", Recv: c.recv, Args: c.args, Dyn: call}}
		if d := j.unimplemented(p); d.guard != c.want || d.verdict != unproved {
			t.Errorf("%s: %s %s, want %s", c.what, d.verdict, d.guard, c.want)
		}
	}
}

// A lock that a statement takes gives nothing but its connection: what another call of the
// same method gave is not of the lock.
func TestOpaqueUnderStatement(t *testing.T) {
	j := &judge{models: model.Builtin(), u: &Unit{Pkg: types.NewPackage("p", "p")}, a: new(flow.Analysis), implement: map[string][]string{}, unchosen: map[string]string{}}
	const run = "database/sql.Conn.ExecContext"
	conn := term.NewParam(0)
	acq := &flow.Event{Key: run, Entry: "pg.advisory.lock", Recv: conn, Hold: &flow.Hold{Handle: conn}}
	for _, c := range []struct {
		what string
		arg  *term.Term
		want string
	}{
		{"what another statement gave", term.NewCall(run, "2", 0, term.NewParam(3)), "none"},
		{"the connection", conn, "unknown"},
		{"what the connection is asked for", term.NewCall("p.Of", "3", 0, term.NewUnknown("?")), "unknown"},
	} {
		p := &pair{acq: acq, w: &flow.Event{Kind: flow.Dyn, Key: "p.Jobs.Run", Recv: term.NewParam(4), Args: []*term.Term{c.arg}, Dyn: &flow.DynCall{Iface: "p.Jobs", Method: "Run"}}}
		if d := j.unimplemented(p); d.guard != c.want {
			t.Errorf("%s: %s, want %s", c.what, d.guard, c.want)
		}
	}
}

func TestSameAgain(t *testing.T) {
	state := fence.Cmp{Op: fence.EQ, L: fence.Stored{Column: "gone"}, R: fence.Lit{Text: "yes"}}
	id := fence.Cmp{Op: fence.EQ, L: fence.Stored{Column: "id"}, R: fence.Input{Arg: "$1"}}
	bs := []bound{{arg: "$1", term: term.NewParam(1)}, {arg: "$2", term: term.NewString("done")}}
	bs = append(bs, bound{arg: "$3", term: term.NewParam(2), origins: []origin{{class: clock}}})
	old := func(t fence.Term) fence.Cond { return fence.Cmp{Op: fence.LT, L: fence.Stored{Column: "at"}, R: t} }
	set := func(v fence.Term) []fence.Assign { return []fence.Assign{{Column: "state", Value: v}} }
	for _, c := range []struct {
		what string
		m    *fence.Mutation
		want bool
	}{
		{"a constant argument", &fence.Mutation{Kind: fence.Update, Guard: id, Set: set(fence.Input{Arg: "$2"})}, true},
		{"an argument", &fence.Mutation{Kind: fence.Update, Guard: id, Set: set(fence.Input{Arg: "$1"})}, false},
		{"whatever has the key", &fence.Mutation{Kind: fence.Delete, Guard: id}, false},
		{"what is in a state", &fence.Mutation{Kind: fence.Delete, Guard: fence.And{Of: []fence.Cond{id, state}}}, true},
		{"all", &fence.Mutation{Kind: fence.Delete}, false},
		{"what is old", &fence.Mutation{Kind: fence.Delete, Guard: old(fence.Opaque{Key: "now ( )", Anew: true})}, true},
		{"what is older than that", &fence.Mutation{Kind: fence.Delete, Guard: old(fence.Apply{Fn: fence.Sub, Args: []fence.Term{fence.Opaque{Key: "current_timestamp"}, fence.Opaque{Key: "interval '1 day'"}}})}, true},
		{"what is older than an argument", &fence.Mutation{Kind: fence.Delete, Guard: old(fence.Input{Arg: "$1"})}, false},
		{"what is older than a time", &fence.Mutation{Kind: fence.Delete, Guard: old(fence.Input{Arg: "$3"})}, true},
		{"a table that may be there", &fence.Mutation{Kind: fence.DDL, Again: true}, true},
		{"another table", &fence.Mutation{Kind: fence.DDL}, false},
	} {
		if got := sameAgain(c.m, bs); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// A handle is looked at in each of its forms, wherever they part.
func TestHandleForms(t *testing.T) {
	j := &judge{}
	const lib = "cloud.google.com/go/storage."
	object := term.NewCall(lib+"BucketHandle.Object", "", 0, term.NewParam(0), term.NewString("x"))
	keyed := term.NewCall(lib+"ObjectHandle.Key", "", 0, object, term.NewParam(1))
	writer := func(h *term.Term) *term.Term { return term.NewCall(lib+"ObjectHandle.NewWriter", "", 0, h) }
	if d := j.gcsHandle(nil, writer(term.NewAlt(object, keyed))); d.guard != "none" {
		t.Errorf("an object, with a key or without: %s, %s", d.guard, d.reason)
	}
}

// A pair that is not there demands that the key is not.
func TestPreviousPair(t *testing.T) {
	j := &judge{models: model.Builtin(), u: &Unit{Pkg: types.NewPackage("p", "p")}, a: new(flow.Analysis), implement: map[string][]string{}, unchosen: map[string]string{}}
	for key, args := range map[string][]*term.Term{
		"github.com/docker/libkv/store.Store.AtomicPut":      {term.NewString("k"), term.NewParam(1), term.Nil, term.Nil},
		"github.com/kvtools/valkeyrie/store.Store.AtomicPut": {term.NewParam(0), term.NewString("k"), term.NewParam(1), term.Nil, term.Nil},
	} {
		if d := kvPrevious(j, &pair{w: &flow.Event{Key: key, Args: args}}); d.guard != "create-once" {
			t.Errorf("%s: %s, %s", key, d.guard, d.reason)
		}
	}
}

// More ways than a few are listed if they pass through another call.
func TestWaysListed(t *testing.T) {
	at := func(lines ...int) []Place {
		var out []Place
		for _, l := range lines {
			out = append(out, Place{File: "a.go", Line: l})
		}
		return out
	}
	var r Row
	for _, via := range [][]Place{at(1), at(2), at(3), at(4), at(1, 2), at(9, 1), at(5), at(2, 1)} {
		r.add(Boundary{Place: Place{File: "b.go", Line: 7}, Via: via})
	}
	if len(r.Boundaries) != 5 || r.Boundaries[4].Via[0].Line != 5 {
		t.Errorf("got %d: %v", len(r.Boundaries), r.Boundaries)
	}
}

// The id that came with the grant is that of the hold, even if the client that asked for it
// is written down in another way.
func TestLeaseOfThisGrant(t *testing.T) {
	const acquire = "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease.BlobClient.AcquireLease"
	j := &judge{models: model.Builtin(), u: &Unit{Pkg: types.NewPackage("p", "p")}, a: new(flow.Analysis), implement: map[string][]string{}, unchosen: map[string]string{}}
	blob := term.NewField("p.T.blob", term.NewParam(0))
	client := func(id string) *term.Term {
		return term.NewCall("lease.NewBlobClient", id, 0, blob, term.Nil)
	}
	acq := &flow.Event{Kind: flow.Acquire, Key: acquire, Site: "7", Hold: &flow.Hold{Handle: client("a")}}
	for site, want := range map[string]string{"7": "owner", "8": "unknown"} {
		id := term.NewField("lease.Response.LeaseID", term.NewCall(acquire, site, 0, client("b")))
		if d := j.leased(&pair{acq: acq, w: &flow.Event{Recv: blob}}, id); d.guard != want {
			t.Errorf("grant at %s: %s, %s; want %s", site, d.guard, d.reason, want)
		}
	}
}
