package editor

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// asCommand makes the test program behave as `fencelint gopls`.
const asCommand = "FENCELINT_TEST_COMMAND"

func init() {
	if os.Getenv(asCommand) != "" {
		os.Exit(Gopls(os.Args[1:], os.Stdout, os.Stderr))
	}
}

// fakeGopls tells its version; run otherwise, it shows its arguments and its input.
const fakeGopls = `#!/bin/sh
if [ "$*" = version ]; then echo "golang.org/x/tools/gopls VERSION"; exit; fi
echo "plain: $*"
cat
exit 7
`

// TestFallback: whatever is wrong, the plain gopls runs with the arguments, the input and
// the output that were meant for the other one, and the reason is on standard error.
func TestFallback(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins for go and gopls are shell scripts")
	}
	const noNetwork = "#!/bin/sh\ncase $1 in env) echo '{\"GOVERSION\":\"go1.26.8\",\"GOTOOLCHAIN\":\"local\"}';;\n" +
		"*) echo 'dial tcp: lookup: no such host' >&2; exit 1;; esac\n"
	for _, test := range []struct{ name, version, goCommand, flags, why string }{
		{"unknown version", "v0.19.0", noNetwork, "", "gopls v0.19.0 is not one"},
		{"built from source", "(devel)", noNetwork, "", "gopls (devel) is not one"},
		{"unknown version asked for", "v0.23.0", noNetwork, "-gopls=v9.9.9", "gopls v9.9.9 is not one"},
		{"no network", "v0.23.0", noNetwork, "", "gopls v0.23.0 is not available: go list: exit status 1\ndial tcp"},
		{"no go command", "v0.23.0", "", "", "the go command is not available"},
		{"no source", "v0.23.0", noNetwork, "-source=/nowhere", "does not hold its source"},
		{"go that fails", "v0.23.0", "#!/bin/sh\necho broken >&2; exit 1\n", "", "broken"},
	} {
		t.Run(test.name, func(t *testing.T) {
			bin := t.TempDir()
			script(t, bin, "gopls", strings.Replace(fakeGopls, "VERSION", test.version, 1))
			if test.goCommand != "" {
				script(t, bin, "go", test.goCommand)
			}
			code, stdout, stderr := asProcess(t, bin, append(strings.Fields(test.flags), "serve", "-rpc.trace")...)
			if code != 7 || stdout != "plain: serve -rpc.trace\nContent-Length: 0\r\n\r\n" {
				t.Errorf("exit code %d, output %q", code, stdout)
			}
			if !strings.Contains(stderr, test.why) || !strings.Contains(stderr, "without the rules") {
				t.Errorf("standard error does not say %q:\n%s", test.why, stderr)
			}
		})
	}
}

// TestNoFallback: with no gopls at all, or if only the path is asked for, it says so.
func TestNoFallback(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for gopls is a shell script")
	}
	code, stdout, stderr := asProcess(t, t.TempDir(), "serve")
	if code != exitFailure || stdout != "" || !strings.Contains(stderr, "there is no gopls in PATH") {
		t.Errorf("no gopls: exit code %d, output %q\n%s", code, stdout, stderr)
	}
	bin := t.TempDir()
	script(t, bin, "gopls", strings.Replace(fakeGopls, "VERSION", "v0.23.0", 1))
	code, stdout, stderr = asProcess(t, bin, "-path")
	if code != exitFailure || stdout != "" || !strings.Contains(stderr, "not available") {
		t.Errorf("-path: exit code %d, output %q\n%s", code, stdout, stderr)
	}
}

// TestWrapper: a gopls in PATH that runs fencelint does not go round in circles, and the
// one behind it is found.
func TestWrapper(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for gopls is a shell script")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	wrapper, real := t.TempDir(), t.TempDir()
	script(t, wrapper, "gopls", "#!/bin/sh\nexec '"+self+"' \"$@\"\n")
	script(t, real, "gopls", strings.Replace(fakeGopls, "VERSION", "v0.23.0", 1))
	code, stdout, stderr := asProcess(t, wrapper, "serve")
	if code != exitFailure || stdout != "" || !strings.Contains(stderr, "there is no gopls in PATH") {
		t.Errorf("the wrapper alone: exit code %d, output %q\n%s", code, stdout, stderr)
	}
	code, stdout, _ = asProcess(t, wrapper+string(filepath.ListSeparator)+real, "serve")
	if code != 7 || !strings.HasPrefix(stdout, "plain: serve\n") {
		t.Errorf("the wrapper before a gopls: exit code %d, output %q", code, stdout)
	}
}

func script(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// asProcess runs the command with path and the system's own programs as PATH.
func asProcess(t *testing.T, path string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tools := t.TempDir()
	for _, name := range []string{"sh", "cat"} {
		real, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("no %s here: %v", name, err)
		}
		if err := os.Symlink(real, filepath.Join(tools, name)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), asCommand+"=1", cacheVariable+"="+t.TempDir(),
		"PATH="+path+string(filepath.ListSeparator)+tools)
	cmd.Stdin = strings.NewReader("Content-Length: 0\r\n\r\n")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}
