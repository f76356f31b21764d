package sql

import "strings"

// Plausible are the dialects that a statement may be in, judged by its
// placeholders and by what only some databases understand; never none. An
// analysis that does not know the database proves under each of them.
func Plausible(text string) []Dialect {
	toks, _ := lex(text, nil, "")
	may := map[Dialect]bool{Postgres: true, MySQL: true, SQLite: true, SQLServer: true, Oracle: true, Cockroach: true}
	keep := func(ds ...Dialect) {
		out := make(map[Dialect]bool)
		for _, d := range ds {
			out[d] = may[d]
		}
		may = out
	}
	for i, t := range toks {
		switch {
		case t.kind == tParam:
			keep(placeholders[placeholder(t.text)]...)
		case t.kind == tQuoted && text[t.pos] == '`':
			keep(MySQL, SQLite)
		case t.kind == tOp && (t.text == "::" || t.text == ":::"):
			keep(Postgres, Cockroach)
		case t.kind == tIdent:
			for _, s := range signs {
				if s.at(toks[i:]) {
					keep(s.only...)
				}
			}
		}
	}
	var out []Dialect
	for _, d := range Dialects() {
		if may[d] && d != Cockroach { // reads like Postgres
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		return []Dialect{Postgres, MySQL, SQLite, SQLServer, Oracle}
	}
	return out
}

// placeholder is the style of a parameter.
func placeholder(s string) string {
	switch {
	case s[0] == '@' && len(s) > 2 && s[1] == 'p' && isDigit(s[2]):
		return "@p"
	case s[0] == '$' && isDigit(s[1]):
		return "$1"
	case s[0] == ':' && isDigit(s[1]):
		return ":1"
	}
	return s[:1]
}

// placeholders says which databases take a style, by themselves or through
// libraries that rewrite it.
var placeholders = map[string][]Dialect{
	"$1": {Postgres, Cockroach}, "$": {SQLite}, "@p": {SQLServer, Postgres}, "@": {SQLServer, Postgres, SQLite, MySQL}, ":1": {Oracle, SQLite},
	":": {Oracle, Postgres, SQLite, MySQL}, "?": {MySQL, SQLite, Postgres},
}

// sign is a run of words that only some dialects have.
type sign struct {
	words string
	only  []Dialect
}

var signs = []sign{
	{"on duplicate key", []Dialect{MySQL}}, {"insert ignore", []Dialect{MySQL}}, {"replace into", []Dialect{MySQL, SQLite}},
	{"insert or", []Dialect{SQLite}}, {"update or", []Dialect{SQLite}}, {"on conflict", []Dialect{Postgres, SQLite, Cockroach}},
	{"merge into", []Dialect{Postgres, Oracle, SQLServer}}, {"upsert into", []Dialect{Cockroach}},
	{"from dual", []Dialect{Oracle, MySQL}}, {"ifnull", []Dialect{MySQL, SQLite}}, {"with holdlock", []Dialect{SQLServer}},
	{"returning nothing", []Dialect{Cockroach}}, {"skip locked", []Dialect{Postgres, MySQL, Oracle, Cockroach}},
	{"for update", []Dialect{Postgres, MySQL, Oracle, Cockroach}}, {"for share", []Dialect{Postgres, MySQL, Cockroach}},
}

func (s sign) at(toks []token) bool {
	for i, w := range strings.Fields(s.words) {
		if i >= len(toks) || toks[i].kind != tIdent || toks[i].text != w {
			return false
		}
	}
	return true
}
