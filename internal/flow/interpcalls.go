package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
)

// invoke runs a call.
func (fr *frame) invoke(c *ssa.Call) any {
	common := c.Common()
	if common.IsInvoke() {
		return fail()
	}
	args := make([]any, len(common.Args))
	for i, a := range common.Args {
		args[i] = fr.of(a)
	}
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return builtinOn(b.Name(), args)
	}
	f := common.StaticCallee()
	if f == nil {
		fn := fr.of(common.Value).(*runFunc)
		return fr.call(fn.f, args, fn.free)
	}
	if lit, ok := common.Value.(*ssa.MakeClosure); ok {
		return fr.call(f, args, fr.of(lit).(*runFunc).free)
	}
	if f.Pkg != nil && f.Pkg.Pkg == fr.a.Pkg && len(f.Blocks) > 0 {
		return fr.call(f, args, nil)
	}
	return fr.library(callKey(common), args)
}

func builtinOn(name string, args []any) any {
	switch name {
	case "len":
		switch x := args[0].(type) {
		case string:
			return int64(len(x))
		case []byte:
			return int64(len(x))
		case []any:
			return int64(len(x))
		}
	case "append":
		switch x := args[0].(type) {
		case []byte:
			if s, ok := args[1].(string); ok {
				return append(x[:len(x):len(x)], s...)
			}
			return append(x[:len(x):len(x)], bytesIn(args[1])...)
		case []any:
			return append(x[:len(x):len(x)], args[1].([]any)...)
		}
	}
	return fail()
}

// bytesIn are the bytes of a list, also of one that was put together for a call.
func bytesIn(x any) []byte {
	switch l := x.(type) {
	case []byte:
		return l
	case []any:
		out := make([]byte, len(l))
		for i, b := range l {
			out[i] = byte(b.(int64))
		}
		return out
	}
	fail()
	return nil
}

// texts2 are functions of two texts.
var texts2 = map[string]func(a, b string) any{
	"strings.Contains":   func(a, b string) any { return strings.Contains(a, b) },
	"strings.HasPrefix":  func(a, b string) any { return strings.HasPrefix(a, b) },
	"strings.HasSuffix":  func(a, b string) any { return strings.HasSuffix(a, b) },
	"strings.Index":      func(a, b string) any { return int64(strings.Index(a, b)) },
	"strings.LastIndex":  func(a, b string) any { return int64(strings.LastIndex(a, b)) },
	"strings.IndexAny":   func(a, b string) any { return int64(strings.IndexAny(a, b)) },
	"strings.Count":      func(a, b string) any { return int64(strings.Count(a, b)) },
	"strings.EqualFold":  func(a, b string) any { return strings.EqualFold(a, b) },
	"strings.TrimPrefix": func(a, b string) any { return strings.TrimPrefix(a, b) },
	"strings.TrimSuffix": func(a, b string) any { return strings.TrimSuffix(a, b) },
	"strings.Trim":       func(a, b string) any { return strings.Trim(a, b) },
	"strings.TrimLeft":   func(a, b string) any { return strings.TrimLeft(a, b) },
	"strings.TrimRight":  func(a, b string) any { return strings.TrimRight(a, b) },
	"strings.Split":      func(a, b string) any { return anyList(strings.Split(a, b)) },
	"strings.SplitAfter": func(a, b string) any { return anyList(strings.SplitAfter(a, b)) },
	"strings.Cut": func(a, b string) any {
		before, after, found := strings.Cut(a, b)
		return []any{before, after, found}
	},
}

// runnable are the other functions that a run knows.
var runnable = set("strings.ToUpper", "strings.ToLower", "strings.TrimSpace", "strings.Fields", "strings.IndexByte", "strings.IndexRune",
	"strings.ReplaceAll", "strings.Replace", "strings.Repeat", "strings.Join", "strconv.Itoa", "strconv.FormatInt", "strconv.AppendInt",
	"fmt.Sprintf", "fmt.Fprintf", "regexp.MustCompile")

func anyList(l []string) []any {
	out := make([]any, len(l))
	for i, s := range l {
		out[i] = s
	}
	return out
}

// charge counts what a function of the library has to look at, and ends the run where that, or
// what comes of it, may be too much.
func (fr *frame) charge(args []any) {
	product := 1
	for _, a := range args {
		n := sizeOfText(a)
		if l, ok := a.([]any); ok {
			for _, x := range l {
				n += sizeOfText(x)
			}
		}
		fr.left -= n / 8
		product *= n + 1
	}
	if fr.left < 0 || product > maxRunProduct {
		fail()
	}
}

// maxRunProduct bounds the product of the sizes of what a function is given.
const maxRunProduct = 1 << 22

// library runs a function of the standard library.
func (fr *frame) library(key string, args []any) any {
	fr.charge(args)
	if f := texts2[key]; f != nil {
		return f(args[0].(string), args[1].(string))
	}
	switch key {
	case "strings.ToUpper":
		return strings.ToUpper(args[0].(string))
	case "strings.ToLower":
		return strings.ToLower(args[0].(string))
	case "strings.TrimSpace":
		return strings.TrimSpace(args[0].(string))
	case "strings.Fields":
		return anyList(strings.Fields(args[0].(string)))
	case "strings.IndexByte", "strings.IndexRune":
		return int64(strings.IndexRune(args[0].(string), rune(args[1].(int64))))
	case "strings.ReplaceAll":
		return strings.ReplaceAll(args[0].(string), args[1].(string), args[2].(string))
	case "strings.Replace":
		return strings.Replace(args[0].(string), args[1].(string), args[2].(string), int(args[3].(int64)))
	case "strings.Repeat":
		return repeatedText(args[0].(string), args[1].(int64))
	case "strings.Join":
		return strings.Join(stringsIn(args[0]), args[1].(string))
	case "strconv.Itoa":
		return strconv.FormatInt(args[0].(int64), 10)
	case "strconv.FormatInt":
		return strconv.FormatInt(args[0].(int64), int(args[1].(int64)))
	case "strconv.AppendInt":
		x := args[0].([]byte)
		return strconv.AppendInt(x[:len(x):len(x)], args[1].(int64), int(args[2].(int64)))
	case "fmt.Sprintf":
		return formatted(args)
	case "fmt.Fprintf":
		return fr.written(args[0].(*runCell), "WriteString", []any{formatted(args[1:])})
	case "regexp.MustCompile":
		return regexp.MustCompile(args[0].(string))
	}
	if re, ok := args[0].(*regexp.Regexp); ok {
		return fr.match(re, key, args[1:])
	}
	if c, ok := args[0].(*runCell); ok {
		return fr.written(c, key, args[1:])
	}
	return fail()
}

func formatted(args []any) any {
	if wideVerb.MatchString(args[0].(string)) {
		return fail()
	}
	return fmt.Sprintf(args[0].(string), args[1].([]any)...)
}

// wideVerb finds the verbs of a format that may give much more than they are given.
var wideVerb = pattern.New(`%[-+# 0]*(T|\*|\d{3}|\d*\.\*|\d*\.\d{3})`)

func stringsIn(x any) []string {
	var out []string
	for _, s := range x.([]any) {
		out = append(out, s.(string))
	}
	return out
}

func repeatedText(s string, n int64) any {
	if n < 0 || n*int64(len(s)) > maxRunText {
		return fail()
	}
	return strings.Repeat(s, int(n))
}

// match runs a method of a pattern.
func (fr *frame) match(re *regexp.Regexp, key string, args []any) any {
	switch strings.TrimPrefix(key, "regexp.Regexp.") {
	case "ReplaceAllString":
		return re.ReplaceAllString(args[0].(string), args[1].(string))
	case "ReplaceAllLiteralString":
		return re.ReplaceAllLiteralString(args[0].(string), args[1].(string))
	case "ReplaceAllStringFunc":
		f := args[1].(*runFunc)
		return re.ReplaceAllStringFunc(args[0].(string), func(s string) string { return fr.call(f.f, []any{s}, f.free).(string) })
	case "MatchString":
		return re.MatchString(args[0].(string))
	}
	return fail()
}

// written runs a method of a buffer.
func (fr *frame) written(c *runCell, key string, args []any) any {
	b, ok := c.get().(*textBuffer)
	if !ok || len(b.b) > maxRunText {
		return fail()
	}
	switch strings.TrimPrefix(strings.TrimPrefix(key, "strings.Builder."), "bytes.Buffer.") {
	case "WriteString":
		b.b = append(b.b, args[0].(string)...)
		return []any{int64(len(args[0].(string))), any(nil)}
	case "WriteByte":
		b.b = append(b.b, byte(args[0].(int64)))
		return nil
	case "WriteRune":
		b.b = append(b.b, string(rune(args[0].(int64)))...)
		return []any{int64(0), any(nil)}
	case "Write":
		b.b = append(b.b, bytesIn(args[0])...)
		return []any{int64(0), any(nil)}
	case "String":
		return string(b.b)
	case "Len":
		return int64(len(b.b))
	case "Grow":
		return nil
	}
	return fail()
}

// operate runs an operator.
func operate(op token.Token, x, y any, t types.Type) any {
	switch a := x.(type) {
	case string:
		b := y.(string)
		switch op {
		case token.ADD:
			return a + b
		case token.EQL:
			return a == b
		case token.NEQ:
			return a != b
		case token.LSS:
			return a < b
		case token.GTR:
			return a > b
		}
	case bool:
		switch op {
		case token.EQL:
			return a == y.(bool)
		case token.NEQ:
			return a != y.(bool)
		}
	case int64:
		return arithmetic(op, a, y.(int64), t)
	}
	return fail()
}

func arithmetic(op token.Token, a, b int64, t types.Type) any {
	if cmp := intOps[op]; cmp != nil {
		return cmp(a, b)
	}
	switch {
	case op == token.ADD:
		return narrow(a+b, t)
	case op == token.SUB:
		return narrow(a-b, t)
	case op == token.MUL && max(a, -a) < 1<<30 && max(b, -b) < 1<<30:
		return narrow(a*b, t)
	case op == token.QUO && b != 0:
		return narrow(a/b, t)
	case op == token.REM && b != 0:
		return narrow(a%b, t)
	}
	return fail()
}

// narrow is a number as a type holds it.
func narrow(n int64, t types.Type) any {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return fail()
	}
	switch b.Kind() {
	case types.Int, types.Int64, types.UntypedInt, types.UntypedRune:
		return n
	case types.Int32:
		return int64(int32(n))
	case types.Uint8:
		return int64(uint8(n))
	}
	return fail()
}

// convert runs a conversion.
func convert(x any, from, to types.Type) any {
	b, basic := to.Underlying().(*types.Basic)
	switch x := x.(type) {
	case int64:
		if basic && b.Info()&types.IsString != 0 {
			return string(rune(x))
		}
		return narrow(x, to)
	case string:
		if isBytes(to) {
			return []byte(x)
		}
		if l, ok := to.Underlying().(*types.Slice); ok {
			if e, ok := l.Elem().Underlying().(*types.Basic); ok && e.Kind() == types.Int32 {
				var out []any
				for _, c := range x {
					out = append(out, int64(c))
				}
				return out
			}
		}
		if basic && b.Info()&types.IsString != 0 {
			return x
		}
	case []byte:
		if basic && b.Info()&types.IsString != 0 {
			return string(x)
		}
	case []any:
		if basic && b.Info()&types.IsString != 0 {
			var out strings.Builder
			for _, c := range x {
				out.WriteRune(rune(c.(int64)))
			}
			return out.String()
		}
	}
	return fail()
}
