package classify

import (
	"go/token"
	"strings"
)

// near gives what a comment says behind "fencelint:" if it was meant as a
// directive and is none, with the reason; ok is false for any other comment.
// The parser has refused the comment already. Words in the middle of a sentence
// are prose.
func near(text string) (rest, why string, ok bool) {
	if body, isLine := strings.CutPrefix(text, "//"); isLine {
		return nearLine(body)
	}
	body := strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/")
	for l := range strings.Lines(body) {
		if rest, ok := marked(strings.TrimLeft(l, "* \t")); ok {
			return rest, "a block comment is no directive", true
		}
	}
	return "", "", false
}

func nearLine(body string) (rest, why string, ok bool) {
	bare := strings.TrimLeft(body, " \t")
	if rest, ok := marked(bare); ok {
		switch {
		case len(bare) < len(body):
			return rest, "a directive has no blank behind //", true
		case strings.HasPrefix(body, tool+":"):
			return rest, "a verb in small letters follows the colon of a directive at once", true
		}
		return rest, "a directive begins with " + tool + ": in small letters", true
	}
	if strings.HasPrefix(body, "/") {
		if rest, ok := marked(strings.TrimLeft(body, "/")); ok {
			return rest, "a directive has two slashes", true
		}
	}
	if _, after, found := strings.Cut(body, " //"+tool+":"); found && foreign(body) {
		return after, "a directive has a comment of its own; put it on a line above the code", true
	}
	return "", "", false
}

// marked cuts the name of the tool and a colon, in whatever letters, from s. A
// number behind the colon is no verb: model files begin like that.
func marked(s string) (rest string, ok bool) {
	if len(s) < len(tool) || !strings.EqualFold(s[:len(tool)], tool) {
		return "", false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(s[len(tool):], " \t"), ":")
	word := strings.TrimLeft(rest, " \t")
	if word != "" && word[0] >= '0' && word[0] <= '9' {
		return "", false
	}
	return rest, ok
}

// foreign reports whether a comment is a directive for another tool, such as
// "nolint:errcheck", so that what follows is no sentence.
func foreign(body string) bool {
	head := body[:blank(body)]
	name, _, ok := strings.Cut(head, ":")
	return ok && name != "" && name == strings.ToLower(name)
}

// repair is the directive that a near one was meant to be, nil if it cannot be told.
func repair(pos token.Pos, rest string, rules []string) *draft {
	first, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rest), "*/"), "\n")
	if first = strings.TrimLeft(first, " \t"); first == "" {
		return nil
	}
	head := blank(first)
	return parse(pos, "//"+tool+":"+strings.ToLower(first[:head])+first[head:], rules)
}
