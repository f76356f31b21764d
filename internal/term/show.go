package term

import (
	"strconv"
	"strings"
	"unicode"
)

// IntValue is the value of an integer constant.
func IntValue(t *Term) (int64, bool) {
	if t.Kind != Const || (t.Typ != "int" && t.Typ != "zero") {
		return 0, false
	}
	n, err := strconv.ParseInt(t.Str, 10, 64)
	return n, err == nil
}

// StringValue is the value of a string constant.
func StringValue(t *Term) (string, bool) {
	switch {
	case t.Kind == Const && t.Typ == "string":
		return t.Str, true
	case t.Kind == Const && t.Typ == "zero":
		return "", true
	case t.Kind == Convert || t.Kind == Iface:
		return StringValue(t.Args[0])
	}
	return "", false
}

// IsZero reports whether t is the zero value of its type.
func IsZero(t *Term) bool {
	if t.Kind == Convert || t.Kind == Iface {
		return IsZero(t.Args[0])
	}
	return t.Kind == Const && (t.Typ == "zero" || t.Typ == "nil" || (t.Typ == "int" && t.Str == "0"))
}

// String shows t as a reader of Go would write it, as far as it is known.
func (t *Term) String() string {
	if f := shows[t.Kind]; f != nil {
		return f(t)
	}
	return "?"
}

var shows map[Kind]func(*Term) string

func init() { // the table refers to String, which refers to the table
	shows = map[Kind]func(*Term) string{
		Unknown: func(t *Term) string { return "?" },
		Const:   showConst,
		Param:   func(t *Term) string { return "parameter " + strconv.Itoa(t.N) },
		Free:    func(t *Term) string { return "captured variable " + strconv.Itoa(t.N) },
		Global:  func(t *Term) string { return short(t.Str) },
		Call:    func(t *Term) string { return showCall(t) },
		Field:   func(t *Term) string { return t.Args[0].String() + "." + lastName(t.Str) },
		Elem:    func(t *Term) string { return t.Args[0].String() + "[" + t.Args[1].String() + "]" },
		Struct:  func(t *Term) string { return short(t.Str) + "{…}" },
		List:    func(t *Term) string { return "[" + list(t.Args) + "]" },
		Concat:  func(t *Term) string { return join(t.Args, " + ") },
		Alt:     func(t *Term) string { return join(t.Args, " or ") },
		Func:    func(t *Term) string { return short(t.Str) },
		Closure: func(t *Term) string { return "func literal" },
		Bound:   func(t *Term) string { return t.Args[0].String() + "." + lastName(t.Str) },
		Op:      func(t *Term) string { return showOp(t) },
		Convert: func(t *Term) string { return t.Str + "(" + t.Args[0].String() + ")" },
		Iface:   func(t *Term) string { return t.Args[0].String() },
	}
}

func showConst(t *Term) string {
	if t.Typ == "string" {
		return strconv.Quote(t.Str)
	}
	return t.Str
}

// dynamic begins the name of a call whose target is not known: a method of an interface, or
// "." for a function value, which is the first argument.
const dynamic = "dyn "

func showCall(t *Term) string {
	name, isDynamic := strings.CutPrefix(t.Str, dynamic)
	if typ, method, ok := methodOf(t.Str); !isDynamic && ok && len(t.Args) > 0 && t.Args[0].Kind != Unknown {
		return t.Args[0].without(typ).String() + "." + method + "(" + list(t.Args[1:]) + ")"
	}
	if !isDynamic || len(t.Args) == 0 {
		return short(t.Str) + "(" + list(t.Args) + ")"
	}
	callee := t.Args[0].String()
	switch {
	case name == "." && t.Args[0].Kind == Unknown:
		callee = "a function value"
	case name != "." && t.Args[0].Kind == Unknown:
		callee = short(name)
	case name != ".":
		callee += "." + lastName(name)
	}
	return callee + "(" + list(t.Args[1:]) + ")"
}

// methodOf takes the name of a method, "path.Type.Method", apart. A version at the end of a
// path, as in gopkg.in/yaml.v3, is no type.
func methodOf(name string) (typ, method string, ok bool) {
	rest, method, _ := cutLast(strings.TrimSuffix(name, "[…]"))
	pkg, typ, ok := cutLast(rest)
	typ = strings.TrimSuffix(typ, ")")
	return typ, method, ok && pkg != "" && typ != "" && !isVersion(typ)
}

func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 || i < strings.LastIndexByte(s, '/') {
		return "", s, false
	}
	return s[:i], s[i+1:], true
}

// without leaves out the step to an embedded field whose method is called, where that is
// hidden: who writes client.Get knows nothing of what the client has it from.
func (t *Term) without(typ string) *Term {
	if t.Kind == Field && lastName(t.Str) == typ && !unicode.IsUpper(rune(typ[0])) {
		return t.Args[0]
	}
	return t
}

func showOp(t *Term) string {
	if t.Str != "" && unicode.IsLetter(rune(t.Str[0])) { // of a built-in function
		return t.Str + "(" + list(t.Args) + ")"
	}
	if len(t.Args) == 1 {
		return t.Str + t.Args[0].String()
	}
	return join(t.Args, " "+t.Str+" ")
}

func list(ts []*Term) string { return join(ts, ", ") }

func join(ts []*Term, sep string) string {
	s := make([]string, len(ts))
	for i, t := range ts {
		s[i] = t.String()
	}
	return strings.Join(s, sep)
}

// short drops the directories of an import path, and the version that it ends in.
func short(s string) string {
	i := strings.LastIndexByte(s, '/')
	name := s[i+1:]
	if v, rest, ok := strings.Cut(name, "."); ok && i > 0 && isVersion(v) {
		return short(s[:i]) + "." + rest
	}
	return name
}

// isVersion reports whether an element of a path names a major version.
func isVersion(s string) bool {
	digits, ok := strings.CutPrefix(s, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

func lastName(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

// KeyedString is the text of a string constant whose key is given: maps name their
// entries by the keys of constants.
func KeyedString(key string) (string, bool) {
	rest, ok := strings.CutPrefix(key, constMark)
	if !ok {
		return "", false
	}
	q, err := strconv.QuotedPrefix(rest)
	if err != nil || rest[len(q):] != "string" {
		return "", false
	}
	s, err := strconv.Unquote(q)
	return s, err == nil
}
