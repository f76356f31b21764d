package model

import (
	"strings"
	"testing"
)

func TestParsePath(t *testing.T) {
	good := map[string]Path{
		"recv":                      {Root: "recv"},
		"arg[2]":                    {Root: "arg", Index: 2},
		"arg[1..]":                  {Root: "arg", Index: 1, Rest: true},
		"arg[*]":                    {Root: "arg", Index: EachArg},
		"arg[last]":                 {Root: "arg", Index: LastArg},
		"callback.arg[0]":           {Root: "callback"},
		"opt:WithTTL":               {Root: "opt", Name: "WithTTL"},
		"recv<-NewMutex.arg[0]":     {Root: "recv", From: "NewMutex"},
		"read:KV.Get.ret[0]":        {Root: "read", Name: "KV.Get"},
		"read:Fetch.ret[1]":         {Root: "read", Name: "Fetch", Index: 1},
		"session.Done()":            {Root: "session", Steps: []Step{{Name: "Done", Call: true}}},
		"ret[0].Result()[1]":        {Root: "ret", Steps: []Step{{Name: "Result", Call: true, Index: 1}}},
		"arg[*].(clause.L).S":       {Root: "arg", Index: EachArg, Steps: []Step{{Type: "clause.L"}, {Name: "S"}}},
		"arg[0].Ops[*].Key":         {Root: "arg", Steps: []Step{{Name: "Ops"}, {Name: "*"}, {Name: "Key"}}},
		"recv<-New.arg[0].Callback": {Root: "recv", From: "New", Steps: []Step{{Name: "Callback"}}},
	}
	for text, want := range good {
		got, err := ParsePath(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		want.Text = text
		if got.String() != text || got.Text != text || got.Root != want.Root || got.Index != want.Index || got.Rest != want.Rest ||
			got.Name != want.Name || got.From != want.From || len(got.Steps) != len(want.Steps) {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
			continue
		}
		for i := range got.Steps {
			if got.Steps[i] != want.Steps[i] {
				t.Errorf("%s: step %d is %+v, want %+v", text, i, got.Steps[i], want.Steps[i])
			}
		}
	}
	for _, text := range []string{
		"", "receiver", "arg", "arg[", "arg[]", "arg[-1]", "arg[1000]", "arg[1]x", "arg[1].", "arg[1].X(", "recv<-", "recv<-New", "recv<-New.arg[*]",
		"read:Get", "read:ret[0]", "opt:", "callback", "ret[0].(", "ret[0].(a b)", "arg[0]" + strings.Repeat(".X", maxSteps+1),
	} {
		if p, err := ParsePath(text); err == nil {
			t.Errorf("%q is accepted as %+v", text, p)
		}
	}
}

func TestParseCond(t *testing.T) {
	for text, want := range map[string]string{
		"ret[0]==nil":                      "ret[0]==nil",
		"ret[1]==nil && ret[0]!=nil":       "ret[1]==nil&ret[0]!=nil",
		"ret[0].Val()==1||scan[0]==\"OK\"": "ret[0].Val()==1|scan[0]==OK",
		"ret[0] closed":                    "ret[0] closed",
		"ret[0]>=-3":                       "ret[0]>=-3",
	} {
		got, err := ParseCond(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var alts []string
		for _, all := range got {
			var conds []string
			for _, c := range all {
				conds = append(conds, c.String())
			}
			alts = append(alts, strings.Join(conds, "&"))
		}
		if s := strings.Join(alts, "|"); s != want {
			t.Errorf("%s: %s, want %s", text, s, want)
		}
	}
	for _, text := range []string{"", "ret[0]", "ret[0]==", "ret[0]==maybe", "ret[0]==nil &&", "ret[0]==nil and", `ret[0]=="`, "ret[0]=nil", "ret[0]==1x"} {
		if c, err := ParseCond(text); err == nil {
			t.Errorf("%q is accepted as %v", text, c)
		}
	}
}

func TestParseSignal(t *testing.T) {
	s, err := ParseSignal("chan_value:ret[0]==false | ctx_done:session.Ctx() | none")
	if err != nil {
		t.Fatal(err)
	}
	if s.Kind != "chan_value" || s.Value != "false" || s.At.String() != "ret[0]" || len(s.Alt) != 2 || s.Alt[0].Kind != "ctx_done" || s.Alt[1].Kind != "none" {
		t.Errorf("got %+v", s)
	}
	for _, text := range []string{"", "chan_close", "none:ret[0]", "lost:ret[0]", "extend ret[0]", "extend |", "err:"} {
		if s, err := ParseSignal(text); err == nil {
			t.Errorf("%q is accepted as %+v", text, s)
		}
	}
}

func FuzzPaths(f *testing.F) {
	for _, s := range []string{"recv<-NewMutex.arg[0].X()[1]", "ret[0]==nil && scan[0]>=\"x\"", "chan_close:ret[0] | none", "arg[*].(a.B).C", "read:A.B.ret[0]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := ParsePath(s); err == nil {
			again, err := ParsePath(p.String())
			if err != nil || again.String() != p.String() {
				t.Errorf("%q is written as %q, which reads as %q, %v", s, p, again, err)
			}
		}
		ParseCond(s)
		ParseSignal(s)
	})
}
