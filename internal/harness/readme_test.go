package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/fencelint/fencelint/internal/harness/kit"
	"github.com/fencelint/fencelint/model"
)

// session is one block of a page:
//
//	```console
//	$ command
//	what it prints
//	```
//
// A block whose first line is `# not run` shows what the test cannot do.
type session struct {
	line  int
	body  string
	steps []step
}

type step struct{ command, output string }

var consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// sessions reads the blocks of a page. A command goes on behind a backslash.
func sessions(page string) []session {
	var all []session
	for _, at := range consoleBlock.FindAllStringSubmatchIndex(page, -1) {
		body := page[at[2]:at[3]]
		if strings.HasPrefix(body, "# not run") {
			continue
		}
		s := session{line: 1 + strings.Count(page[:at[0]], "\n"), body: body}
		more := false
		for line := range strings.Lines(body) {
			command, isCommand := strings.CutPrefix(line, "$ ")
			switch last := len(s.steps) - 1; {
			case more:
				s.steps[last].command += line
			case isCommand:
				s.steps = append(s.steps, step{command: command})
			case last >= 0:
				s.steps[last].output += line
			}
			if isCommand || more {
				more = strings.HasSuffix(line, "\\\n")
			}
		}
		all = append(all, s)
	}
	return all
}

// TestReadme runs what the pages show, in a copy of the repository, and compares what
// it prints. With FENCELINT_PAGES=write it puts that into the pages instead.
func TestReadme(t *testing.T) {
	kit.Integration(t)
	for _, page := range []string{"README.md", "docs/directives.md", "docs/proof.md", "docs/ci.md", "docs/register.md"} {
		file := filepath.Join(kit.Root(t), filepath.FromSlash(page))
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for _, s := range sessions(text) {
			var fresh strings.Builder
			dir := cloned(t)
			for _, step := range s.steps {
				got := runStep(t, dir, step)
				fresh.WriteString("$ " + step.command + got)
				if want := step.output; got != want && !writePages() {
					t.Errorf("%s:%d: %s\nprints\n%s\nthe page says\n%s", page, s.line, strings.TrimSpace(step.command), got, want)
				}
			}
			text = strings.Replace(text, s.body, fresh.String(), 1)
		}
		if writePages() && text != string(data) {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func writePages() bool { return os.Getenv("FENCELINT_PAGES") == "write" }

// runStep runs one command with the tool on its path, and returns all that it prints.
func runStep(t *testing.T, dir string, s step) string {
	t.Helper()
	cmd := exec.Command("bash", "-c", s.command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(kit.Tool(t))+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out)
}

// cloned copies what is committed into a fresh folder.
func cloned(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range committed(t) {
		data, err := os.ReadFile(filepath.Join(kit.Root(t), filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, name, string(data))
	}
	return dir
}

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// TestFilesOfCI reads the files that the page about CI shows.
func TestFilesOfCI(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(kit.Root(t), "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, m := range yamlBlock.FindAllStringSubmatch(string(page), -1) {
		name, _, _ := strings.Cut(strings.TrimPrefix(m[1], "# "), "\n")
		var file map[string]any
		if err := yaml.Unmarshal([]byte(m[1]), &file); err != nil || len(file) == 0 {
			t.Errorf("%s: %v %v", name, file, err)
		}
		if name == "fencelint.yaml" {
			dir := t.TempDir()
			writeFile(t, dir, name, m[1])
			if _, err := model.Builtin().With(filepath.Join(dir, name)); err != nil {
				t.Error(err)
			}
		}
		seen++
	}
	if seen != 3 {
		t.Errorf("%d files, want those of GitHub, of GitLab and of fencelint", seen)
	}
}

// TestSessions tests the reader of pages.
func TestSessions(t *testing.T) {
	page := "text\n```console\n$ a \\\n  b\none\ntwo\n$ c\n```\n```console\n# not run\n$ d\n```\n"
	got := sessions(page)
	if len(got) != 1 || got[0].line != 2 || len(got[0].steps) != 2 {
		t.Fatalf("%+v", got)
	}
	want := []step{{"a \\\n  b\n", "one\ntwo\n"}, {"c\n", ""}}
	for i := range want {
		if got[0].steps[i] != want[i] {
			t.Errorf("step %d: %+v, want %+v", i, got[0].steps[i], want[i])
		}
	}
}
