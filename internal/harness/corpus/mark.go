package corpus

import (
	"bufio"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Mark is one expected finding: `// want "rule"` at the end of its line.
type Mark struct {
	File  string // with slashes, relative to the root of the corpus
	Line  int
	Rules []string // any one of them will do
}

func (m Mark) String() string {
	return fmt.Sprintf("%s:%d: %s", m.File, m.Line, strings.Join(m.Rules, "|"))
}

var (
	marks = regexp.MustCompile(`// want((?: "[a-z|]+")+)\s*$`)
	mark  = regexp.MustCompile(`"([a-z|]+)"`)
)

// Marks reads the marks of all Go files below root. A `// want` that is no mark is
// an error: it would be an expectation that nobody checks.
func Marks(root string) ([]Mark, error) {
	var all []Mark
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		found, err := marksOf(path, Relative(root, path))
		all = append(all, found...)
		return err
	})
	return all, err
}

func marksOf(path, name string) ([]Mark, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var found []Mark
	sc := bufio.NewScanner(f)
	for line := 1; sc.Scan(); line++ {
		m := marks.FindStringSubmatch(sc.Text())
		if m == nil {
			if strings.Contains(sc.Text(), "// want ") {
				return nil, fmt.Errorf("%s:%d: this mark cannot be read: %s", name, line, strings.TrimSpace(sc.Text()))
			}
			continue
		}
		for _, one := range mark.FindAllStringSubmatch(m[1], -1) {
			found = append(found, Mark{File: name, Line: line, Rules: strings.Split(one[1], "|")})
		}
	}
	return found, sc.Err()
}

// Wrong is one difference between marks and findings.
type Wrong struct {
	File string
	Line int
	Text string
}

func (w Wrong) String() string { return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.Text) }

// Check compares findings with marks: each mark is met by exactly one finding on its
// line, and no other finding is there. Of several findings that a mark admits the
// one is taken that no other mark needs.
func Check(marks []Mark, findings []Finding) []Wrong {
	byLine := map[Position][]Finding{}
	for _, f := range Normal(findings) {
		at := Position{File: f.File, Line: f.Line}
		byLine[at] = append(byLine[at], f)
	}
	want := map[Position][]Mark{}
	for _, m := range marks {
		at := Position{File: m.File, Line: m.Line}
		want[at] = append(want[at], m)
	}
	var wrong []Wrong
	for at, ms := range want {
		rest, missing := match(ms, byLine[at])
		for _, m := range missing {
			wrong = append(wrong, Wrong{at.File, at.Line, "missing " + strings.Join(m.Rules, "|")})
		}
		byLine[at] = rest
	}
	for at, rest := range byLine {
		for _, f := range rest {
			wrong = append(wrong, Wrong{at.File, at.Line, "unexpected " + f.Rule + ": " + f.Message})
		}
	}
	slices.SortFunc(wrong, func(a, b Wrong) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text, b.Text))
	})
	return wrong
}

// match pairs the marks of one line with its findings, the choosiest mark first.
func match(ms []Mark, fs []Finding) (rest []Finding, missing []Mark) {
	ms, rest = slices.Clone(ms), slices.Clone(fs)
	slices.SortStableFunc(ms, func(a, b Mark) int { return cmp.Compare(len(a.Rules), len(b.Rules)) })
	for _, m := range ms {
		i := slices.IndexFunc(rest, func(f Finding) bool { return slices.Contains(m.Rules, f.Rule) })
		if i < 0 {
			missing = append(missing, m)
			continue
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest, missing
}
