package editor

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestPins compiles the analyzers against what the newest gopls of each line requires,
// also of the lines whose gopls this Go is too old for.
func TestPins(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test compiles the analyzers once for each line of gopls")
	}
	tools, err := findToolchain("")
	if err != nil {
		t.Fatal(err)
	}
	own, err := ownOrigin(nil, root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		t.Run(l.newest, func(t *testing.T) {
			dir := t.TempDir()
			r, err := order{l.newest, l, own, tools}.recipe(dir)
			if errors.Is(err, errUnavailable) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			r.goLine = leastGo
			module := strings.Replace(r.module(), "\t"+goplsPath+" "+l.newest+"\n", "", 1)
			put(t, filepath.Join(dir, "go.mod"), module)
			if _, err := tools.run(dir, buildTime, "build", ownPath+"/analyzers"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBuilt: the program says which gopls it is, also under the name that needs no
// arguments.
func TestBuilt(t *testing.T) {
	command := server(t)
	link := filepath.Join(t.TempDir(), "fencelint-gopls"+filepath.Ext(programName))
	if err := os.Symlink(command[0], link); err != nil {
		if runtime.GOOS != "windows" {
			t.Fatal(err)
		}
		t.Skipf("no links here: %v", err)
	}
	for _, args := range [][]string{append(command, "version"), append([]string{link}, append(command[2:], "version")...)} {
		out, err := exec.Command(args[0], args[1:]...).Output()
		if want := "golang.org/x/tools/gopls/fencegopls " + tested + "+fencelint\n"; err != nil || string(out) != want {
			t.Errorf("%q: %v, %q", args, err, out)
		}
	}
}

// TestInjection: that gopls's list of analyzers has another form is found out before the
// program is used.
func TestInjection(t *testing.T) {
	tool(t)
	tools, err := findToolchain("")
	if err != nil {
		t.Fatal(err)
	}
	own, err1 := ownOrigin(nil, root(t))
	l, err2 := lineOf(tested)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	o := order{tested, l, own, tools}
	r, err := o.recipe(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.write(dir); err != nil {
		t.Fatal(err)
	}
	_, broken := without(t, filepath.Join(dir, "inject", "inject.go"), `"severity", `)
	put(t, filepath.Join(dir, "inject", "inject.go"), strings.Replace(broken, "set(a, severity(", `set(a, "gone", severity(`, 1))
	_, err = o.compile(dir)
	if err == nil || !strings.Contains(err.Error(), "does not start") || !strings.Contains(err.Error(), "no field gone") {
		t.Errorf("a field that is gone: %v", err)
	}
}
