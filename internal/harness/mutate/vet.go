package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// vet runs the tool over a module and gives, by folder, what it says as one text. Code that
// does not compile says so, which is another text.
func vet(dir, tool string) (map[string]string, error) {
	c := exec.Command("go", "vet", "-json", "-vettool="+tool, "./...")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("go vet: %w", err)
	}
	said := make(map[string][]string)
	var report bytes.Buffer
	inside := false // of a report, from brace to brace; errors of the compiler have lines set in, too
	for line := range strings.Lines(string(out)) {
		if inside = inside || line[0] == '{'; inside {
			report.WriteString(line)
			inside = line[0] != '}' && line != "{}\n"
			continue
		}
		if file, rest, ok := strings.Cut(strings.TrimPrefix(line, "vet: "), ".go:"); ok {
			f := folder(dir, filepath.Join(dir, file))
			said[f] = append(said[f], rest)
		}
	}
	if err := read(&report, dir, said); err != nil {
		return nil, err
	}
	all := make(map[string]string)
	for f, lines := range said {
		slices.Sort(lines)
		all[f] = strings.Join(lines, "\n")
	}
	return all, nil
}

// read adds the findings of a report as go vet -json writes it: one object a package.
func read(report *bytes.Buffer, dir string, said map[string][]string) error {
	for d := json.NewDecoder(report); d.More(); {
		var packages map[string]map[string]json.RawMessage
		if err := d.Decode(&packages); err != nil {
			return fmt.Errorf("what go vet says: %w", err)
		}
		for _, analyzers := range packages {
			for name, raw := range analyzers {
				var found []struct{ Posn, Message string }
				if json.Unmarshal(raw, &found) != nil {
					continue // an error, in whose place
				}
				for _, x := range found {
					f := folder(dir, x.Posn)
					said[f] = append(said[f], name+" "+x.Posn+" "+x.Message)
				}
			}
		}
	}
	return nil
}

// folder is the first folder below the module's in which a file is: what belongs together.
func folder(dir, file string) string {
	rel, err := filepath.Rel(dir, file)
	if err != nil {
		return file
	}
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return first
}
