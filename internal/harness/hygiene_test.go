package harness

import (
	"bytes"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fencelint/fencelint/internal/harness/kit"
)

// maxLines bounds a Go file; a longer one is more than one room.
const maxLines = 700

// committed lists the files that git knows or would take, as paths from the root.
func committed(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = kit.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("no list of files without git and its folder: %v", err)
	}
	var names []string
	for name := range strings.SplitSeq(strings.Trim(string(out), "\x00"), "\x00") {
		if _, err := os.Lstat(filepath.Join(kit.Root(t), filepath.FromSlash(name))); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// banned are words that have no place in the repository: paths of one machine, hosts
// of package registries, and talk about how the work is organised. They are put
// together here, so that this file does not hold them.
var banned = regexp.MustCompile(strings.Join([]string{
	`/(work|root|home)/(main|shared|go|[a-z]+/)\b`, `/tmp/` + `fl\b`, `/root/` + `\.`,
	`proxy\.` + `golang\.org`, `sum\.` + `golang\.org`, `registry\.` + `npmjs`, `deb\.` + `debian\.org`,
	`(?i:before-` + `stop\b)`, `\bCOMPASS` + `\.md`, `\bDEVELOPERS` + `\.md`,
	`(?i:\bsub-?` + `agent)`, `(?i:\bthe ` + `lead\b)`, `(?i:\bmy ` + `brief\b)`, `\bTO` + `DO\b`, `\bFIX` + `ME\b`, `\bX` + `XX\b`,
}, "|"))

// TestFiles reads every file of the repository.
func TestFiles(t *testing.T) {
	for _, name := range committed(t) {
		data, err := os.ReadFile(filepath.Join(kit.Root(t), filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, fault := range faults(name, data) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

func faults(name string, data []byte) (out []string) {
	if bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
		if !strings.Contains(name, "testdata/") {
			out = append(out, "no text")
		}
		return out
	}
	if len(data) > 0 && data[len(data)-1] != '\n' && !strings.Contains(name, "testdata/") {
		out = append(out, "no newline at its end")
	}
	if filepath.Base(name) != "go.sum" {
		for i, line := range strings.Split(string(data), "\n") {
			if m := banned.FindString(line); m != "" {
				out = append(out, "line "+strconv.Itoa(i+1)+" holds "+m)
			}
		}
	}
	if strings.HasSuffix(name, ".go") {
		out = append(out, goFaults(name, data)...)
	}
	return out
}

func goFaults(name string, data []byte) (out []string) {
	generated := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`).Match(data)
	if n := bytes.Count(data, []byte("\n")); n > maxLines && !generated {
		out = append(out, strconv.Itoa(n)+" lines")
	}
	switch formatted, err := format.Source(data); {
	case strings.Contains(name, "testdata/") && err != nil:
	case err != nil:
		out = append(out, err.Error())
	case !bytes.Equal(formatted, data) && !bytes.Contains(data, []byte("\r\n")):
		out = append(out, "gofmt would change it")
	}
	return out
}

// TestMaps compares the maps of the large rooms, in their doc.go, with the files that are there.
func TestMaps(t *testing.T) {
	for _, room := range []string{"flow", "prove"} {
		dir := filepath.Join(kit.Root(t), "internal", room)
		doc, err := os.ReadFile(filepath.Join(dir, "doc.go"))
		if err != nil {
			t.Fatal(err)
		}
		listed := regexp.MustCompile(`\w+\.go\b`).FindAllString(string(doc), -1)
		there, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		var files []string
		for _, f := range there {
			if f = filepath.Base(f); f != "doc.go" && !strings.HasSuffix(f, "_test.go") {
				files = append(files, f)
			}
		}
		slices.Sort(listed)
		slices.Sort(files)
		if !slices.Equal(listed, files) {
			t.Errorf("doc.go of %s lists\n%v\nand there are\n%v", room, listed, files)
		}
	}
}

// TestLicence: the licence is there and is the one that the project says.
func TestLicence(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(kit.Root(t), "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(data), "BSD 3-Clause License") {
		t.Error("LICENSE is not the BSD 3-Clause License")
	}
}

// TestLinks: a link in a page leads to a file that is there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)]*)?\)`)
	for _, name := range committed(t) {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(kit.Root(t), filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			target := filepath.Join(kit.Root(t), filepath.Dir(filepath.FromSlash(name)), filepath.FromSlash(m[1]))
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: link to %s: %v", name, m[1], err)
			}
		}
	}
}
