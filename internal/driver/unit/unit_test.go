package unit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// toyModels know one library, whose import path ends in "/lock".
type toyModels struct{}

func (toyModels) Stores(path string) bool { return strings.HasSuffix(path, "/lock") }
func (toyModels) Leaf(path string) bool   { return strings.HasSuffix(path, "/lock") }

func TestJudge(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	plain, note := file("plain.go", "package p\n"), file("note.go", "package p\n// fencelint:lock efficiency\n")
	for _, c := range []struct {
		c    Candidate
		want Verdict
	}{
		{Candidate{"fmt", Standard, []string{"x/lock"}, []string{note}}, Never},
		{Candidate{"o/p", ThirdParty, []string{"os"}, []string{plain}}, Never},
		{Candidate{"o/p", ThirdParty, []string{"os", "x/lock"}, []string{plain}}, Seed},
		{Candidate{"o/p", ThirdParty, nil, []string{plain, note}}, Seed},
		{Candidate{"o/lock", ThirdParty, []string{"x/lock"}, []string{note}}, Never},
		{Candidate{"m/p", OwnModule, []string{"os"}, []string{plain}}, Helper},
		{Candidate{"m/p", OwnModule, []string{"x/lock"}, []string{plain}}, Seed},
		{Candidate{"m/p", OwnModule, nil, []string{note}}, Seed},
		{Candidate{"m/lock", OwnModule, nil, []string{plain}}, Seed},
	} {
		if got, err := Judge(toyModels{}, c.c); err != nil || got != c.want {
			t.Errorf("%+v: got %v (%v), want %v", c.c, got, err, c.want)
		}
	}
	if _, err := Judge(toyModels{}, Candidate{Files: []string{filepath.Join(dir, "absent.go")}}); err == nil {
		t.Error("a file that cannot be read is no error")
	}
}

func TestTypesInFacts(t *testing.T) {
	for _, c := range []struct {
		js   string
		want bool
	}{
		{`{"PackageFile": {}, "ImportMap": {}}`, false},
		{`{"PackageFile": {}, "ImportMap": {"unsafe": "unsafe"}}`, false},
		{`{"PackageFile": {"fmt": "f"}, "ImportMap": {"fmt": "fmt"}}`, false},
		{`{"PackageFile": {}, "ImportMap": {"fmt": "fmt"}}`, true},
		{`{"ImportMap": {}}`, true},
		{`{"PackageFile": {}, "ImportMap": {}, "GoVersion": "go1.26"}`, false},
		{`{"PackageFile": {}, "ImportMap": {}, "GoVersion": "go1.27"}`, true},
		{`{"PackageFile": {}, "ImportMap": {}, "GoVersion": "go1.27", "ModulePath": "m"}`, false},
		{`{"PackageFile": {}, "ImportMap": {}, "ModulePath": "m", "Module": {"Path": "m"}}`, true},
		{`{"PackageFile": {"a": "f"}, "ImportMap": {"a": "a"}, "ModulePath": "m", "Module": {"Path": "m"}}`, false},
	} {
		cfg := new(Config)
		if err := json.Unmarshal([]byte(c.js), cfg); err != nil {
			t.Fatal(err)
		}
		if got := cfg.TypesInFacts(); got != c.want {
			t.Errorf("%s: got %v", c.js, got)
		}
	}
}

func FuzzDecodeVetx(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(Vetx{true, nil}.Encode())
	f.Add(Vetx{false, []byte("fact")}.Encode())
	f.Add([]byte(vetxMagic + "\x02"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := DecodeVetx(data)
		if err != nil {
			return
		}
		again, err := DecodeVetx(v.Encode())
		if err != nil || again.Variant != v.Variant || string(again.Fact) != string(v.Fact) {
			t.Errorf("%q became %v, then %v (%v)", data, v, again, err)
		}
	})
}

func FuzzReadConfig(f *testing.F) {
	f.Add([]byte(`{"PackageFile": {}, "ImportMap": {"a": "b"}, "GoFiles": ["x.go"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(t.TempDir(), "x.cfg")
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if cfg, err := ReadConfig(file); err == nil {
			cfg.TypesInFacts()
		}
	})
}
