package sql

import (
	"regexp"
	"strings"
	"sync"
)

// marks are the ways in which a written statement shows a piece that is not known yet:
// ⟦name⟧, or an action of a template.
var marks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`⟦([^⟦⟧]+)⟧|\{\{-?\s*([.$A-Za-z_][^{},]*?)\s*-?\}\}`)
})

// Marked turns a statement that a person wrote down into a text with holes. Equal names
// are the same text. A name that starts with "ident:" stands for letters, digits and
// underscores, one that starts with a comma for text that starts with it.
func Marked(text string) (string, []Hole) {
	if !strings.Contains(text, "⟦") && !strings.Contains(text, "{{") {
		return text, nil
	}
	var holes []Hole
	index := make(map[string]int)
	out := marks().ReplaceAllStringFunc(text, func(mark string) string {
		part := marks().FindStringSubmatch(mark)
		name := part[1] + part[2]
		n, ok := index[name]
		if !ok {
			if n = len(holes); n == MaxHoles {
				return mark
			}
			index[name] = n
			h := Hole{Ident: strings.HasPrefix(name, "ident:"), Reason: name + " is inserted"}
			if name[0] == ',' {
				h.Starts = ", "
			}
			holes = append(holes, h)
		}
		return string(HoleBase + rune(n))
	})
	return out, holes
}

// Shown writes a text that may have holes for people.
func Shown(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= HoleBase && r <= 0xF8FF {
			return '…'
		}
		return r
	}, s)
}
