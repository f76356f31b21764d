package editor

import (
	"bytes"
	"flag"
	"go/format"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		args string
		want request
		code int
	}{
		{"", request{}, -1},
		{"-mode=stdio", request{rest: []string{"-mode=stdio"}}, -1},
		{"version -json", request{rest: []string{"version", "-json"}}, -1},
		{"-gopls v0.23.0 -source=/src serve -gopls x", request{gopls: "v0.23.0", source: "/src", rest: []string{"serve", "-gopls", "x"}}, -1},
		{"-path -rpc.trace", request{path: true, rest: []string{"-rpc.trace"}}, -1},
		{"-- -path", request{rest: []string{"-path"}}, -1},
		{"--gopls=v0.23.0 -- serve", request{gopls: "v0.23.0", rest: []string{"serve"}}, -1},
		{"-h", request{}, exitClean},
		{"serve -h", request{rest: []string{"serve", "-h"}}, -1},
		{"-gopls", request{}, exitUsage},
		{"-path=maybe", request{}, exitUsage},
	} {
		var out, errs bytes.Buffer
		got, code := parse(strings.Fields(test.args), &out, &errs)
		if code != test.code {
			t.Errorf("%q: code %d, want %d\n%s", test.args, code, test.code, &errs)
			continue
		}
		if test.code != -1 {
			if out.Len()+errs.Len() == 0 {
				t.Errorf("%q: nothing was said", test.args)
			}
			continue
		}
		if got.gopls != test.want.gopls || got.source != test.want.source || got.path != test.want.path || !slices.Equal(got.rest, test.want.rest) {
			t.Errorf("%q: %+v, want %+v", test.args, got, test.want)
		}
	}
}

// FuzzOwnFlags: the count stays within the arguments, whatever they are.
func FuzzOwnFlags(f *testing.F) {
	for _, s := range []string{"", "-path x", "-gopls", "-gopls= y", "--", "- -path", "-path=1 -source a b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		fs.String("gopls", "", "")
		fs.String("source", "", "")
		fs.Bool("path", false, "")
		args := strings.Fields(s)
		n := ownFlags(fs, args)
		if n < 0 || n > len(args) {
			t.Fatalf("%d of %d arguments", n, len(args))
		}
		if err := fs.Parse(args[:n]); err == nil && fs.NArg() > 0 {
			t.Errorf("%q: %q are no flags", args, fs.Args())
		}
	})
}

func TestLines(t *testing.T) {
	for v, want := range map[string]string{
		"v0.21.1": "golang.org/x/tools/internal/tool", "v0.22.7": "golang.org/x/tools/internal/tool",
		"v0.23.0": "golang.org/x/tools/gopls/internal/tool", "v0.24.0": "",
	} {
		if l, err := lineOf(v); err != nil || l.tool != want {
			t.Errorf("%s: %+v, %v", v, l, err)
		}
	}
	for _, v := range []string{"", "(devel)", "v0.20.0", "v0.25.0", "v0.23.0-pre.1", "v0.23.", "v0.230.0", "v1.0.0"} {
		if _, err := lineOf(v); err == nil {
			t.Errorf("%q counts as known", v)
		}
	}
	for _, l := range lines {
		if got, err := lineOf(l.newest); err != nil || got != l {
			t.Errorf("%s belongs to %+v (%v)", l.newest, got, err)
		}
	}
}

func TestNewestFor(t *testing.T) {
	for v, want := range map[string]string{
		"go1.26.8": "v0.23.0", "go1.26.0": "v0.23.0", "go1.27.0": "v0.24.0", "go1.30.1": "v0.24.0",
		"go1.25.3": "v0.21.1", "devel go1.28-0123abc": "v0.24.0", "go1.24.9": "",
	} {
		if got, err := newestFor(v); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v; want %q", v, got, err, want)
		}
	}
}

func TestVersionIn(t *testing.T) {
	for out, want := range map[string]string{
		"golang.org/x/tools/gopls v0.23.0\n    golang.org/x/tools/gopls@v0.23.0 h1:abc=\n": "v0.23.0",
		"golang.org/x/tools/gopls/fencegopls v0.23.0+fencelint.0.1.0\n":                    "v0.23.0",
		"golang.org/x/tools/gopls (devel)\n":                                               "(devel)",
		"":                                                                                 "", "gopls: command failed\n": "",
	} {
		if got, ok := versionIn(out); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v; want %q", out, got, ok, want)
		}
	}
}

func TestOwnOrigin(t *testing.T) {
	released := debug.Module{Path: ownPath, Version: "v0.3.0", Sum: "h1:x"}
	for name, info := range map[string]*debug.BuildInfo{
		"as main": {Main: released},
		"as tool": {Main: debug.Module{Path: "example.com/a"}, Deps: []*debug.Module{{Path: "example.com/b"}, &released}},
	} {
		if got, err := ownOrigin(info, ""); err != nil || got != (origin{"v0.3.0", "", "h1:x"}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	replaced := released
	replaced.Replace = &debug.Module{Path: "../fencelint"}
	for name, info := range map[string]*debug.BuildInfo{
		"no information":     nil,
		"built in its clone": {Main: debug.Module{Path: ownPath, Version: "v0.3.1-0.20260101000000-0123456789ab"}},
		"replaced":           {Main: debug.Module{Path: "example.com/a"}, Deps: []*debug.Module{&replaced}},
	} {
		got, err := ownOrigin(info, "")
		if err != nil || got.source != root(t) || got.version != placeholder || got.digest == "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := ownOrigin(nil, t.TempDir()); err == nil || !strings.Contains(err.Error(), "-source") {
		t.Errorf("an empty directory as source: %v", err)
	}
}

// TestSourceDigest: the digest follows code and models, and nothing else.
func TestSourceDigest(t *testing.T) {
	dir := t.TempDir()
	digest := func() string {
		t.Helper()
		d, err := sourceDigest(dir)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	put(t, filepath.Join(dir, "go.mod"), "module "+ownPath+"\n")
	put(t, filepath.Join(dir, "a.go"), "package a\n")
	was := digest()
	for name, changes := range map[string]bool{
		"a.go": true, "b/b.go": true, "model/data/x.yaml": true, "go.sum": true,
		"a_test.go": false, "README.md": false, "testdata/x.go": false, ".git/x.go": false, "nested/go.mod": false,
	} {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), "// "+name+"\n")
		if now := digest(); (now != was) != changes {
			t.Errorf("%s: changes the digest: %v, want %v", name, now != was, changes)
		} else {
			was = now
		}
	}
}

// TestRecipe: what is generated is Go, in the form that gofmt gives it.
func TestRecipe(t *testing.T) {
	for _, l := range lines {
		r := recipe{
			gopls: l.newest, line: l, goLine: leastGo, pins: []pin{{"golang.org/x/tools", "v0.47.0"}},
			own: origin{version: placeholder, source: `C:\with space`},
		}
		for name, text := range r.files() {
			if !strings.HasSuffix(name, ".go") {
				continue
			}
			if got, err := format.Source([]byte(text)); err != nil || string(got) != text {
				t.Errorf("%s for %s: %v; formatted\n%s", name, l.newest, err, got)
			}
		}
		for _, want := range []string{
			"\ngo 1.26.0\n", "\tgolang.org/x/tools/gopls " + l.newest + "\n",
			"replace golang.org/x/tools => golang.org/x/tools v0.47.0\n",
			"replace " + ownPath + ` => "C:\\with space"` + "\n",
		} {
			if !strings.Contains(r.module(), want) {
				t.Errorf("no %q in\n%s", want, r.module())
			}
		}
	}
	r := recipe{gopls: "v0.23.0", own: origin{version: "v0.3.0"}}
	if got, want := r.version(), "v0.23.0+fencelint.0.3.0"; got != want {
		t.Errorf("version %s, want %s", got, want)
	}
	if strings.Contains(r.module(), "replace "+ownPath) {
		t.Error("a released version is replaced")
	}
}

func TestKey(t *testing.T) {
	base := order{"v0.23.0", lines[1], origin{"v0.1.0", "", "a"}, &toolchain{version: "go1.26.8"}}
	seen := map[string]bool{base.key(): true}
	for _, o := range []order{
		{"v0.23.1", base.line, base.own, base.tools},
		{base.gopls, base.line, origin{"v0.2.0", "", "a"}, base.tools},
		{base.gopls, base.line, origin{"v0.1.0", "", "b"}, base.tools},
		{base.gopls, base.line, origin{"v0.1.0", "/src", "a"}, base.tools},
		{base.gopls, base.line, base.own, &toolchain{version: "go1.26.9"}},
	} {
		if seen[o.key()] {
			t.Errorf("%+v has the key of another", o)
		}
		seen[o.key()] = true
	}
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"a", "b", "c", "d", "e", "build-young", "current"} {
		put(t, filepath.Join(dir, name, programName), "")
		old := time.Now().Add(-time.Duration(i+1) * time.Hour)
		if name == "build-young" {
			old = time.Now()
		}
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	prune(dir, "current")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"a", "b", "build-young", "current"}; !slices.Equal(names, want) {
		t.Errorf("%q are left, want %q", names, want)
	}
}
