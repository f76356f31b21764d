package skip

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/fencelint/fencelint/internal/driver/unit"
)

func TestSkipped(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	plain := write("plain.go", "package p\n")
	note := write("note.go", "package p\n\n//fencelint:lock correctness\n")
	broken := write("broken.vetx", "something else")
	for _, c := range []struct {
		name string
		cfg  unit.Config
		want bool
	}{
		{"standard library", unit.Config{ImportPath: "fmt", VetxOnly: true}, true},
		{"asked for itself", unit.Config{ImportPath: "fmt"}, false},
		{"another's module", unit.Config{ImportPath: "o.example/p", ModulePath: "o.example", ModuleVersion: "v1.0.0", VetxOnly: true, GoFiles: []string{plain}}, true},
		{"a directive", unit.Config{ImportPath: "o.example/p", ModulePath: "o.example", ModuleVersion: "v1.0.0", VetxOnly: true, GoFiles: []string{note}}, false},
		{"a lock", unit.Config{ImportPath: "o.example/p", ModulePath: "o.example", ModuleVersion: "v1.0.0", VetxOnly: true, GoFiles: []string{plain},
			ImportMap: map[string]string{"github.com/go-redsync/redsync/v4": "github.com/go-redsync/redsync/v4"}}, false},
		{"the user's module", unit.Config{ImportPath: "m.example/p", ModulePath: "m.example", VetxOnly: true, GoFiles: []string{plain}}, false},
		{"an unreadable fact", unit.Config{ImportPath: "o.example/p", ModulePath: "o.example", ModuleVersion: "v1.0.0", VetxOnly: true,
			GoFiles: []string{plain}, PackageVetx: map[string]string{"x": broken}}, false},
		{"a missing file", unit.Config{ImportPath: "o.example/p", ModulePath: "o.example", ModuleVersion: "v1.0.0", VetxOnly: true,
			GoFiles: []string{filepath.Join(dir, "absent.go")}}, false},
	} {
		c.cfg.PackageFile = map[string]string{"github.com/go-redsync/redsync/v4": "x", "errors": "x"}
		if c.cfg.ImportMap == nil {
			c.cfg.ImportMap = map[string]string{"errors": "errors"}
		}
		c.cfg.VetxOutput = filepath.Join(dir, "out.vetx")
		data, err := json.Marshal(c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(c.cfg.VetxOutput)
		if got := skipped(write("vet.cfg", string(data))); got != c.want {
			t.Errorf("%s: skipped is %v", c.name, got)
		}
		if left, err := os.ReadFile(c.cfg.VetxOutput); (err == nil) != c.want || len(left) > 0 {
			t.Errorf("%s: left %q (%v)", c.name, left, err)
		}
	}
	if skipped(filepath.Join(dir, "absent.cfg")) || skipped(write("bad.cfg", "{")) {
		t.Error("a configuration that cannot be read is not left to the program")
	}
}

func TestAsked(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, ""}, {[]string{"vet.cfg"}, "vet.cfg"}, {[]string{"-json", "vet.cfg"}, "vet.cfg"}, {[]string{"-json"}, ""},
		{[]string{"-fix", "vet.cfg"}, ""}, {[]string{"-json", "-models=x.yaml", "vet.cfg"}, ""}, {[]string{"-V=full"}, ""}, {[]string{"./..."}, ""},
	} {
		if got := asked(c.args); got != c.want {
			t.Errorf("%q asks about %q, want %q", c.args, got, c.want)
		}
	}
}
