package rule

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns s fit for a terminal and for one line: control and
// formatting characters, which may come from analysed source, are written as
// escapes; line breaks and tabs become spaces.
func Printable(s string) string {
	if !strings.ContainsFunc(s, unprintable) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !unprintable(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// unprintable: controls (Cc), formats such as direction overrides (Cf), line and
// paragraph separators, surrogates and private use.
func unprintable(r rune) bool {
	return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp)
}
