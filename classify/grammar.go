package classify

import (
	"slices"
	"strings"
	"time"
)

const tool = "fencelint"

// The verbs. Each is the word after "//fencelint:".
const (
	verbLock      = "lock"
	verbAccept    = "accept"
	verbWrites    = "writes"
	verbResource  = "resource"
	verbStaleTest = "staletest"
)

const activated = "activated"

// place is a set of kinds of code that a directive can stand on.
type place uint16

const (
	atPackage place = 1 << iota
	atFunc
	atMethod // method of an interface
	atField
	atType
	atVar
	atGroup // parenthesised declaration
	atStmt  // statement, clause, local declaration, element of a literal

	anywhere = atPackage | atFunc | atMethod | atField | atType | atVar | atGroup | atStmt
	roles    = atFunc | atMethod | atField
)

// placeNames are in the order in which messages list them.
var placeNames = []struct {
	at   place
	name string
}{
	{atFunc, "a function"},
	{atMethod, "an interface method"},
	{atField, "a field"},
	{atType, "a type"},
	{atVar, "a variable or constant"},
	{atGroup, "a group of declarations"},
	{atStmt, "a statement"},
	{atPackage, "a package clause"},
}

func (p place) String() string {
	var names []string
	for _, n := range placeNames {
		if p&n.at != 0 {
			names = append(names, n.name)
		}
	}
	return either(names)
}

// verb is one row of the grammar.
type verb struct {
	name   string
	words  func(p *draft, words []item) // judges the plain words; nil: there are none
	keys   []key
	places place
	same   string // two at one place are duplicates if this key (or, "", nothing) is equal
}

// key is one key=value of a verb.
type key struct {
	name   string
	need   bool
	class  Class                     // only with this class, "" for any
	values []string                  // nil: any
	judge  func(value string) string // what is wrong with the value, "" if nothing
}

var verbs = []verb{
	{name: verbLock, places: anywhere, words: (*draft).classWords, keys: []key{
		{name: "reason", class: Efficiency},
		{name: "resource", class: Correctness},
		{name: "contract", class: Correctness, values: []string{"fence", "owner", "session", "cas"}},
		{name: "replay", class: Correctness, values: []string{"sequence", "transaction", "idempotent"}},
	}},
	{name: verbAccept, places: anywhere, words: (*draft).ruleWords, keys: []key{
		{name: "reason", need: true},
		{name: "compensation"},
		{name: "until", judge: judgeDate},
		{name: "owner"},
	}},
	{name: "acquires", places: roles},
	{name: "releases", places: roles},
	{name: "token", places: roles},
	{name: "lost", places: roles},
	{name: verbWrites, places: roles, same: "resource", keys: []key{
		{name: "resource", need: true},
		{name: "fence"},
		{name: "idempotency"},
		{name: "kind", values: []string{"store", "cache", "queue", "external", "local"}},
	}},
	{name: verbResource, places: atType | atPackage, same: "name", keys: []key{
		{name: "name", need: true},
		{name: "fence"},
	}},
	{name: "admin", places: atFunc | atPackage, keys: []key{{name: "reason"}}},
	{name: "root", places: atPackage},
	{name: verbStaleTest, places: atFunc, same: "resource", keys: []key{{name: "resource", need: true}}},
}

func verbNamed(name string) *verb {
	i := slices.IndexFunc(verbs, func(v verb) bool { return v.name == name })
	if i < 0 {
		return nil
	}
	return &verbs[i]
}

func (v *verb) key(name string) *key {
	i := slices.IndexFunc(v.keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return &v.keys[i]
}

func verbNames() []string {
	names := make([]string, len(verbs))
	for i, v := range verbs {
		names[i] = v.name
	}
	return names
}

func (v *verb) keyNames() []string {
	names := make([]string, len(v.keys))
	for i, k := range v.keys {
		names[i] = k.name
	}
	return names
}

// takers lists the verbs that have the key.
func takers(name string) []string {
	var names []string
	for _, v := range verbs {
		if v.key(name) != nil {
			names = append(names, v.name)
		}
	}
	return names
}

func judgeDate(value string) string {
	if _, err := time.Parse(time.DateOnly, value); err != nil {
		return "is no day of the calendar; write YYYY-MM-DD"
	}
	return ""
}

// either joins names as "a, b or c".
func either(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
