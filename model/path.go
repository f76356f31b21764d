package model

import (
	"fmt"
	"strconv"
	"strings"
)

// IsZero reports that the path is not stated.
func (p Path) IsZero() bool { return p.Root == "" }

// Indices that are no numbers.
const (
	EachArg = -1 // [*]: every one
	LastArg = -2 // [last]
)

// String is the path as the format writes it.
func (p Path) String() string {
	if p.IsZero() {
		return ""
	}
	var b strings.Builder
	switch p.Root {
	case "callback":
		fmt.Fprintf(&b, "callback.arg[%d]", p.Index)
	case "opt":
		b.WriteString("opt:" + p.Name)
	case "read":
		fmt.Fprintf(&b, "read:%s.ret[%d]", p.Name, p.Index)
	case "arg", "ret", "word", "scan", "sqlarg", "elem":
		b.WriteString(p.Root + "[" + p.index() + "]")
	default:
		b.WriteString(p.Root)
	}
	if p.From != "" {
		fmt.Fprintf(&b, "<-%s.arg[%d]", p.From, p.FromArg)
	}
	for _, s := range p.Steps {
		b.WriteString(s.String())
	}
	return b.String()
}

func (p Path) index() string {
	switch p.Index {
	case EachArg:
		return "*"
	case LastArg:
		return "last"
	}
	if p.Rest {
		return strconv.Itoa(p.Index) + ".."
	}
	return strconv.Itoa(p.Index)
}

// String is the step as the format writes it: .Name, .Name(), .Name()[1] or [*].
func (s Step) String() string {
	switch {
	case s.Type != "":
		return ".(" + s.Type + ")"
	case s.Name == "*":
		return "[*]"
	case !s.Call:
		return "." + s.Name
	case s.Index > 0:
		return fmt.Sprintf(".%s()[%d]", s.Name, s.Index)
	}
	return "." + s.Name + "()"
}

// String is the condition as the format writes it.
func (c Cond) String() string {
	if c.Op == "closed" {
		return c.Path.String() + " closed"
	}
	return c.Path.String() + c.Op + c.Value
}

// roots tells which roots a path may have and whether an index follows.
var roots = [...]struct {
	name    string
	indexed bool
}{
	{"recv", false}, {"value", false}, {"session", false}, {"key", false}, {"conn", false}, {"tx", false},
	{"row", false}, {"script", false}, {"arg", true}, {"ret", true}, {"word", true}, {"scan", true},
	{"sqlarg", true}, {"elem", true},
}

// scanner reads the little languages of paths, conditions and signals.
type scanner struct {
	text string
	rest string
}

func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf("%s at %q in %q", fmt.Sprintf(format, args...), s.rest, s.text)
}

func (s *scanner) space() { s.rest = strings.TrimLeft(s.rest, " ") }

func (s *scanner) accept(lit string) bool {
	if !strings.HasPrefix(s.rest, lit) {
		return false
	}
	s.rest = s.rest[len(lit):]
	return true
}

// word reads an identifier, "" if there is none.
func (s *scanner) word() string {
	i := 0
	for i < len(s.rest) && isWord(s.rest[i], i == 0) {
		i++
	}
	w := s.rest[:i]
	s.rest = s.rest[i:]
	return w
}

func isWord(c byte, first bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || !first && '0' <= c && c <= '9'
}

// number reads an index of at most three digits.
func (s *scanner) number() (int, error) {
	i := 0
	for i < len(s.rest) && i < 4 && '0' <= s.rest[i] && s.rest[i] <= '9' {
		i++
	}
	if i == 0 || i > 3 {
		return 0, s.errorf("want an index")
	}
	n, _ := strconv.Atoi(s.rest[:i])
	s.rest = s.rest[i:]
	return n, nil
}

// ParsePath reads a path such as recv.Header().Revision, arg[1].Lease,
// recv<-NewMutex.arg[0] or callback.arg[0]. The package documentation of the
// format lists the roots.
func ParsePath(text string) (Path, error) {
	s := &scanner{text: text, rest: text}
	p, err := s.path()
	if err == nil && s.rest != "" {
		err = s.errorf("unexpected text")
	}
	if err != nil {
		return Path{}, err
	}
	return p, nil
}

func (s *scanner) path() (Path, error) {
	start := s.rest
	p, err := s.root()
	if err != nil {
		return p, err
	}
	if s.accept("<-") {
		if p.From, p.FromArg, err = s.from(); err != nil {
			return p, err
		}
	}
	if p.Steps, err = s.steps(); err != nil {
		return p, err
	}
	p.Text = start[:len(start)-len(s.rest)]
	return p, nil
}

func (s *scanner) root() (Path, error) {
	switch {
	case s.accept("opt:"):
		p := Path{Root: "opt", Name: s.word()}
		if p.Name == "" {
			return p, s.errorf("want the name of an option")
		}
		return p, nil
	case s.accept("read:"):
		return s.read()
	case s.accept("callback.arg"):
		p := Path{Root: "callback"}
		return p, s.index(&p)
	}
	before := s.rest
	w := s.word()
	for _, r := range roots {
		if r.name != w {
			continue
		}
		p := Path{Root: w}
		if r.indexed {
			return p, s.index(&p)
		}
		return p, nil
	}
	s.rest = before
	return Path{}, s.errorf("a path begins with %s", rootList())
}

func rootList() string {
	names := make([]string, 0, len(roots)+3)
	for _, r := range roots {
		if r.indexed {
			names = append(names, r.name+"[i]")
		} else {
			names = append(names, r.name)
		}
	}
	return strings.Join(append(names, "callback.arg[i]", "opt:Name", "read:Type.Method.ret[i]"), ", ")
}

// read parses Type.Method.ret[i]: a value that is read by another call.
func (s *scanner) read() (Path, error) {
	p := Path{Root: "read"}
	for {
		if s.accept("ret[") {
			s.rest = "[" + s.rest
			if p.Name == "" {
				return p, s.errorf("want a function before ret")
			}
			return p, s.index(&p)
		}
		w := s.word()
		if w == "" || !s.accept(".") {
			return p, s.errorf("want Type.Method.ret[i]")
		}
		if p.Name != "" {
			p.Name += "."
		}
		p.Name += w
	}
}

// index parses [i], [i..], [*] or [last].
func (s *scanner) index(p *Path) (err error) {
	if !s.accept("[") {
		return s.errorf("want [index]")
	}
	switch {
	case s.accept("*"):
		p.Index = EachArg
	case s.accept("last"):
		p.Index = LastArg
	default:
		if p.Index, err = s.number(); err != nil {
			return err
		}
		p.Rest = s.accept("..")
	}
	if !s.accept("]") {
		return s.errorf("want ]")
	}
	return nil
}

// from parses Ctor.arg[i].
func (s *scanner) from() (string, int, error) {
	name := s.word()
	if name == "" || !s.accept(".arg") {
		return "", 0, s.errorf("want Constructor.arg[i]")
	}
	var p Path
	if err := s.index(&p); err != nil {
		return "", 0, err
	}
	if p.Index < 0 || p.Rest {
		return "", 0, s.errorf("want one argument")
	}
	return name, p.Index, nil
}

const maxSteps = 16

func (s *scanner) steps() ([]Step, error) {
	var steps []Step
	for len(steps) < maxSteps {
		switch {
		case s.accept("[*]"):
			steps = append(steps, Step{Name: "*"})
		case s.accept(".("):
			typ, rest, ok := strings.Cut(s.rest, ")")
			if !ok || strings.Trim(typ, "*.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") != "" || typ == "" {
				return nil, s.errorf("want a type and )")
			}
			s.rest = rest
			steps = append(steps, Step{Type: typ})
		case s.accept("."):
			st, err := s.step()
			if err != nil {
				return nil, err
			}
			steps = append(steps, st)
		default:
			return steps, nil
		}
	}
	return nil, s.errorf("more than %d steps", maxSteps)
}

// step parses Name, Name() or Name()[i].
func (s *scanner) step() (st Step, err error) {
	if st.Name = s.word(); st.Name == "" {
		return st, s.errorf("want a field or method")
	}
	if st.Call = s.accept("()"); st.Call && s.accept("[") {
		if st.Index, err = s.number(); err != nil {
			return st, err
		}
		if !s.accept("]") {
			return st, s.errorf("want ]")
		}
	}
	return st, nil
}

// ParseCond reads a condition: comparisons joined with &&, alternatives with ||.
func ParseCond(text string) ([][]Cond, error) {
	s := &scanner{text: text, rest: text}
	var any [][]Cond
	all := []Cond{}
	for {
		c, err := s.cond()
		if err != nil {
			return nil, err
		}
		all = append(all, c)
		s.space()
		switch {
		case s.accept("&&"):
		case s.accept("||"):
			any, all = append(any, all), nil
		case s.rest == "":
			return append(any, all), nil
		default:
			return nil, s.errorf("want && or ||")
		}
	}
}

func (s *scanner) cond() (Cond, error) {
	s.space()
	p, err := s.path()
	if err != nil {
		return Cond{}, err
	}
	s.space()
	for _, op := range [...]string{"closed", "==", "!=", ">=", "<=", ">", "<"} {
		if !s.accept(op) {
			continue
		}
		c := Cond{Path: p, Op: op}
		if op != "closed" {
			s.space()
			c.Value, err = s.literal()
		}
		return c, err
	}
	return Cond{}, s.errorf("want a comparison or \"closed\"")
}

// literal reads nil, true, false, a whole number or a quoted string.
func (s *scanner) literal() (string, error) {
	if strings.HasPrefix(s.rest, `"`) {
		q, err := strconv.QuotedPrefix(s.rest)
		if err != nil {
			return "", s.errorf("want a closing quote")
		}
		s.rest = s.rest[len(q):]
		return strconv.Unquote(q)
	}
	i := 0
	for i < len(s.rest) && (isWord(s.rest[i], false) || i == 0 && s.rest[i] == '-') {
		i++
	}
	v := s.rest[:i]
	if _, err := strconv.ParseInt(v, 10, 64); err != nil && v != "nil" && v != "true" && v != "false" {
		return "", s.errorf("want nil, true, false, a number or a quoted string")
	}
	s.rest = s.rest[i:]
	return v, nil
}

// signalKinds says of each kind of loss signal whether a path must follow.
var signalKinds = [...]struct {
	name string
	path bool
}{
	{"chan_close", true}, {"chan_value", true}, {"ctx_done", true}, {"callback", true}, {"poll", true},
	{"extend", false}, {"err", true}, {"refused", false}, {"advisory", true}, {"exit", false}, {"none", false},
}

// ParseSignal reads how a loss shows: chan_close:session.Done(), alternatives
// joined with |.
func ParseSignal(text string) (Signal, error) {
	s := &scanner{text: text, rest: text}
	first, err := s.signal()
	first.Text = text
	for err == nil && s.rest != "" {
		s.space()
		if !s.accept("|") {
			err = s.errorf("want |")
			break
		}
		s.space()
		var next Signal
		if next, err = s.signal(); err == nil {
			first.Alt = append(first.Alt, next)
		}
	}
	if err != nil {
		return Signal{}, err
	}
	return first, nil
}

func (s *scanner) signal() (Signal, error) {
	before := s.rest
	w := s.word()
	for _, k := range signalKinds {
		if k.name != w {
			continue
		}
		sig := Signal{Kind: w}
		if !s.accept(":") {
			if k.path {
				return sig, s.errorf("%s needs a path", w)
			}
			sig.Text = w
			return sig, nil
		}
		if !k.path {
			return sig, s.errorf("%s takes no path", w)
		}
		return s.signalPath(sig, before)
	}
	s.rest = before
	return Signal{}, s.errorf("a signal is one of %s", signalList())
}

func (s *scanner) signalPath(sig Signal, before string) (Signal, error) {
	p, err := s.path()
	if err != nil {
		return sig, err
	}
	sig.At = p
	if s.accept("==") {
		if sig.Value, err = s.literal(); err != nil {
			return sig, err
		}
	}
	sig.Text = before[:len(before)-len(s.rest)]
	return sig, nil
}

func signalList() string {
	names := make([]string, len(signalKinds))
	for i, k := range signalKinds {
		names[i] = k.name
	}
	return strings.Join(names, ", ")
}
