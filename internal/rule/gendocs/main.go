// Command gendocs writes docs/rules: one page a rule and an index, from the
// documentation that the rules carry. Run it through `go generate ./analyzers`.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/fencelint/fencelint/analyzers"
	"github.com/fencelint/fencelint/internal/rule"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gendocs: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: gendocs DIRECTORY")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// write makes the pages in dir and removes pages of rules that are gone.
func write(dir string) error {
	want := pages(analyzers.Docs)
	have, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return err
	}
	for _, f := range have {
		if _, ok := want[filepath.Base(f)]; !ok {
			if err := os.Remove(f); err != nil {
				return err
			}
		}
	}
	for name, text := range want {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// pages returns the text of every page by its file name.
func pages(docs []*rule.Doc) map[string]string {
	all := map[string]string{"README.md": index(docs)}
	for _, d := range docs {
		all[d.Name+".md"] = d.Markdown()
	}
	return all
}

func index(docs []*rule.Doc) string {
	var b bytes.Buffer
	b.WriteString("# Rules\n\n" +
		"The word is the analyzer's name, the flag of `go vet`, the category, and the word after `accept`.\n")
	for _, g := range rule.Groups() {
		var rows []string
		for _, d := range docs {
			if d.Group() == g {
				rows = append(rows, fmt.Sprintf("| [%s](%s.md) | %s | %s |\n", d.Name, d.Name, d.Level(), d.Title))
			}
		}
		if len(rows) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n| rule | severity | reports |\n|---|---|---|\n%s",
				strings.ToUpper(g[:1])+g[1:], strings.Join(rows, ""))
		}
	}
	return b.String()
}
