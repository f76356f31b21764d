package prove

import (
	"strings"

	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/term"
)

// What is put into a statement as a plain word, or in quotes that it cannot leave,
// changes no condition: a hole of which that is known is one for an identifier.

// quoters are functions whose result is a name in the quotes of SQL.
var quoters = map[string]bool{
	"github.com/lib/pq.QuoteIdentifier": true, "github.com/jackc/pgx/v5.Identifier.Sanitize": true,
	"github.com/jackc/pgx/v4.Identifier.Sanitize": true, "github.com/jackc/pgx.Identifier.Sanitize": true,
}

// wordMakers are functions whose result has only letters, digits and underscores.
var wordMakers = map[string]bool{
	"encoding/hex.EncodeToString": true, "crypto/rand.Text": true, "strconv.Itoa": true, "strconv.FormatInt": true,
	"strconv.FormatUint": true, "strconv.FormatBool": true, "github.com/rs/xid.ID.String": true,
	"github.com/oklog/ulid/v2.ULID.String": true, "github.com/oklog/ulid.ULID.String": true,
}

// wordFrom reports whether a value that is put into a text is a plain word, or a name in
// quotes of its own.
func wordFrom(t *term.Term) bool {
	switch {
	case t.Kind != term.Call:
		return false
	case quoters[t.Str], wordMakers[t.Str]:
		return true
	}
	return replaces(t, "-", "") && isUUID(t.Args[0])
}

func isUUID(t *term.Term) bool {
	return t.Kind == term.Call && (strings.HasSuffix(t.Str, "uuid.UUID.String") || strings.HasSuffix(t.Str, "uuid.NewString"))
}

// replaces reports whether a call replaces each old text in a value by a new one.
func replaces(t *term.Term, old, with string) bool {
	if t.Kind != term.Call || t.Str != "strings.ReplaceAll" && t.Str != "strings.Replace" || len(t.Args) < 3 {
		return false
	}
	if n, ok := term.IntValue(t.Args[len(t.Args)-1]); len(t.Args) == 4 && (!ok || n >= 0) {
		return false
	}
	a, ok := term.StringValue(t.Args[1])
	b, ok2 := term.StringValue(t.Args[2])
	return ok && ok2 && a == old && b == with
}

// quoted marks the holes that stand, wherever they do, in quotes which the inserted text
// doubles.
func (t *text) quoted() {
	free := make(map[int]bool)
	runes := []rune(t.s)
	for i, r := range runes {
		if !isHole(r) {
			continue
		}
		n := int(r - holeRune)
		if i == 0 || i+1 == len(runes) || n >= len(t.from) || runes[i-1] != runes[i+1] || !doubles(t.from[n], string(runes[i-1])) {
			free[n] = true
		}
	}
	for n := range t.holes {
		t.holes[n].Ident = t.holes[n].Ident || !free[n]
	}
	for i, r := range runes {
		if n := int(r - holeRune); i > 0 && isHole(r) && n < len(t.holes) && runes[i-1] == '-' {
			t.holes[n].Ident = false // a negative number begins a comment there
		}
	}
}

// doubles reports whether a value has each quote in it doubled.
func doubles(t *term.Term, quote string) bool {
	return (quote == `"` || quote == "`") && replaces(t, quote, quote+quote)
}

// isWord reports whether a text is a plain word.
func isWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
}

// oneOfWords is the form of a text in whose place only plain words can stand.
func oneOfWords(t *term.Term) (text, bool) {
	if t.Kind != term.Alt {
		return text{}, false
	}
	for _, a := range t.Args {
		if s, ok := term.StringValue(a); !ok || !isWord(s) || keyword[strings.ToLower(s)] {
			return text{}, false
		}
	}
	return hole(t, fsql.Hole{Ident: true, Reason: "it is one of several words: " + t.String()}), true
}

// keyword lists the words that can change a condition where a name is expected.
var keyword = map[string]bool{"or": true, "and": true, "not": true, "null": true, "true": true, "false": true, "where": true}
