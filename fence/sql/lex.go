package sql

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fencelint/fencelint/fence"
)

type lexer struct {
	src      string
	holes    []Hole
	d        Dialect
	pos      int
	toks     []token
	ordinal  int // of the last `?`
	brackets int
	problems []fence.Problem
	code     int // depth of executable comments
}

func lex(src string, holes []Hole, d Dialect) ([]token, []fence.Problem) {
	l := &lexer{src: src, holes: holes, d: d}
	for l.next() {
	}
	l.toks = append(l.toks, token{kind: tEOF, pos: len(src), end: len(src)})
	return l.toks, l.problems
}

func (l *lexer) mysql() bool  { return l.d == MySQL }
func (l *lexer) google() bool { return l.d == GoogleSQL }
func (l *lexer) pg() bool     { return l.d == Postgres || l.d == Cockroach || l.d == "" }

func (l *lexer) at(i int) byte {
	if l.pos+i < len(l.src) {
		return l.src[l.pos+i]
	}
	return 0
}

func (l *lexer) has(s string) bool { return strings.HasPrefix(l.src[l.pos:], s) }

func (l *lexer) problem(reason string, from int) {
	l.problems = append(l.problems, fence.Problem{Reason: reason, Text: clip(l.src[from:min(len(l.src), from+60)]), Offset: from})
}

func (l *lexer) emit(k kind, text string, from, hole int) {
	l.toks = append(l.toks, token{k, text, from, l.pos, hole})
}

// next reads one token or piece of white space; it is false at the end.
func (l *lexer) next() bool {
	if l.pos >= len(l.src) {
		return false
	}
	c := l.src[l.pos]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
		l.pos++
	case l.comment():
	case c == '\'':
		l.str("")
	case c == '"':
		l.doubleQuote()
	case c == '`':
		l.quoted('`')
	case c == '[' && l.bracketName():
		l.quoted(']')
	case c >= '0' && c <= '9' || c == '.' && isDigit(l.at(1)):
		l.number()
	case c == '@' && l.google() && l.hint():
	case c == '$' && l.dollar():
	case c == '?' || c == ':' || c == '@':
		if !l.param() {
			l.op()
		}
	case isWordByte(c):
		l.word()
	default:
		l.op()
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func isWordRune(r rune) bool {
	return r == '_' || r == '$' || r == '#' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// continues tells whether r can be part of the word before it. Inserted text
// can, unless it is known to start with something else.
func (l *lexer) continues(r rune) bool {
	h := l.hole(r)
	if h < 0 {
		return isWordRune(r)
	}
	if h >= len(l.holes) || l.holes[h].Starts == "" {
		return true
	}
	first, _ := utf8.DecodeRuneInString(l.holes[h].Starts)
	return isWordRune(first)
}

// comment skips one comment. What MySQL executes is read as code.
func (l *lexer) comment() bool {
	switch {
	case l.has("--") && (!l.mysql() || l.at(2) <= ' '):
		l.line()
	case l.has("#") && (l.mysql() || l.google()):
		l.line()
	case l.mysql() && (l.has("/*!") || l.has("/*M!")):
		l.pos += strings.IndexByte(l.src[l.pos:], '!') + 1
		for isDigit(l.at(0)) {
			l.pos++
		}
		l.code++
	case l.code > 0 && l.has("*/"):
		l.code--
		l.pos += 2
	case l.has("/*"):
		l.block()
	default:
		return false
	}
	return true
}

func (l *lexer) line() {
	from := l.pos
	if i := strings.IndexByte(l.src[l.pos:], '\n'); i >= 0 {
		l.pos += i + 1
	} else {
		l.pos = len(l.src)
	}
	l.hidden(from)
}

// hint skips @{...}, which says how a statement of GoogleSQL is carried out.
func (l *lexer) hint() bool {
	end := strings.IndexByte(l.src[l.pos:], '}')
	if l.at(1) != '{' || end < 0 {
		return false
	}
	from := l.pos
	l.pos += end + 1
	l.hidden(from)
	return true
}

// hidden reports a hole inside a comment: it may end it.
func (l *lexer) hidden(from int) {
	if h := l.dirty(l.src[from:l.pos]); h > 0 {
		l.problem("inserted text inside a comment may end it: "+l.reason(h), from)
	}
}

func (l *lexer) block() {
	from, depth := l.pos, 0
	for l.pos < len(l.src) {
		switch {
		case l.has("/*") && (depth == 0 || l.nests()):
			depth++
			l.pos += 2
		case l.has("*/"):
			depth--
			l.pos += 2
			if depth == 0 {
				l.hidden(from)
				return
			}
		default:
			l.pos++
		}
	}
	l.problem("comment is not closed", from)
}

func (l *lexer) nests() bool { return l.pg() || l.d == SQLServer }

// dirty is 1 + the index of the first hole in s that may end a word, else 0.
func (l *lexer) dirty(s string) int {
	for _, r := range s {
		if h := l.hole(r); h >= 0 && !(h < len(l.holes) && l.holes[h].Ident) {
			return h + 1
		}
	}
	return 0
}

func (l *lexer) hole(r rune) int {
	if r >= HoleBase && r <= 0xF8FF {
		return int(r - HoleBase)
	}
	return -1
}

func (l *lexer) reason(h int) string {
	if h > 0 && h <= len(l.holes) && l.holes[h-1].Reason != "" {
		return l.holes[h-1].Reason
	}
	return "a part of the text is built at run time"
}

// bracketName tells whether [ starts a quoted name rather than a subscript.
func (l *lexer) bracketName() bool {
	if l.d != SQLServer && l.d != SQLite {
		return false
	}
	return true
}

func (l *lexer) number() {
	from := l.pos
	if l.has("0x") || l.has("0X") {
		l.pos += 2
	}
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		r, size := utf8.DecodeRuneInString(l.src[l.pos:])
		switch {
		case isDigit(c) || c == '.' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			l.pos++
		case (c == '+' || c == '-') && (l.src[l.pos-1] == 'e' || l.src[l.pos-1] == 'E') && l.pos > from+1 && !strings.HasPrefix(l.src[from:], "0x"):
			l.pos++
		case l.hole(r) >= 0 && l.continues(r):
			l.pos += size
		default:
			l.emitNumber(from)
			return
		}
	}
	l.emitNumber(from)
}

func (l *lexer) emitNumber(from int) {
	text := l.src[from:l.pos]
	k := tNum
	for _, r := range text {
		if l.hole(r) >= 0 {
			k = tHole
		}
	}
	l.emit(k, text, from, l.dirty(text))
}

// dollar reads $1, $name and $tag$ ... $tag$.
func (l *lexer) dollar() bool {
	from := l.pos
	end := l.pos + 1
	digits := isDigit(l.at(1))
	for end < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[end:])
		if r == '$' || !l.continues(r) || digits && !unicode.IsDigit(r) && l.hole(r) < 0 {
			break
		}
		end += size
	}
	name := l.src[l.pos+1 : end]
	quote := end < len(l.src) && l.src[end] == '$' && (name == "" || !isDigit(name[0]))
	if quote && l.pg() {
		return l.dollarQuote(name, end+1)
	}
	if name == "" {
		return false
	}
	l.pos = end
	if h := l.anyHole(name); h > 0 {
		l.emit(tHole, l.src[from:l.pos], from, h)
		return true
	}
	l.emit(tParam, "$"+name, from, 0)
	return true
}

func (l *lexer) anyHole(s string) int {
	for _, r := range s {
		if h := l.hole(r); h >= 0 {
			return h + 1
		}
	}
	return 0
}

// param reads ?, ?1, :name, :1, @name. It is false for operators.
func (l *lexer) param() bool {
	from, c := l.pos, l.src[l.pos]
	if c == '?' {
		return l.question()
	}
	if c == ':' && (l.at(1) == ':' || l.at(1) == '=' || l.brackets > 0 || l.pos > 0 && l.src[l.pos-1] == ':') {
		return false
	}
	if c == '@' && (l.at(1) == '@' || l.pos > 0 && strings.IndexByte("<@!~", l.src[l.pos-1]) >= 0) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(l.src[l.pos+1:])
	if !l.continues(r) || r == '$' || r == '#' {
		return false
	}
	l.pos++
	text := l.wordText()
	if h := l.anyHole(text); h > 0 {
		l.emit(tHole, l.src[from:l.pos], from, h)
		return true
	}
	l.emit(tParam, string(c)+text, from, 0)
	return true
}

func (l *lexer) question() bool {
	from := l.pos
	if l.pg() && (l.at(1) == '|' && l.at(2) != '|' || l.at(1) == '&' || l.at(1) == '?') || l.pg() && l.jsonOperator() {
		return false
	}
	l.pos++
	if isDigit(l.at(0)) {
		for isDigit(l.at(0)) {
			l.pos++
		}
		n, _ := strconv.Atoi(l.src[from+1 : l.pos])
		l.ordinal = max(l.ordinal, n)
		l.emit(tParam, l.src[from:l.pos], from, 0)
		return true
	}
	l.ordinal++
	l.emit(tParam, "?"+strconv.Itoa(l.ordinal), from, 0)
	return true
}

// jsonOperator tells whether a question mark stands between two operands.
func (l *lexer) jsonOperator() bool {
	if len(l.toks) == 0 {
		return false
	}
	prev := l.toks[len(l.toks)-1]
	switch prev.kind {
	case tIdent:
		if clauseWords[prev.text] {
			return false
		}
	case tOp:
		if prev.text != ")" && prev.text != "]" {
			return false
		}
	}
	rest := strings.TrimLeft(l.src[l.pos+1:], " \t\r\n")
	return rest != "" && (rest[0] == '\'' || rest[0] == '$' || rest[0] == '?')
}

func (l *lexer) wordText() string {
	from := l.pos
	for l.pos < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[l.pos:])
		if !l.continues(r) && l.pos > from || r == '#' && (l.mysql() || l.google()) || l.hole(r) < 0 && !isWordRune(r) {
			break
		}
		l.pos += size
		if h := l.hole(r); h >= 0 && !l.continues(r) {
			break
		}
	}
	return l.src[from:l.pos]
}

func (l *lexer) word() {
	from := l.pos
	text := l.wordText()
	if text == "" { // not a letter: a lone byte
		l.pos++
		l.emit(tOp, l.src[from:l.pos], from, 0)
		return
	}
	if l.at(0) == '\'' && len(text) <= 2 && l.prefixed(strings.ToLower(text)) {
		return
	}
	dirty := l.dirty(text)
	if dirty > 0 && strings.IndexFunc(text, func(r rune) bool { return l.hole(r) < 0 }) < 0 {
		l.emit(tHole, text, from, dirty)
		return
	}
	l.emit(tIdent, strings.ToLower(text), from, dirty)
}

// operators of more than one byte, longest first.
var operators = []string{"#>>", "->>", "<=>", ":::", "!~*", "@@@", "||", "&&", "::", ":=", "<=", ">=", "<>", "!=", "==", "!<", "!>",
	"->", "#>", "@>", "<@", "?|", "?&", "??", "@@", "~*", "!~", "<<", ">>", "=>", "^="}

func (l *lexer) op() {
	from := l.pos
	for _, op := range operators {
		if l.has(op) {
			l.pos += len(op)
			l.emit(tOp, op, from, 0)
			return
		}
	}
	switch l.src[l.pos] {
	case '[':
		l.brackets++
	case ']':
		l.brackets--
	}
	l.pos++
	l.emit(tOp, l.src[from:l.pos], from, 0)
}

// clip shortens text for messages and drops what could confuse a terminal.
func clip(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= HoleBase && r <= 0xF8FF:
			return '…'
		case r < ' ' || r == 0x7f || r == utf8.RuneError:
			return ' '
		}
		return r
	}, s)
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}
