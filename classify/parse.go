package classify

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/fencelint/fencelint/internal/spell"
)

// A Class says what two holders at a time would do.
type Class string

// The classes. A lock without a directive has none: a class is declared, never guessed.
const (
	Efficiency  Class = "efficiency"  // duplicates cost money, not truth
	Correctness Class = "correctness" // an obsolete owner must be rejected where it writes
)

// A Directive is one //fencelint: comment whose verb is known.
type Directive struct {
	Pos, End token.Pos // from the slashes to the last argument
	Verb     string
	Words    []string // plain words, as written
	Args     []Arg    // those key=value that are right, as written in order
	Text     string   // as written, without what follows the arguments

	faults []string
	site   *site
}

// An Arg is one key=value of a directive.
type Arg struct {
	Key, Value string // Value is unquoted
	Pos        token.Pos
}

// Arg gives the value of a key, "" if the directive does not have it.
func (d *Directive) Arg(key string) string {
	for _, a := range d.Args {
		if a.Key == key {
			return a.Value
		}
	}
	return ""
}

// Faulty reports whether the directive has a problem of its own.
func (d *Directive) Faulty() bool { return len(d.faults) > 0 }

func (d *Directive) fault(format string, args ...any) {
	d.faults = append(d.faults, fmt.Sprintf(format, args...))
}

// draft is a directive while it is read, with what could be told of it.
type draft struct {
	*Directive
	rules []string
	class Class  // of a lock, "" if unreadable
	rule  string // of an accept, "" if unreadable
	spell string // of an unknown verb, the one that was meant
}

// parse reads one comment line. It returns nil if the line is no fencelint
// directive in form.
func parse(pos token.Pos, line string, rules []string) *draft {
	form, ok := ast.ParseDirective(pos, line)
	if !ok || form.Tool != tool {
		return nil
	}
	items, size := scan(form.Args, form.ArgsPos)
	end := form.ArgsPos + token.Pos(size)
	if size == 0 {
		end = pos + token.Pos(len("//"+tool+":"+form.Name))
	}
	p := &draft{rules: rules, Directive: &Directive{Pos: pos, End: end, Verb: form.Name, Text: line[:end-pos]}}
	v := verbNamed(form.Name)
	if v == nil {
		p.spell = spell.Nearest(form.Name, verbNames())
		p.fault("unknown directive %q%s", clean(form.Name),
			didYouMean(form.Name, verbNames(), "the directives are "+either(verbNames())))
		return p
	}
	p.judge(v, items)
	return p
}

// judge takes the arguments apart: words to the verb, keys to the table.
func (p *draft) judge(v *verb, items []item) {
	var words, pairs []item
	for i, it := range items {
		switch {
		case it.wrong != "":
			p.fault("%s", it.wrong)
		case it.Key != "":
			pairs = append(pairs, it)
		case i > 0 && items[i-1].open && !v.knows(p, it.Value):
			if items[i-1].Key != "" {
				p.fault("stray word %q after %s=; a value with blanks is quoted: %[2]s=\"%s ...\"",
					clean(it.Value), clean(items[i-1].Key), clean(items[i-1].Value))
			}
			items[i].open = true
		default:
			words = append(words, it)
		}
	}
	for _, w := range words {
		p.Words = append(p.Words, w.Value)
	}
	if v.words != nil {
		v.words(p, words)
	} else if len(words) > 0 {
		p.fault("%s takes no word, but %q stands there%s", v.name, clean(words[0].Value), v.keyHint(words[0].Value))
	}
	for _, it := range pairs {
		p.pair(v, it)
	}
	for _, k := range v.keys {
		if k.need && !slices.ContainsFunc(items, func(it item) bool { return it.Key == k.name }) {
			p.fault("%s needs %s=; add %[2]s=\"...\"", v.name, k.name)
		}
	}
}

// knows reports whether the verb has a word like this one, so that it is none
// of a value that someone forgot to quote.
func (v *verb) knows(p *draft, word string) bool {
	switch v.name {
	case verbLock:
		return spell.Nearest(word, []string{string(Efficiency), string(Correctness), activated}) != ""
	case verbAccept:
		return slices.Contains(p.rules, word)
	}
	return false
}

func (v *verb) keyHint(word string) string {
	if len(v.keys) == 0 {
		return "; delete it"
	}
	if k := spell.Nearest(word, v.keyNames()); k != "" {
		return "; did you mean " + k + "=?"
	}
	return "; it takes " + either(withEqual(v.keyNames()))
}

func withEqual(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = k + "="
	}
	return out
}

// pair judges one key=value and keeps it if it is right.
func (p *draft) pair(v *verb, it item) {
	k := v.key(it.Key)
	switch {
	case k == nil:
		p.fault("%s", v.unknownKey(it.Key))
	case slices.ContainsFunc(p.Args, func(a Arg) bool { return a.Key == it.Key }):
		p.fault("%s= is there twice; delete one", it.Key)
	case k.class != "" && p.class != "" && k.class != p.class:
		p.fault("%s= goes with lock %s, not with lock %s; delete it", it.Key, k.class, p.class)
	case k.values != nil && !slices.Contains(k.values, it.Value):
		p.fault("unknown value %s=%s%s", it.Key, clean(it.Value),
			didYouMean(it.Value, k.values, "use "+either(k.values)))
	case strings.TrimSpace(it.Value) == "":
		p.fault("%s= is empty; write what it is, or delete it", it.Key)
	default:
		if k.judge != nil {
			if wrong := k.judge(it.Value); wrong != "" {
				p.fault("%s=%s %s", it.Key, clean(it.Value), wrong)
				return
			}
		}
		p.Args = append(p.Args, it.Arg)
	}
}

func (v *verb) unknownKey(name string) string {
	msg := fmt.Sprintf("unknown key %s= on %s", clean(name), v.name)
	if k := spell.Nearest(name, v.keyNames()); k != "" {
		return msg + "; did you mean " + k + "=?"
	}
	if on := takers(name); len(on) > 0 {
		return msg + "; " + name + "= goes with " + either(on)
	}
	if v.name == verbLock && spell.Nearest(name, []string{activated}) != "" {
		return msg + "; " + activated + " is a word without a value"
	}
	if len(v.keys) == 0 {
		return msg + "; it takes none"
	}
	return msg + "; it takes " + either(withEqual(v.keyNames()))
}

// classWords judges the words of a lock: one class, and perhaps "activated".
func (p *draft) classWords(words []item) {
	classes := []string{string(Efficiency), string(Correctness)}
	var found []string
	active, unknown := 0, false
	for _, w := range words {
		switch {
		case slices.Contains(classes, w.Value):
			found = append(found, w.Value)
		case w.Value == activated:
			active++
		default:
			unknown = true
			p.fault("unknown word %q on lock%s", clean(w.Value),
				didYouMean(w.Value, append(classes[:2:2], activated), "the class is "+either(classes)))
		}
	}
	switch {
	case len(found) == 0 && !unknown:
		p.fault("lock needs a class; write lock efficiency (duplicates are harmless) or lock correctness (an obsolete owner must be rejected)")
	case len(found) > 1:
		p.fault("lock has more than one class; keep one of %s", either(classes))
	}
	if found = slices.Compact(found); len(found) == 1 {
		p.class = Class(found[0])
	}
	if active > 0 && p.class == Efficiency {
		p.fault("%s goes with lock correctness, not with lock efficiency; delete it", activated)
	}
	if active > 1 {
		p.fault("%s is there twice; delete one", activated)
	}
}

// ruleWords judges the words of an accept: the name of one rule.
func (p *draft) ruleWords(words []item) {
	if len(words) == 0 {
		p.fault("accept needs the name of the rule whose finding it answers; write accept RULE reason=\"...\"")
		return
	}
	name := words[0].Value
	if len(p.rules) > 0 && !slices.Contains(p.rules, name) {
		p.fault("unknown rule %q%s", clean(name), didYouMean(name, p.rules, "write the rule that the finding names"))
	} else {
		p.rule = name
	}
	if len(words) > 1 {
		p.fault("accept answers one rule, but %q stands there too; write a directive of its own for each rule", clean(words[1].Value))
	}
}

// item is one argument as it stands there: a word (Key "") or key=value.
type item struct {
	Arg
	open  bool   // a value without quotation marks, or a word that seems to go on with one
	wrong string // what is wrong with its form, "" if nothing
}

// scan splits the arguments. n is the length of what they take up: a blank and
// "//" end them.
func scan(s string, pos token.Pos) (items []item, n int) {
	for rest := s; ; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" || strings.HasPrefix(rest, "//") {
			return items, n
		}
		it, size := next(rest)
		it.Pos = pos + token.Pos(len(s)-len(rest))
		items = append(items, it)
		rest = rest[size:]
		n = len(s) - len(rest)
	}
}

// next reads the argument at the start of s, which is not empty.
func next(s string) (it item, size int) {
	word := s[:blank(s)]
	if isQuote(s) {
		_, size, _ := text(s)
		return item{wrong: "a quoted text needs a key before it, as in reason=\"...\""}, size
	}
	key, value, pair := strings.Cut(word, "=")
	it = item{Arg: Arg{Key: key, Value: value}}
	switch {
	case !pair:
		return item{Arg: Arg{Value: word}}, len(word)
	case key == "":
		it.wrong = fmt.Sprintf("%q has no key; write key=value without blanks", clean(word))
	case isQuote(value):
		var ok bool
		it.Value, size, ok = text(s[len(key)+1:])
		if !ok {
			it.wrong = clean(key) + "= has a value that is no Go string; close the quotation mark and put a blank behind it"
		}
		return it, len(key) + 1 + size
	case value == "":
		it.wrong = fmt.Sprintf("%s= has no value; write %[1]s=value without blanks", clean(key))
	default:
		it.open = true
	}
	return it, len(word)
}

// text reads the Go string at the start of s. Where it is none, it takes all up
// to the end, or up to the next blank if only that blank is missing.
func text(s string) (value string, size int, ok bool) {
	q, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", len(strings.TrimRightFunc(s, unicode.IsSpace)), false
	}
	if end := len(q) + blank(s[len(q):]); end > len(q) {
		return "", end, false
	}
	value, err = strconv.Unquote(q)
	return value, len(q), err == nil
}

func isQuote(s string) bool { return s != "" && (s[0] == '"' || s[0] == '`') }

// blank is the index of the first blank, or the length of s.
func blank(s string) int {
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
		return i
	}
	return len(s)
}

// clean shows a text of the source without what a terminal would act on, and
// not at any length.
func clean(s string) string {
	const most = 200
	var b strings.Builder
	for i, r := range s {
		if i >= most {
			b.WriteString("...")
			break
		}
		if !unicode.IsPrint(r) {
			r = '\uFFFD'
		}
		b.WriteRune(r)
	}
	return b.String()
}
