package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/model"
)

// Grade orders lock libraries by what they give to a write that wants to be refused.
type Grade int

// The grades, the best first.
const (
	GradeEpoch   Grade = iota // a fencing token comes with the grant
	GradePattern              // it does with one use of the API, which is no lock function by itself
	GradeReread               // there is one, to be read after the grant
	GradeGuard                // none, but the same store can guard a write
	GradeNumber               // a number that is no fence
	GradeName                 // a name without order
	GradeNone                 // nothing
)

// Answer is what a lock library gives, by its model alone.
type Answer struct {
	Lib   *model.Library
	Grade Grade
	Best  *model.Lock // acquisition with the best token or guard
	Worse []string    // calls of a library with a token that give none
	Later *model.Lock // better token of a version that was not served when checked, nil if none
}

// Answers returns the lock libraries: those with a call, statement or callback that
// begins a hold. They are sorted by grade, then by name.
func Answers(t *model.Table) []Answer {
	var out []Answer
	for _, l := range t.Libraries() {
		if a, ok := answer(l); ok {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.Grade, b.Grade), cmp.Compare(a.Lib.Name, b.Lib.Name))
	})
	return out
}

func answer(l *model.Library) (Answer, bool) {
	a := Answer{Lib: l, Grade: GradeNone + 1}
	for _, e := range l.Locks {
		if g := grade(e); begins(e) && g < a.Grade {
			a.Grade, a.Best = g, e
		}
	}
	if a.Best == nil {
		return a, false
	}
	for _, e := range l.Locks {
		switch g := grade(e); {
		case begins(e) && a.Grade <= GradeReread && g > GradeReread && e.Match.Kind == "call":
			a.Worse = append(a.Worse, code(matchName(&e.Match)))
		case e.Role == model.RoleToken && g == GradeEpoch && strings.HasPrefix(e.Since, "after ") && a.Grade > g:
			a.Later = e
		case aside(e) && g >= GradeGuard && g < a.Grade:
			a.Grade, a.Best = g, e
		}
	}
	return a, true
}

// aside reports that an entry that begins no hold tells what its library gives: a guard
// to switch on, or a number shown by a question.
func aside(e *model.Lock) bool {
	return guards(e) && !begins(e) || e.Role == model.RoleCheck && looksOrdered(e)
}

func looksOrdered(e *model.Lock) bool { return slices.Contains(e.Traps, "looks_ordered") }

// begins reports that a hold may begin at the entry.
func begins(e *model.Lock) bool {
	return e.Role == model.RoleAcquire || e.Role == model.RoleRegion || e.Role == model.RoleTxLock
}

func grade(e *model.Lock) Grade {
	guarded := e.Guard != "" && e.Guard != "optimistic"
	switch c := e.Token.Class; {
	case c == model.ClassEpoch && e.Maybe:
		return GradePattern
	case c == model.ClassEpoch:
		return GradeEpoch
	case c == model.ClassEpochReread:
		return GradeReread
	case guarded:
		return GradeGuard
	case c == model.ClassVolatile, c == model.ClassOpaque && looksOrdered(e), c == model.ClassCounterUnbound, c == model.ClassClock:
		return GradeNumber
	case c == model.ClassOpaque:
		return GradeName
	}
	return GradeNone
}

// refusing are the rules that speak up where a token of the class is used as a fence.
var refusing = map[model.TokenClass]string{
	model.ClassVolatile: "volatiletoken", model.ClassCounterUnbound: "unboundcounter",
	model.ClassOpaque: "opaquetoken", model.ClassClock: "clocktoken",
}

// Sentence is what fencelint says about the library, in one sentence for a page.
func (a Answer) Sentence() string {
	out := a.verdict()
	if len(a.Worse) > 0 {
		out += "; not with " + strings.Join(a.Worse, ", ")
	}
	switch d := a.Best.Token.Durability; {
	case a.Grade > GradeReread || d == "" || d == "consensus":
	case d == "async-replica":
		out += ", provided that a failover never loses a number (`-fencelint.strict` does not rely on that)"
	case d == "unknown" || d == "per-process":
		out += "; whether the number survives: " + meaning(model.Durabilities(), d) + " (`-fencelint.strict` does not rely on it)"
	default:
		out += "; whether the number survives: " + meaning(model.Durabilities(), d)
	}
	if a.Later != nil {
		out += fmt.Sprintf("; %s is known for the time %s: a fencing token, of which no served version was seen", code(a.Later.Match.Recv+"."+a.Later.Match.Name), a.Later.Since)
	}
	return out + "."
}

func (a Answer) verdict() string {
	e := a.Best
	at := place(e.Token.At)
	switch a.Grade {
	case GradeEpoch:
		return fmt.Sprintf("Yes: %s is issued with the grant and greater for each later owner; a write that compares and stores it is proved", at)
	case GradePattern:
		return fmt.Sprintf("Yes, where %s serves as a lock: %s is issued with the grant and greater for each later owner", code(matchName(&e.Match)), at)
	case GradeReread:
		return fmt.Sprintf("Yes, by a read after the grant: %s counts only if %s", at, cmp.Or(e.Token.Requires, "the same read shows the holder"))
	case GradeGuard:
		return "No number, but a guard that the same store decides: " + a.guards() + "; writes elsewhere stay open"
	case GradeNumber, GradeName:
		return a.unordered(at)
	}
	return "No: it shows no number"
}

// unordered says what is wrong with what the library shows.
func (a Answer) unordered(at string) string {
	c := a.Best.Token.Class
	switch {
	case looksOrdered(a.Best):
		return fmt.Sprintf("No: %s of %s is %s (%s)", at, code(matchName(&a.Best.Match)), meaning(model.Traps(), "looks_ordered"), ruleLink(refusing[c]))
	case at == "" && a.Best.Maybe:
		return fmt.Sprintf("No: the value that tells owners apart has no order (%s)", ruleLink(refusing[c]))
	case at == "":
		return fmt.Sprintf("No: the value that tells owners apart is not shown, and has no order (%s)", ruleLink(refusing[c]))
	case c == model.ClassOpaque:
		return fmt.Sprintf("No: %s tells owners apart, and has no order (%s)", at, ruleLink(refusing[c]))
	}
	return fmt.Sprintf("No: %s is no fence: %s (%s)", at, meaning(model.Classes(), string(c)), ruleLink(refusing[c]))
}

// guards are the guards of all that begins a hold, in words.
func (a Answer) guards() string {
	var out []string
	for _, e := range a.Lib.Locks {
		if e.Guard == "" || !begins(e) && e != a.Best {
			continue
		}
		if m := meaning(model.Guards(), e.Guard); !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return strings.Join(out, ", or ")
}

// place is where a value is, as code; of a value that another call reads, with that call.
func place(p model.Path) string {
	text, read := strings.CutPrefix(p.String(), "read:")
	if i := strings.Index(text, ".ret["); read && i > 0 {
		return code(text[i+1:]) + " of " + code(text[:i])
	}
	return code(text)
}

func ruleLink(rule string) string { return "[" + rule + "](rules/" + rule + ".md)" }

func meaning(terms []model.Term, word string) string {
	for _, t := range terms {
		if t.Word == word {
			return t.Meaning
		}
	}
	return word
}

// code sets text as code in a cell of a table, "" if there is none.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(s, "|", `\|`) + "`"
}
