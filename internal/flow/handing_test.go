package flow

import (
	"bytes"
	"slices"
	"testing"

	"github.com/fencelint/fencelint/internal/term"
)

// toHandOn are the functions of a package p, of which one names another.
func toHandOn() []*Summary {
	at := func(line int) []Step {
		return []Step{{Place: Place{Pkg: "p", File: "p.go", Line: line, Col: 2}, Func: "p.Do"}}
	}
	acq := &Event{Kind: Acquire, Key: "p.Lock", Entry: "lock", Lib: "p", Site: "p.Do@1", Chain: at(3), Hold: &Hold{Handle: term.NewParam(0), Escapes: true, Success: "e"}}
	row := term.NewStruct("p.Row", "p.Do@2", []string{"Epoch", "Name"}, []*term.Term{term.NewField("p.Lock.epoch", term.NewParam(0)), term.NewConst("string", "n")})
	save := &Event{
		Kind: Write, Key: "p.Save", Recv: term.NewParam(1), Args: []*term.Term{row, row}, Site: "p.Do@3", Chain: at(5), Holds: []*Event{acq}, Must: true,
		Conds: []Cond{{Term: term.NewParam(2), Want: true}}, Outcomes: []Outcome{{Returns: "e", Answered: true, Reaches: []*Event{acq}}},
	}
	call := &Event{Kind: Dyn, Key: "func value", Recv: term.NewClosure("p.Do$1", term.NewParam(0)), Site: "p.Do@4", Chain: at(6), Dyn: &DynCall{}, After: []*Event{save}}
	return []*Summary{
		{ID: "p.Do", Params: 3, Events: []*Event{acq, save, call}, Results: []*term.Term{row}, Stores: []Store{{To: term.NewField("p.Lock.last", term.NewParam(0)), Value: row, Perhaps: true}}},
		{ID: "p.Do$1", Events: []*Event{{Kind: Write, Key: "p.Note", Site: "p.Do$1@1", Chain: at(7)}}},
		{ID: "p.Other", Events: []*Event{{Kind: Write, Key: "p.Note", Site: "p.Other@1", Chain: at(9)}}},
	}
}

// What is handed on says in each fact on the way what it said in the first, whatever else
// stands there; functions that it names go with it, and what it writes is told.
func TestHandedOnAsItWas(t *testing.T) {
	facts := make(map[string][]byte)
	put := func(path string, f *Fact) {
		data, err := f.Encode(false)
		if err != nil {
			t.Fatal(err)
		}
		facts[path] = data
	}
	join := func(path string) *Imported {
		im, err := Join([]string{path}, func(path string) []byte { return facts[path] })
		if err != nil {
			t.Fatal(err)
		}
		return im
	}
	put("p", &Fact{Funcs: toHandOn()})
	for _, hop := range [][2]string{{"p", "q"}, {"q", "r"}} {
		im := join(hop[0])
		var written []string
		put(hop[1], &Fact{
			Funcs:  []*Summary{{ID: hop[1] + ".Own", Events: []*Event{{Kind: Write, Key: "p.Save", Site: "s", Chain: []Step{{Place: Place{Pkg: hop[1]}}}}}}},
			Handed: []string{"p.Do"}, imported: im,
			recordsOf: func(names []string) []Record { written = names; return nil },
		})
		if err := im.Err(); err != nil {
			t.Fatal(err)
		}
		if im.funcs["p.Do"].sum != nil {
			t.Errorf("%s has read what it hands on", hop[1])
		}
		if !slices.Equal(written, []string{"p.Row"}) {
			t.Errorf("%s hands on writes of the records %v", hop[1], written)
		}
	}
	first, last := join("p"), join("r")
	for _, id := range []string{"p.Do", "p.Do$1"} {
		if got, want := encoded(t, last.fn(id)), encoded(t, first.fn(id)); !bytes.Equal(got, want) {
			t.Errorf("%s has become %+v", id, last.fn(id))
		}
	}
	if last.knowsFunc("p.Other") || !last.knowsFunc("r.Own") {
		t.Error("other functions than those that are named were handed on")
	}
}

func encoded(t *testing.T, s *Summary) []byte {
	t.Helper()
	data, err := (&Fact{Funcs: []*Summary{s}}).Encode(false)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
