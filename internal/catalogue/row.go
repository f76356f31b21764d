package catalogue

import (
	"strings"

	"github.com/fencelint/fencelint/model"
)

// Row is one row of a library in words that a person can review: an entry about
// locks or one about effects. Empty fields are not stated.
type Row struct {
	Call       string   `json:"call"`
	Role       string   `json:"role,omitempty"`     // of an entry about locks
	Kind       string   `json:"kind,omitempty"`     // of a row about effects
	Boundary   string   `json:"boundary,omitempty"` // where the effect goes
	Mode       string   `json:"mode,omitempty"`
	Only       string   `json:"only,omitempty"` // which of the calls are meant
	Maybe      bool     `json:"maybe,omitempty"`
	Handle     string   `json:"handle,omitempty"`
	Key        string   `json:"key,omitempty"`
	Success    string   `json:"success,omitempty"`
	Loss       string   `json:"loss,omitempty"`
	Token      string   `json:"token,omitempty"` // where it is
	Class      string   `json:"class,omitempty"`
	Durability string   `json:"durability,omitempty"`
	Guard      string   `json:"guard,omitempty"`
	Traps      []string `json:"traps,omitempty"`
	Statement  string   `json:"statement,omitempty"`
	Refusal    string   `json:"refusal,omitempty"`
	Since      string   `json:"since,omitempty"`
	Note       string   `json:"note,omitempty"`
	Pos        string   `json:"pos"` // in the model file
}

// IsLock reports that the row is about a lock, not about an effect.
func (r Row) IsLock() bool { return r.Role != "" }

// String is the row on one line.
func (r Row) String() string {
	head := r.Call + ": " + r.Role + r.Kind
	if r.Mode != "" {
		head += ", " + r.Mode
	}
	if r.Boundary != "" {
		head += " to " + r.Boundary
	}
	out := []string{head}
	say := func(label, text string) {
		if text != "" {
			out = append(out, strings.TrimSpace(label+" "+text))
		}
	}
	say("only if", r.Only)
	if r.Maybe {
		say("", "often no lock at all")
	}
	say("statement", r.Statement)
	say("handle", r.Handle)
	say("key", r.Key)
	say("succeeded if", r.Success)
	say("loss:", r.Loss)
	say("token:", r.token())
	say("guard:", r.Guard)
	say("refusal:", r.Refusal)
	say("traps:", strings.Join(r.Traps, ", "))
	say("since", r.Since)
	say("note:", r.Note)
	return strings.Join(out, "; ")
}

func (r Row) token() string {
	if r.Class == "" {
		return ""
	}
	out := r.Class
	if r.Token != "" {
		out += " at " + r.Token
	}
	if r.Durability != "" && r.Class != string(model.ClassNone) {
		out += " (" + r.Durability + ")"
	}
	return out
}

// Rows returns what a library says: locks, then effects, each in the order of its file.
func Rows(l *model.Library) []Row {
	var out []Row
	for _, e := range l.Locks {
		out = append(out, lockRow(e))
	}
	for _, s := range l.Sinks {
		out = append(out, sinkRow(s))
	}
	return out
}

func lockRow(e *model.Lock) Row {
	r := Row{
		Call: matchName(&e.Match), Role: string(e.Role), Mode: e.Mode, Only: only(&e.Match), Maybe: e.Maybe,
		Handle: e.Handle.String(), Success: e.OKText, Loss: loss(e),
		Token: e.Token.At.String(), Class: string(e.Token.Class), Durability: e.Token.Durability,
		Guard: guard(e), Traps: e.Traps, Since: e.Since, Note: e.Note, Pos: e.Pos.String(),
	}
	var keys []string
	for _, k := range e.Keys {
		keys = append(keys, k.String())
	}
	r.Key = strings.Join(keys, ", ")
	if e.Removes {
		r.Note = join("; ", "removes the lock of any owner", r.Note)
	}
	for _, n := range e.Notes {
		r.Note = join("; ", r.Note, n.Field+": "+n.Text)
	}
	return r
}

// matchName is what an entry is about, as code says it.
func matchName(m *model.Match) string {
	name := m.Name
	if m.Recv != "" {
		name = m.Recv + "." + m.Name
	}
	switch m.Kind {
	case "sql":
		return "statement /" + m.Pattern + "/"
	case "rediscmd":
		return name + " " + join(" ", m.Cmd, strings.Join(m.Needs, " "))
	case "lua":
		return name + " script"
	case "chain":
		return join(".", strings.Join(m.Steps, "."), name)
	case "implements":
		return "every " + name
	case "field", "funcfield":
		return "field " + name
	}
	return name
}

// only says for which calls of the name an entry holds, "" for all.
func only(m *model.Match) string {
	var out []string
	for _, w := range m.Where {
		at := w.At.String()
		switch {
		case w.Eq != "":
			out = append(out, at+" is "+w.Eq)
		case w.Re != "":
			out = append(out, at+" matches "+w.Re)
		case w.Absent:
			out = append(out, at+" is not set")
		default:
			out = append(out, at+" is set")
		}
	}
	return join(", ", strings.Join(out, " and "), m.When)
}

func loss(e *model.Lock) string {
	var out []string
	for _, s := range append([]model.Signal{e.Lost}, e.Lost.Alt...) {
		if s.Kind != "" {
			out = append(out, lossWords(s))
		}
	}
	return strings.Join(out, ", or ")
}

// lossWords says how one signal of a loss shows.
func lossWords(s model.Signal) string {
	at := s.At.String()
	switch s.Kind {
	case "chan_close":
		return at + " is closed"
	case "chan_value":
		if s.Value != "" {
			return at + " yields " + s.Value
		}
		return at + " yields a value"
	case "ctx_done":
		return at + " is done"
	case "callback":
		return at + " is called"
	case "poll":
		return "only to whom asks " + at
	case "err":
		return at + " is an error"
	case "advisory":
		return at + " tells of others only"
	case "extend":
		return "an extension fails"
	case "refused":
		return "this call fails"
	case "exit":
		return "the process ends"
	case "none":
		return "not told"
	}
	return s.Kind
}

func guard(e *model.Lock) string {
	if e.Guard == "" {
		return ""
	}
	out := e.Guard
	if !e.GuardAt.IsZero() {
		out += " at " + e.GuardAt.String()
	}
	return out
}

func sinkRow(s *model.Sink) Row {
	name := s.Method
	if s.Recv != "" {
		name = s.Recv + "." + s.Method
	}
	r := Row{
		Call: name, Kind: s.Kind, Boundary: strings.ReplaceAll(s.Boundary, "|", " or "), Key: s.Key.String(),
		Refusal: refusal(s), Since: s.Since, Note: s.Note, Pos: s.Pos.String(),
	}
	if s.Stmt >= 0 {
		r.Statement = join(" ", strings.TrimSuffix(s.Dialect+":"+s.Format, ":"), "in argument "+itoa(s.Stmt))
	}
	return r
}

// refusal says how the receiver of an effect says no.
func refusal(s *model.Sink) string {
	if s.Profile == nil || !IsWrite(s) {
		return ""
	}
	no := s.Profile.Rejection
	out := join(" ", no.Signal, no.Symbol)
	when := no.When
	if s.Refused != "" {
		when = s.Refused
	}
	if when != "" {
		out += ": " + when
	}
	if no.ErrStated && no.ErrNil {
		out += ", with a nil error"
	}
	return out
}

// IsWrite reports that an effect leaves the process through the call.
func IsWrite(s *model.Sink) bool {
	for b := range strings.SplitSeq(s.Boundary, "|") {
		switch b {
		case "read", "carrier", "local":
		default:
			return true
		}
	}
	return false
}

// join puts the texts that are not empty together.
func join(sep string, texts ...string) string {
	out := ""
	for _, t := range texts {
		switch {
		case t == "":
		case out == "":
			out = t
		default:
			out += sep + t
		}
	}
	return out
}
