package fence

import (
	"strconv"
	"strings"
)

func storedKey(x Stored) string {
	return "c" + strconv.Itoa(int(x.Row)) + x.Table + "#" + x.Ref + "." + x.Column
}

// key is a text that is equal for terms with equal values.
func (c *compiler) key(x Term) string {
	var b strings.Builder
	writeTerm(&b, x, c)
	return b.String()
}

// TermString is a short reading of a term, for messages.
func TermString(x Term) string {
	switch x := x.(type) {
	case Stored:
		if x.Table != "" {
			return x.Table + "." + x.Column
		}
		return x.Column
	case Input:
		return string(x.Arg)
	case Const:
		return strconv.FormatInt(x.Int, 10)
	case Lit:
		return strconv.Quote(x.Text)
	case Null:
		return "NULL"
	case Opaque:
		return x.Key
	}
	var b strings.Builder
	writeTerm(&b, x, nil)
	return b.String()
}

// maxKey bounds a key; a value with a longer one is equal to no other.
const maxKey = 2000

func writeTerm(b *strings.Builder, x Term, c *compiler) {
	if b.Len() > maxKey {
		writeUnique(b, c)
		return
	}
	switch x := x.(type) {
	case Stored:
		if c != nil && c.has && x == c.fence {
			b.WriteString("F")
			return
		}
		b.WriteString(storedKey(x))
	case Input:
		if c != nil && c.token(x.Arg) {
			b.WriteString("T")
			return
		}
		b.WriteString("a" + string(x.Arg))
	case Const:
		b.WriteString(strconv.FormatInt(x.Int, 10))
	case Lit:
		b.WriteString(strconv.Quote(x.Text))
	case Null, nil:
		b.WriteString("N")
	case Apply:
		b.WriteString("f" + strconv.Itoa(int(x.Fn)) + "(")
		for _, a := range x.Args {
			writeTerm(b, a, c)
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case Opaque:
		b.WriteString("o" + x.Key)
		for _, a := range x.Of {
			b.WriteByte('|')
			writeTerm(b, a, c)
		}
		if x.Volatile {
			writeUnique(b, c)
		}
	default: // conditions inside values are rare: never equal, which is safe
		writeUnique(b, c)
	}
}

func writeUnique(b *strings.Builder, c *compiler) {
	b.WriteString("?" + strconv.Itoa(b.Len()))
	if c != nil {
		c.steps++
		b.WriteString("#" + strconv.Itoa(c.steps))
	}
}

// keys joins a key with those of the terms behind it: one text may mean
// different columns in different places.
func (c *compiler) keys(key string, of []Term) string {
	if len(of) == 0 {
		return key
	}
	return c.key(Opaque{Key: key, Of: of})
}

// touches tells whether a term is computed from the fence or the token.
func (c *compiler) touches(x Term) bool {
	found := false
	WalkTerm(x, func(t Term) {
		switch t := t.(type) {
		case Stored:
			found = found || c.has && t == c.fence
		case Input:
			found = found || c.token(t.Arg)
		}
	})
	return found
}

func (c *compiler) touchesCond(x Cond) bool {
	found := false
	WalkCond(x, nil, func(t Term) { found = found || c.touches(t) })
	return found
}
