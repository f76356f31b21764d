package sql

import "strings"

// str reads a quoted string; prefix is what stood before the quote.
func (l *lexer) str(prefix string) {
	from := l.pos - len(prefix)
	escapes := l.mysql() || l.google() || prefix == "e"
	quote := l.src[l.pos]
	l.pos++
	start := l.pos
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\\' && escapes && l.pos+1 < len(l.src):
			l.pos += 2
		case c == quote && l.at(1) == quote:
			l.pos += 2
		case c == quote:
			body := l.src[start:l.pos]
			l.pos++
			hole := l.dirty(body)
			body = unquoted(body, quote, escapes)
			if prefix == "b" || prefix == "x" { // bits are no decimal text
				body = prefix + "'" + body
			}
			l.emit(tStr, body, from, hole)
			return
		default:
			l.pos++
		}
	}
	l.pos = len(l.src)
	l.problem("string is not closed", from)
	l.emit(tStr, l.src[min(start, len(l.src)):], from, 0)
}

// unquoted gives two spellings of one string the same form.
func unquoted(body string, quote byte, escapes bool) string {
	if strings.IndexByte(body, quote) < 0 && (!escapes || strings.IndexByte(body, '\\') < 0) {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		c := body[i]
		if i+1 < len(body) && (c == quote || escapes && c == '\\') {
			i++
			if c = body[i]; c != quote && c != '\\' { // \n and the like keep the form they have
				b.WriteByte('\\')
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

func (l *lexer) doubleQuote() {
	if l.mysql() || l.google() {
		l.str("")
		return
	}
	l.quoted('"')
}

func (l *lexer) quoted(end byte) {
	from := l.pos
	l.pos++
	start := l.pos
	for l.pos < len(l.src) {
		if l.src[l.pos] == end {
			if l.at(1) == end {
				l.pos += 2
				continue
			}
			body := l.src[start:l.pos]
			l.pos++
			l.emit(tQuoted, l.fold(body), from, l.dirty(body))
			return
		}
		l.pos++
	}
	l.problem("quoted name is not closed", from)
	l.emit(tQuoted, l.src[start:], from, 0)
}

// fold gives quoted names the form in which two spellings of one column are equal.
func (l *lexer) fold(s string) string {
	switch l.d {
	case MySQL, SQLite, SQLServer, GoogleSQL:
		return strings.ToLower(s)
	case Oracle:
		if s != strings.ToUpper(s) {
			return `"` + s + `"`
		}
		return strings.ToLower(s)
	}
	return s
}

func (l *lexer) dollarQuote(tag string, start int) bool {
	from := l.pos
	mark := "$" + tag + "$"
	i := strings.Index(l.src[start:], mark)
	if i < 0 {
		l.pos = len(l.src)
		l.problem("string is not closed", from)
		l.emit(tStr, l.src[start:], from, 0)
		return true
	}
	l.pos = start + i + len(mark)
	body := l.src[start : start+i]
	l.emit(tStr, body, from, l.dirty(body))
	return true
}

// prefixed reads strings such as E'..', N'..', x'..', q'[..]'.
func (l *lexer) prefixed(prefix string) bool {
	switch prefix {
	case "e", "n", "b", "x", "u":
		l.str(prefix)
	case "q", "nq":
		if l.d != Oracle {
			return false
		}
		l.altQuote(len(prefix))
	default:
		return false
	}
	return true
}

// altQuote reads Oracle's q'[..]'.
func (l *lexer) altQuote(prefix int) {
	from := l.pos - prefix
	open := l.at(1)
	end := open
	if i := strings.IndexByte("([{<", open); i >= 0 {
		end = ")]}>"[i]
	}
	start := l.pos + 2
	if start > len(l.src) {
		start = len(l.src)
	}
	i := strings.Index(l.src[start:], string(end)+"'")
	if i < 0 {
		l.pos = len(l.src)
		l.problem("string is not closed", from)
		l.emit(tStr, l.src[start:], from, 0)
		return
	}
	l.pos = start + i + 2
	body := l.src[start : start+i]
	l.emit(tStr, body, from, l.dirty(body))
}
