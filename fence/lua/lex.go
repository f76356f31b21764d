package lua

import (
	"strconv"
	"strings"
)

type tokenKind uint8

const (
	tEOF tokenKind = iota
	tName
	tWord // a reserved word
	tString
	tNumber
	tOp
	tBad
)

type token struct {
	kind tokenKind
	text string
	pos  int
}

var words = func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields("and break do else elseif end false for function if in local nil not or repeat return then true until while goto") {
		m[w] = true
	}
	return m
}()

// operators are tried from the longest to the shortest.
var operators = []string{"...", "..", "==", "~=", "<=", ">=", "::",
	"+", "-", "*", "/", "%", "^", "#", "<", ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", "."}

// scan cuts a script into tokens; the last is tEOF.
func scan(src string) []token {
	l := &lexer{src: src}
	if strings.HasPrefix(src, "#") { // "#!lua flags=..." or a line for a shell
		l.line()
	}
	var out []token
	for {
		t := l.next()
		out = append(out, t)
		if t.kind == tEOF {
			return out
		}
	}
}

type lexer struct {
	src string
	at  int
}

func (l *lexer) line() {
	if i := strings.IndexByte(l.src[l.at:], '\n'); i >= 0 {
		l.at += i + 1
		return
	}
	l.at = len(l.src)
}

// blank skips white space and comments.
func (l *lexer) blank() {
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			l.at++
		case strings.HasPrefix(l.src[l.at:], "--"):
			l.at += 2
			if _, ok := l.long(); !ok {
				l.line()
			}
		default:
			return
		}
	}
}

// long reads [[...]] or [=[...]=] at the place where it stands.
func (l *lexer) long() (string, bool) {
	rest := l.src[l.at:]
	if !strings.HasPrefix(rest, "[") {
		return "", false
	}
	n := 1
	for n < len(rest) && rest[n] == '=' {
		n++
	}
	if n >= len(rest) || rest[n] != '[' {
		return "", false
	}
	body := rest[n+1:]
	end := strings.Index(body, "]"+strings.Repeat("=", n-1)+"]")
	if end < 0 {
		l.at = len(l.src)
		return body, true
	}
	l.at += n + 1 + end + n + 1
	return strings.TrimPrefix(body[:end], "\n"), true
}

func (l *lexer) next() token {
	l.blank()
	pos := l.at
	if l.at >= len(l.src) {
		return token{kind: tEOF, pos: pos}
	}
	switch c := l.src[l.at]; {
	case letter(c):
		for l.at < len(l.src) && (letter(l.src[l.at]) || digit(l.src[l.at])) {
			l.at++
		}
		t := token{kind: tName, text: l.src[pos:l.at], pos: pos}
		if words[t.text] {
			t.kind = tWord
		}
		return t
	case digit(c), c == '.' && l.at+1 < len(l.src) && digit(l.src[l.at+1]):
		return l.number()
	case c == '"' || c == '\'':
		return l.quoted(c)
	case c == '[':
		if s, ok := l.long(); ok {
			return token{kind: tString, text: s, pos: pos}
		}
	}
	for _, op := range operators {
		if strings.HasPrefix(l.src[l.at:], op) {
			l.at += len(op)
			return token{kind: tOp, text: op, pos: pos}
		}
	}
	l.at++
	return token{kind: tBad, text: l.src[pos:l.at], pos: pos}
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

func (l *lexer) number() token {
	pos := l.at
	for l.at < len(l.src) {
		c := l.src[l.at]
		sign := (c == '+' || c == '-') && strings.ContainsRune("eE", rune(l.src[l.at-1])) && !strings.HasPrefix(l.src[pos:], "0x")
		if !letter(c) && !digit(c) && c != '.' && !sign || strings.HasPrefix(l.src[l.at:], "..") {
			break
		}
		l.at++
	}
	return token{kind: tNumber, text: l.src[pos:l.at], pos: pos}
}

func (l *lexer) quoted(q byte) token {
	pos := l.at
	var b strings.Builder
	for l.at++; l.at < len(l.src); l.at++ {
		switch c := l.src[l.at]; c {
		case q:
			l.at++
			return token{kind: tString, text: b.String(), pos: pos}
		case '\n':
			return token{kind: tBad, text: l.src[pos:l.at], pos: pos}
		case '\\':
			l.escape(&b)
		default:
			b.WriteByte(c)
		}
	}
	return token{kind: tBad, text: l.src[pos:], pos: pos}
}

var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v'}

// escape reads what follows a backslash and leaves the lexer at its last byte.
func (l *lexer) escape(b *strings.Builder) {
	l.at++
	if l.at >= len(l.src) {
		return
	}
	c := l.src[l.at]
	if e, ok := escapes[c]; ok {
		b.WriteByte(e)
		return
	}
	if !digit(c) {
		b.WriteByte(c)
		return
	}
	end := l.at
	for end < len(l.src) && end < l.at+3 && digit(l.src[end]) {
		end++
	}
	n, _ := strconv.Atoi(l.src[l.at:end])
	b.WriteByte(byte(n))
	l.at = end - 1
}
