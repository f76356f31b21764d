package flow

import (
	"testing"

	"github.com/fencelint/fencelint/internal/term"
)

// pendingFact is the fact of a package with a function that may take a lock.
func pendingFact(t *testing.T) []byte {
	t.Helper()
	m := &Event{
		Kind: May, Key: "p.Locker.Lock", Site: "p.Do@1", Dyn: &DynCall{Iface: "p.Locker", Method: "Lock"},
		Chain: []Step{{Place: Place{Pkg: "p", File: "p.go", Line: 3}}}, Hold: &Hold{Handle: term.NewParam(0), Escapes: true},
	}
	w := &Event{Kind: Write, Key: "p.Save", Site: "p.Do@2", Chain: []Step{{Place: Place{Pkg: "p", File: "p.go", Line: 4}}}, Under: []*Event{m}}
	data, err := (&Fact{Mays: []*Summary{{ID: "p.Do", Events: []*Event{m, w}}}}).Encode(false)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A function that may take a lock goes through the facts of the packages in between
// unread, and what was judged on either way is known where the ways meet.
func TestPendingIsHandedOnUnread(t *testing.T) {
	facts := map[string][]byte{"p": pendingFact(t)}
	join := func(paths ...string) *Imported {
		im, err := Join(paths, func(path string) []byte { return facts[path] })
		if err != nil {
			t.Fatal(err)
		}
		return im
	}
	hop := func(path, judged string, from ...string) {
		im := join(from...)
		if judged != "" {
			im.Pending["p.Do"].Summary().mays()[0].Hold.Done = []string{judged}
		}
		data, err := (&Fact{Pending: im.PendingFuncs()}).Encode(false)
		if err != nil {
			t.Fatal(err)
		}
		if read := len(im.readers) - len(from); (read > 0) != (judged != "") {
			t.Errorf("%s has read %d of the facts that it hands on", path, read)
		}
		facts[path] = data
	}
	hop("q", "", "p")
	hop("r", "p.Redis", "q")
	hop("s", "p.Etcd", "p", "q")
	if grown := len(facts["q"]) - len(facts["p"]); grown != 0 {
		t.Errorf("a fact grew by %d bytes where it was handed on", grown)
	}
	p := join("q", "r", "s").Pending["p.Do"]
	if got := p.Locks[0]; got.Iface != "p.Locker" || got.Classed || len(got.Done) != 2 {
		t.Errorf("got %+v", got)
	}
	s := p.Summary()
	if len(s.Events) != 2 || s.Events[1].Under[0] != s.Events[0] || s.Events[1].Chain[0].Place.Line != 4 || len(s.Events[0].Hold.Done) != 2 {
		t.Errorf("got %+v", s)
	}
}
