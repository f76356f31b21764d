package lua

import (
	"strconv"

	"github.com/fencelint/fencelint/fence"
)

// vkind is the type of a value, as far as it is known.
type vkind uint8

const (
	vOpaque vkind = iota // anything; term says what it depends on
	vNil
	vBool  // of cond
	vText  // a string
	vNum   // a number
	vReply // a string, or false where nothing is stored
	vMaybe // a number, or nil where nothing is stored
	vFlag  // 1 if cond, else 0
	vTable
	vDoc    // a table decoded from the text in column name
	vMember // what a decoded table holds: number, text or nil
	vError  // an error reply
	vFunc   // a function of the script
	vPack   // several values of which nothing is known: unpack(...)
)

type value struct {
	kind  vkind
	term  fence.Term
	cond  fence.Cond
	name  string // vText: the text if it names a key; vDoc: the column
	lit   bool   // name is a literal of the script
	items []value
	keys  []string // vTable: "" for positional items
	fn    *expr    // vFunc
}

func number(n int64) value { return value{kind: vNum, term: fence.Const{Int: n}} }

func literal(s string) value {
	return value{kind: vText, term: litTerm(s), name: s, lit: true}
}

// litTerm is a text as a term: decimal text is the number, so that the prover
// sees the order that a cast or tonumber gives it.
func litTerm(s string) fence.Term {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && strconv.FormatInt(n, 10) == s {
		return fence.Const{Int: n}
	}
	return fence.Lit{Text: s}
}

func boolean(b bool) value {
	if b {
		return value{kind: vBool, cond: fence.And{}}
	}
	return value{kind: vBool, cond: fence.Or{}}
}

// opaque is a value that depends on others in a way that is not followed.
func (r *run) opaque(what string, of ...value) value {
	r.fresh++
	var terms []fence.Term
	for _, v := range of {
		if v.term != nil {
			terms = append(terms, v.term)
		}
	}
	return value{kind: vOpaque, term: fence.Opaque{Key: what + "#" + strconv.Itoa(r.fresh), Of: terms}}
}

// truth is the condition under which a value counts as true; ok is false for
// values that always do.
func (v value) truth() (fence.Cond, bool) {
	switch v.kind {
	case vNil:
		return fence.Or{}, true
	case vBool:
		return v.cond, true
	case vReply, vMaybe, vMember:
		return fence.Not{Of: fence.IsNull{Of: v.term}}, true
	case vOpaque, vPack:
		return atom(v), true
	}
	return nil, false
}

func atom(vs ...value) fence.Cond {
	a := fence.Atom{}
	for _, v := range vs {
		if o, ok := v.term.(fence.Opaque); ok {
			a.Key += o.Key + ";"
			a.Of = append(a.Of, o.Of...)
		} else if v.term != nil {
			a.Key += termKey(v.term) + ";"
			a.Of = append(a.Of, v.term)
		}
	}
	return a
}

func (v value) isNumber() bool { return v.kind == vNum || v.kind == vMaybe }
func (v value) isText() bool   { return v.kind == vText || v.kind == vReply }
