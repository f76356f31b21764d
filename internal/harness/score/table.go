package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
)

// site is one labelled acquisition.
type site struct {
	file   string // relative to the repository's root, with slashes
	line   int
	idiom  string // the first part of a combination
	class  string
	writes []write
}

// write is one labelled write under a site.
type write struct {
	file  string
	line  int
	fence string // collapsed: fenced, guarded, open
}

// collapsed joins the fence classes of the table, and the guards of the register, into
// what a person would do about them.
var collapsed = map[string]string{
	"fenced-epoch": "fenced", "fenced-owner": "fenced",
	"cas": "guarded", "create-only": "guarded", "tx-lock": "guarded", "conn-bound": "guarded",
	"idempotency-keyed": "guarded", "idempotent-op": "guarded", "owner-scoped": "guarded",
	"unfenced": "open", "check-then-act": "open", "cas-local": "open",

	"fence": "fenced", "owner": "fenced",
	"session": "guarded", "create-once": "guarded", "idempotency-key": "guarded", "idempotent": "guarded",
	"none": "open", "cas-reread": "open",
}

// readTable reads the labelled sites of each repository.
func readTable(name string) (map[string][]site, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	column := make(map[string]int)
	for i, h := range records[0] {
		column[h] = i
	}
	for _, h := range []string{"repo", "file", "line", "idiom", "class", "writes"} {
		if _, ok := column[h]; !ok {
			return nil, fmt.Errorf("%s: no column %q", name, h)
		}
	}
	all := make(map[string][]site)
	for i, rec := range records[1:] {
		field := func(h string) string { return rec[column[h]] }
		s := site{file: path.Clean(field("file")), class: field("class")}
		s.idiom, _, _ = strings.Cut(field("idiom"), "+")
		if s.line, err = strconv.Atoi(field("line")); err == nil {
			s.writes, err = writesOf(field("writes"))
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+2, err)
		}
		all[field("repo")] = append(all[field("repo")], s)
	}
	return all, nil
}

// writesOf reads `file:line:kind:fence` joined by semicolons; "-" stands for none.
func writesOf(text string) ([]write, error) {
	if text == "-" || text == "" {
		return nil, nil
	}
	var list []write
	for one := range strings.SplitSeq(text, ";") {
		parts := strings.Split(one, ":")
		if len(parts) != 4 {
			return nil, fmt.Errorf("write %q is not file:line:kind:fence", one)
		}
		line, err := strconv.Atoi(parts[1])
		if err != nil {
			return nil, fmt.Errorf("write %q: %w", one, err)
		}
		fence, ok := collapsed[parts[3]]
		if !ok {
			return nil, fmt.Errorf("write %q: unknown fence class", one)
		}
		list = append(list, write{path.Clean(parts[0]), line, fence})
	}
	return list, nil
}
