package flow

import (
	"maps"
	"strconv"
	"strings"
	"unicode"

	"github.com/fencelint/fencelint/internal/term"
)

// Functions of the standard library that put lists together, choose among values, take texts
// apart, or undo what another one did.

func init() {
	maps.Copy(folds, map[string]func([]*term.Term, int) *term.Term{
		"slices.Concat":                         foldConcat,
		"slices.Insert":                         foldInsert,
		"slices.Max":                            ofElements("max"),
		"slices.Min":                            ofElements("min"),
		"cmp.Or":                                foldOr,
		"strings.Cut":                           foldCutAt,
		"strings.Split":                         foldSplit,
		"strings.Fields":                        foldFields,
		"fmt.Appendf":                           addedTo(foldSprintf),
		"fmt.Append":                            addedTo(func(a []*term.Term, _ int) *term.Term { return foldSprint(a) }),
		"fmt.Appendln":                          addedTo(foldSprintln),
		"strconv.ParseFloat":                    foldFloat,
		"encoding/hex.DecodeString":             undone("encoding/hex.EncodeToString"),
		"encoding/base64.Encoding.DecodeString": undone("encoding/base64.Encoding.EncodeToString"),
		"encoding/base32.Encoding.DecodeString": undone("encoding/base32.Encoding.EncodeToString"),
	})
	for by, of := range pointedTo {
		folds[by] = undone(of)
	}
}

// pointedTo are helpers that give what a pointer points to, each with the one that makes it.
var pointedTo = map[string]string{
	"github.com/aws/aws-sdk-go-v2/aws.ToString": "github.com/aws/aws-sdk-go-v2/aws.String",
	"github.com/aws/aws-sdk-go-v2/aws.ToInt64":  "github.com/aws/aws-sdk-go-v2/aws.Int64",
	"github.com/aws/aws-sdk-go/aws.StringValue": "github.com/aws/aws-sdk-go/aws.String",
	"github.com/aws/aws-sdk-go/aws.Int64Value":  "github.com/aws/aws-sdk-go/aws.Int64",
}

// foldConcat joins lists.
func foldConcat(args []*term.Term, _ int) *term.Term {
	if len(args) != 1 || args[0].Kind != term.List || args[0].Open {
		return nil
	}
	out := term.NewList(false)
	for _, l := range args[0].Args {
		out = term.NewAppend(out, l)
	}
	return out
}

// foldInsert is a list with more elements at an index that is known.
func foldInsert(args []*term.Term, _ int) *term.Term {
	if len(args) != 3 || args[0].Kind != term.List || args[2].Kind != term.List || args[2].Open {
		return nil
	}
	at, ok := term.IntValue(args[1])
	if !ok || at < 0 || at > int64(len(args[0].Args)) {
		return nil
	}
	list := args[0].Args
	elems := append(append(list[:at:at], args[2].Args...), list[at:]...)
	return term.NewList(args[0].Open, elems...)
}

// ofElements applies an operator to the elements of a list.
func ofElements(op string) func([]*term.Term, int) *term.Term {
	return func(args []*term.Term, _ int) *term.Term {
		if len(args) != 1 || args[0].Kind != term.List || args[0].Open || len(args[0].Args) == 0 {
			return nil
		}
		return term.NewOp(op, args[0].Args...)
	}
}

// foldOr is one of several values: the first that is not zero.
func foldOr(args []*term.Term, _ int) *term.Term {
	if len(args) != 1 || args[0].Kind != term.List || args[0].Open || len(args[0].Args) == 0 {
		return nil
	}
	var out []*term.Term
	for _, a := range args[0].Args {
		if a.Kind == term.Const && isEmptyConst(a) {
			continue
		}
		if out = append(out, a); a.Kind == term.Const {
			break
		}
	}
	if last := args[0].Args[len(args[0].Args)-1]; len(out) == 0 {
		return last
	}
	return term.NewAlt(out...)
}

func isEmptyConst(c *term.Term) bool {
	return term.IsZero(c) || c.Typ == "string" && c.Str == "" || c.Typ == "bool" && c.Str == "false"
}

// cutAt takes a text apart where a separator stands first, if what is before it is known not
// to have one: digits have none, nor has what is constant there.
func cutAt(t *term.Term, sep string) (before, after *term.Term, found, ok bool) {
	parts := []*term.Term{t}
	if t.Kind == term.Concat {
		parts = t.Args
	}
	for i, p := range parts {
		s, known := term.StringValue(p)
		switch {
		case known:
			if head, tail, has := strings.Cut(s, sep); has {
				before = term.NewConcat(append(parts[:i:i], term.NewString(head))...)
				after = term.NewConcat(append([]*term.Term{term.NewString(tail)}, parts[i+1:]...)...)
				return before, after, true, true
			}
		case p.Kind == term.Convert && p.Str == "digits" && !strings.ContainsFunc(sep, inNumber):
		default:
			return nil, nil, false, false
		}
	}
	return t, term.NewString(""), false, len(sep) == 1 || len(parts) == 1
}

// foldCutAt is what strings.Cut gives.
func foldCutAt(args []*term.Term, n int) *term.Term {
	if len(args) != 2 || n > 2 {
		return nil
	}
	sep, ok := term.StringValue(args[1])
	if !ok || sep == "" {
		return nil
	}
	if args[0].Kind == term.Alt {
		return eachForm(args[0], func(t *term.Term) *term.Term { return foldCutAt([]*term.Term{t, args[1]}, n) })
	}
	before, after, found, ok := cutAt(args[0], sep)
	if !ok {
		return nil
	}
	return []*term.Term{before, after, term.NewConst("bool", strconv.FormatBool(found))}[n]
}

// foldSplit is the list of the parts of a text.
func foldSplit(args []*term.Term, _ int) *term.Term {
	if len(args) != 2 {
		return nil
	}
	sep, ok := term.StringValue(args[1])
	if !ok || sep == "" {
		return nil
	}
	if args[0].Kind == term.Alt {
		return eachForm(args[0], func(t *term.Term) *term.Term { return foldSplit([]*term.Term{t, args[1]}, 0) })
	}
	var out []*term.Term
	for rest := args[0]; len(out) < maxSplit; {
		before, after, found, ok := cutAt(rest, sep)
		if !ok {
			return nil
		}
		out = append(out, before)
		if !found {
			return term.NewList(false, out...)
		}
		rest = after
	}
	return nil
}

// maxSplit bounds the parts of a text.
const maxSplit = 32

// foldFields is the list of the words of a text that is known.
func foldFields(args []*term.Term, _ int) *term.Term {
	if len(args) != 1 {
		return nil
	}
	s, ok := term.StringValue(args[0])
	words := strings.Fields(s)
	if !ok || len(words) > term.MaxSize/2 {
		return nil
	}
	out := make([]*term.Term, len(words))
	for i, w := range words {
		out[i] = term.NewString(w)
	}
	return term.NewList(false, out...)
}

// addedTo is a text with what another function writes behind it.
func addedTo(write func([]*term.Term, int) *term.Term) func([]*term.Term, int) *term.Term {
	return func(args []*term.Term, n int) *term.Term {
		if len(args) < 2 {
			return nil
		}
		if t := write(args[1:], n); t != nil {
			return term.NewConcat(bytesOf(args[0]), t)
		}
		return nil
	}
}

// foldFloat is a number of which the last digits are lost.
func foldFloat(args []*term.Term, n int) *term.Term {
	if len(args) != 2 || n != 0 {
		return nil
	}
	return term.NewConvert("float64", args[0])
}

// undone is what another function encoded, if this one decodes it in the same way.
func undone(by string) func([]*term.Term, int) *term.Term {
	return func(args []*term.Term, n int) *term.Term {
		if n != 0 || len(args) == 0 {
			return nil
		}
		text := args[len(args)-1]
		if text.Kind == term.Alt {
			return eachForm(text, func(a *term.Term) *term.Term { return undone(by)(append(args[:len(args)-1:len(args)-1], a), n) })
		}
		if text.Kind != term.Call || text.Str != by || len(text.Args) != len(args) || len(args) == 2 && !text.Args[0].Equal(args[0]) {
			return nil
		}
		return text.Args[len(args)-1]
	}
}

// inNumber reports whether a character may be part of a number that is written in any base.
func inNumber(r rune) bool { return r == '-' || r == '+' || unicode.IsLetter(r) || unicode.IsDigit(r) }
