package flow

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// pure lists functions whose result depends on their arguments alone.
var pure = set(
	"context.WithValue", "strconv.Itoa", "strconv.FormatInt", "strconv.FormatUint", "strconv.ParseInt",
	"strconv.ParseUint", "strconv.Atoi", "strings.ToLower", "strings.ToUpper", "strings.TrimSpace",
	"strings.TrimPrefix", "strings.TrimSuffix", "strings.ReplaceAll", "path.Join", "path/filepath.Join",
	"math/big.NewInt",
)

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// folds compute the results of functions of the standard library whose effect on
// text and contexts must be understood; nil means that the call stays a call.
var folds = map[string]func(args []*term.Term, n int) *term.Term{
	headerIn:                                foldHeaderIn,
	"fmt.Sprintf":                           foldSprintf,
	"fmt.Sprint":                            func(a []*term.Term, n int) *term.Term { return foldSprint(a) },
	"fmt.Sprintln":                          foldSprintln,
	"strings.Join":                          foldJoin,
	"strings.TrimSpace":                     foldTrim,
	"strings.ToUpper":                       foldMap(strings.ToUpper),
	"strings.ToLower":                       foldMap(strings.ToLower),
	"strings.TrimPrefix":                    foldCut(true, false, strings.TrimPrefix),
	"strings.TrimSuffix":                    foldCut(false, true, strings.TrimSuffix),
	"strings.CutPrefix":                     foldCutOff(true, strings.CutPrefix),
	"strings.CutSuffix":                     foldCutOff(false, strings.CutSuffix),
	"strings.TrimLeft":                      foldCut(true, false, strings.TrimLeft),
	"strings.TrimRight":                     foldCut(false, true, strings.TrimRight),
	"strings.Trim":                          foldCut(true, true, strings.Trim),
	"strings.ReplaceAll":                    foldReplace,
	"strings.Replace":                       foldReplace,
	"strings.Replacer.Replace":              foldReplacer,
	"strings.Repeat":                        foldRepeat,
	"path.Join":                             foldPath,
	"regexp.Regexp.ReplaceAllString":        foldPattern(false),
	"regexp.Regexp.ReplaceAllLiteralString": foldPattern(true),
	partOfList:                              foldPartOfList,
	"strings.Clone":                         first,
	"net/http.Header.Clone":                 first,
	"net/http.Request.Clone":                first, // headers set on the copy count for both
	"net/http.Request.WithContext":          first,
	"context.WithCancel":                    firstOnly,
	"context.WithCancelCause":               firstOnly,
	"context.WithTimeout":                   firstOnly,
	"context.WithTimeoutCause":              firstOnly,
	"context.WithDeadline":                  firstOnly,
	"context.WithDeadlineCause":             firstOnly,
	"context.WithoutCancel":                 first,
	"context.Context.Value":                 foldContextValue,
	OrZero:                                  foldOrZero,
	"strconv.Itoa":                          foldDigits,
	"strconv.FormatInt":                     foldDigits,
	"strconv.FormatUint":                    foldDigits,
	"strconv.ParseInt":                      foldParsed,
	"strconv.ParseUint":                     foldParsed,
	"database/sql.Named":                    foldNamed,
	"github.com/jmoiron/sqlx.DB.Rebind":     second, // only the placeholders change
	"github.com/jmoiron/sqlx.Tx.Rebind":     second,
	"github.com/jmoiron/sqlx.Rebind":        second,
	"github.com/jmoiron/sqlx.In":            textAndArgs,
	"github.com/jmoiron/sqlx.Named":         textAndNamed,
	"github.com/lib/pq.Array":               first,
	"github.com/lib/pq.CopyIn":              foldCopyIn,
	"github.com/lib/pq.CopyInSchema":        foldCopyIn,
	"errors.Join":                           nil,
	"text/template.Must":                    firstOnly,
	"<-":                                    foldReceive,
	"range":                                 foldRange,
	messages + ".Int64":                     messageOf("Int64Value"),
	messages + ".UInt64":                    messageOf("UInt64Value"),
	messages + ".String":                    messageOf("StringValue"),
	"math/big.Int.SetInt64":                 second,
	"math/big.Int.SetUint64":                second,
	"math/big.Int.Int64":                    first,
	"math/big.Int.Uint64":                   first,
	"embed.FS.ReadFile":                     foldEmbedded,
	"io/fs.ReadFile":                        foldEmbedded,
	"maps.Clone":                            first,
	"slices.Clone":                          first,
	"golang.org/x/sync/errgroup.WithContext": func(a []*term.Term, n int) *term.Term {
		if n == 1 && len(a) == 1 {
			return a[0]
		}
		return nil
	},
}

// messages is the package of the messages that hold one value.
const messages = "google.golang.org/protobuf/types/known/wrapperspb"

// messageOf makes a message of a type that holds one value.
func messageOf(typ string) func([]*term.Term, int) *term.Term {
	name := messages + "." + typ
	return func(args []*term.Term, _ int) *term.Term {
		if len(args) != 1 {
			return nil
		}
		return term.NewStruct(name, "", []string{name + ".Value"}, args)
	}
}

// foldCopyIn is the statement by which rows are loaded into a table, without its columns.
func foldCopyIn(args []*term.Term, n int) *term.Term {
	if len(args) < 2 {
		return nil
	}
	text := []*term.Term{term.NewString("COPY ")}
	for i, name := range args[:len(args)-1] {
		if i > 0 {
			text = append(text, term.NewString("."))
		}
		text = append(text, term.NewString(`"`), name, term.NewString(`"`))
	}
	return term.NewConcat(append(text, term.NewString(" FROM STDIN"))...)
}

func first(args []*term.Term, n int) *term.Term {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func second(args []*term.Term, n int) *term.Term {
	if len(args) < 2 {
		return nil
	}
	return args[1]
}

// textAndArgs leaves text and argument list as they were: the placeholders that a
// list becomes and its elements belong together.
func textAndArgs(args []*term.Term, n int) *term.Term {
	if len(args) != 2 || n > 1 {
		return nil
	}
	return args[n]
}

// textAndNamed leaves the names in a text, and the record or the map that they are bound by.
func textAndNamed(args []*term.Term, n int) *term.Term {
	switch {
	case len(args) != 2 || n > 1:
		return nil
	case n == 0:
		return args[0]
	}
	return term.NewList(false, args[1])
}

func firstOnly(args []*term.Term, n int) *term.Term {
	if n != 0 {
		return nil
	}
	return first(args, n)
}

func foldDigits(args []*term.Term, n int) *term.Term {
	if len(args) == 0 {
		return nil
	}
	if args[0].Kind == term.Const && args[0].Typ == "int" {
		return term.NewString(args[0].Str)
	}
	if args[0].Kind == term.Alt && !slices.ContainsFunc(args[0].Args, func(a *term.Term) bool { return a.Kind != term.Const || a.Typ != "int" }) {
		return eachForm(args[0], func(a *term.Term) *term.Term { return term.NewString(a.Str) })
	}
	if base, ok := term.IntValue(args[len(args)-1]); ok && len(args) == 2 && base != 10 {
		return inOtherBase(args[0])
	}
	return term.NewConvert("digits", args[0])
}

// OtherBase is the conversion to digits of another base than ten: as text, or read as
// decimals, they are in another order than the numbers.
const OtherBase = "digits of another base"

func inOtherBase(t *term.Term) *term.Term {
	return term.NewConvert("digits", term.NewConvert(OtherBase, t))
}

// foldParsed is a number that is read in another base than ten, as it was written.
func foldParsed(args []*term.Term, n int) *term.Term {
	if n != 0 || len(args) != 3 || !writesDigits(args[0]) {
		return nil
	}
	inner := args[0].Args[0]
	if base, ok := term.IntValue(args[1]); !ok || base == 10 || inner.Kind != term.Convert || inner.Str != OtherBase {
		return nil
	}
	return inner.Args[0]
}

func foldNamed(args []*term.Term, n int) *term.Term {
	if len(args) != 2 {
		return nil
	}
	return term.NewStruct("database/sql.NamedArg", "", []string{"database/sql.NamedArg.Name", "database/sql.NamedArg.Value"}, args)
}

// foldContextValue finds the value that WithValue put under an equal key.
func foldContextValue(args []*term.Term, n int) *term.Term {
	if len(args) != 2 {
		return nil
	}
	ctx, key := args[0], unbox(args[1])
	for ctx.Kind == term.Call && ctx.Str == "context.WithValue" && len(ctx.Args) == 3 {
		if unbox(ctx.Args[1]).Equal(key) {
			return ctx.Args[2]
		}
		ctx = ctx.Args[0]
	}
	if ctx.Kind == term.Alt {
		out := make([]*term.Term, len(ctx.Args))
		for i, c := range ctx.Args {
			if out[i] = foldContextValue([]*term.Term{c, args[1]}, n); out[i] == nil {
				out[i] = contextValue(c, args[1])
			}
		}
		return term.NewAlt(out...)
	}
	return contextValue(ctx, args[1])
}

func contextValue(ctx, key *term.Term) *term.Term {
	return term.NewCall("context.Context.Value", "", 0, ctx, key)
}

// foldJoin joins the elements of a list; of one that may be longer the end is a hole.
func foldJoin(args []*term.Term, n int) *term.Term {
	if len(args) != 2 {
		return nil
	}
	if args[0].Kind == term.Alt {
		if slices.ContainsFunc(args[0].Args, isGrown) {
			return joinedInLoop(args[0].Args, args[1])
		}
		return eachForm(args[0], func(l *term.Term) *term.Term { return foldJoin([]*term.Term{l, args[1]}, n) })
	}
	list := args[0]
	if list.Equal(term.Nil) {
		return term.NewString("")
	}
	if list.Kind != term.List || list.Open && len(list.Args) == 0 {
		return nil
	}
	var parts []*term.Term
	for i, e := range list.Args {
		if i > 0 {
			parts = append(parts, args[1])
		}
		parts = append(parts, e)
	}
	if list.Open {
		parts = append(parts, term.NewUnknown("more pieces than are followed"))
	}
	return term.NewConcat(parts...)
}

// foldRange is what a loop over the entries of a map meets: one of the keys, or of the
// values.
func foldRange(args []*term.Term, n int) *term.Term {
	if len(args) != 1 || n == 0 {
		return nil
	}
	m := unbox(args[0])
	if m.Kind != term.Struct || m.Str != "map" || m.Open || len(m.Args) == 0 || len(m.Args) > term.MaxAlternatives {
		return nil
	}
	if n == 2 {
		return term.NewAlt(m.Args...)
	}
	keys := make([]*term.Term, len(m.Names))
	for i, name := range m.Names {
		s, ok := term.KeyedString(name)
		if !ok {
			return nil
		}
		keys[i] = term.NewString(s)
	}
	return term.NewAlt(keys...)
}

// eachForm maps the alternatives of a term; nil if one of them has no result.
func eachForm(t *term.Term, f func(*term.Term) *term.Term) *term.Term {
	out := make([]*term.Term, len(t.Args))
	for i, a := range t.Args {
		if out[i] = f(a); out[i] == nil {
			return nil
		}
	}
	return term.NewAlt(out...)
}

func foldTrim(args []*term.Term, n int) *term.Term {
	if len(args) == 1 {
		if s, ok := term.StringValue(args[0]); ok {
			return term.NewString(strings.TrimSpace(s))
		}
		return args[0] // white space at the ends changes no statement
	}
	return nil
}

// refold computes a folded call again once its arguments are known.
func refold(t *term.Term) *term.Term {
	if r := roundTrip(t); r != nil {
		return r
	}
	if fold := folds[t.Str]; fold != nil {
		return fold(t.Args, t.N)
	}
	return foldNumber(t.Str, t.Args, t.N)
}
