package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A project translates the text of its statements by functions of its own: it numbers the
// places, takes out blanks, puts in names. What such a function makes of a text that is known
// is found by running it, on texts and numbers alone. Code that does more is not run.

// Bounds of a run.
const (
	maxRun     = 50_000 // instructions
	maxRunText = 64 << 10
	maxRunDeep = 6
)

// run is one run of a function. Values are those of Go: string, int64, bool, []byte, []any for
// other lists, *runCell for a variable, and the types below.
type run struct {
	a    *Analysis
	left int
	deep int
	met  map[*ssa.BasicBlock]bool // the blocks that were run, if that is asked for
}

// runCell is a variable, or an element of a list.
type runCell struct {
	val  any
	list []any // of which it is an element, nil for a variable
	at   int64
}

// textBuffer is a strings.Builder or a bytes.Buffer.
type textBuffer struct{ b []byte }

// runFunc is a function with what it captured.
type runFunc struct {
	f    *ssa.Function
	free []any
}

// walkText goes through the runes of a text.
type walkText struct {
	s  string
	at int
}

// notRun ends a run of code that does more than to make texts.
type notRun struct{}

func fail() any { panic(notRun{}) }

// runText is the text that a function of the package makes of constant arguments; false if
// that is not found by running it.
func (a *Analysis) runText(f *ssa.Function, args []any) (s string, ok bool) {
	return (&run{a: a, left: maxRun}).text(f, args)
}

func (r *run) text(f *ssa.Function, args []any) (s string, ok bool) {
	defer func() {
		if recover() != nil { // it does more, or panics itself
			s, ok, r.deep = "", false, 0
		}
	}()
	s, ok = r.call(f, args, nil).(string)
	return s, ok
}

// frame is one call.
type frame struct {
	*run
	vals map[ssa.Value]any
}

func (r *run) call(f *ssa.Function, args, free []any) any {
	if r.deep++; r.deep > maxRunDeep || len(f.Blocks) == 0 || len(args) != len(f.Params) {
		return fail()
	}
	defer func() { r.deep-- }()
	fr := &frame{r, make(map[ssa.Value]any)}
	for i, p := range f.Params {
		fr.vals[p] = args[i]
	}
	for i, v := range f.FreeVars {
		fr.vals[v] = free[i]
	}
	var pred *ssa.BasicBlock
	b := f.Blocks[0]
	for {
		if r.met != nil {
			r.met[b] = true
		}
		next, result, done := fr.block(b, pred)
		if done {
			return result
		}
		pred, b = b, next
	}
}

// block runs one block: it tells what comes next, or what is returned.
func (fr *frame) block(b, pred *ssa.BasicBlock) (next *ssa.BasicBlock, result any, done bool) {
	var phis []any
	for _, in := range b.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		for i, p := range b.Preds {
			if p == pred {
				phis = append(phis, fr.of(phi.Edges[i]))
				break
			}
		}
	}
	for i, in := range b.Instrs {
		if fr.left--; fr.left < 0 {
			fail()
		}
		switch in := in.(type) {
		case *ssa.Phi:
			fr.vals[in] = phis[i]
		case *ssa.If:
			if fr.of(in.Cond).(bool) {
				return b.Succs[0], nil, false
			}
			return b.Succs[1], nil, false
		case *ssa.Jump:
			return b.Succs[0], nil, false
		case *ssa.Return:
			out := make([]any, len(in.Results))
			for i, v := range in.Results {
				out[i] = fr.of(v)
			}
			if len(out) == 1 {
				return nil, out[0], true
			}
			return nil, out, true
		case *ssa.Store:
			fr.of(in.Addr).(*runCell).set(fr.of(in.Val))
		case *ssa.DebugRef:
		case ssa.Value:
			v := fr.value(in)
			if sizeOfText(v) > maxRunText {
				fail()
			}
			fr.vals[in] = v
		default:
			fail()
		}
	}
	return nil, fail(), true
}

// sizeOfText is how long a text or a list is.
func sizeOfText(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	case []any:
		return len(v)
	}
	return 0
}

func (c *runCell) set(v any) {
	if c.list != nil {
		c.list[c.at] = v
		return
	}
	c.val = v
}

func (c *runCell) get() any {
	if c.list != nil {
		return c.list[c.at]
	}
	return c.val
}

// of is the value of an operand.
func (fr *frame) of(v ssa.Value) any {
	if x, ok := fr.vals[v]; ok {
		return x
	}
	switch v := v.(type) {
	case *ssa.Const:
		return constantOf(v)
	case *ssa.Function:
		return &runFunc{f: v}
	case *ssa.Global:
		return &runCell{val: fr.global(v)}
	}
	return fail()
}

// global is what a variable of the package holds that nothing changes.
func (fr *frame) global(g *ssa.Global) any {
	if g.Pkg == nil {
		return fail()
	}
	t := fr.a.global(term.NewGlobal(g.Pkg.Pkg.Path() + "." + g.Name()))
	if t == nil {
		return fail()
	}
	if re := patternOf(t); re != nil {
		return re
	}
	return goValue(t)
}

// goValue is a constant term as a value.
func goValue(t *term.Term) any {
	if s, ok := term.StringValue(t); ok {
		return s
	}
	if n, ok := term.IntValue(t); ok {
		return n
	}
	if t.Kind == term.Const && t.Typ == "bool" {
		return t.Str == "true"
	}
	if t.Equal(term.Nil) {
		return []any(nil)
	}
	if t.Kind == term.List && !t.Open {
		out := make([]any, len(t.Args))
		for i, a := range t.Args {
			out[i] = goValue(unbox(a))
		}
		return out
	}
	return fail()
}

func constantOf(c *ssa.Const) any {
	if c.Value == nil {
		return zeroValue(c.Type())
	}
	switch c.Value.Kind() {
	case constant.String:
		return constant.StringVal(c.Value)
	case constant.Bool:
		return constant.BoolVal(c.Value)
	case constant.Int:
		if n, ok := constant.Int64Val(c.Value); ok {
			return n
		}
	}
	return fail()
}

func isTextBuffer(t types.Type) bool {
	name := typeName(t)
	return name == "strings.Builder" || name == "bytes.Buffer"
}

// zeroValue is the zero value of a type.
func zeroValue(t types.Type) any {
	if isTextBuffer(t) {
		return new(textBuffer)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return ""
		case u.Info()&types.IsInteger != 0:
			return int64(0)
		case u.Info()&types.IsBoolean != 0:
			return false
		}
	case *types.Interface, *types.Pointer:
		return nil
	case *types.Slice:
		if isBytes(t) {
			return []byte(nil)
		}
		return []any(nil)
	case *types.Array:
		if u.Len() > maxRunText {
			return fail()
		}
		out := make([]any, u.Len())
		for i := range out {
			out[i] = zeroValue(u.Elem())
		}
		return out
	}
	return fail()
}

// value runs an instruction that gives one.
func (fr *frame) value(in ssa.Value) any {
	switch in := in.(type) {
	case *ssa.Alloc:
		return &runCell{val: zeroValue(deref(in.Type()))}
	case *ssa.BinOp:
		return operate(in.Op, fr.of(in.X), fr.of(in.Y), in.Type())
	case *ssa.UnOp:
		return fr.unary(in)
	case *ssa.Convert:
		return convert(fr.of(in.X), in.X.Type(), in.Type())
	case *ssa.ChangeType:
		return fr.of(in.X)
	case *ssa.MakeInterface:
		if types.NewMethodSet(in.X.Type()).Len() > 0 && !isTextBuffer(deref(in.X.Type())) {
			return fail() // how it is written is up to it
		}
		return fr.of(in.X)
	case *ssa.Extract:
		return fr.of(in.Tuple).([]any)[in.Index]
	case *ssa.Index:
		return elementAt(fr.of(in.X), fr.of(in.Index).(int64))
	case *ssa.IndexAddr:
		return fr.address(in)
	case *ssa.Slice:
		return fr.slice(in)
	case *ssa.MakeSlice:
		return makeList(in.Type(), fr.of(in.Len).(int64))
	case *ssa.MakeClosure:
		c := &runFunc{f: in.Fn.(*ssa.Function)}
		for _, b := range in.Bindings {
			c.free = append(c.free, fr.of(b))
		}
		return c
	case *ssa.Range:
		return &walkText{s: fr.of(in.X).(string)}
	case *ssa.Next:
		return fr.of(in.Iter).(*walkText).next()
	case *ssa.Call:
		return fr.invoke(in)
	}
	return fail()
}

func (w *walkText) next() any {
	if at := w.at; at < len(w.s) {
		c, size := utf8.DecodeRuneInString(w.s[at:])
		w.at += size
		return []any{true, int64(at), int64(c)}
	}
	return []any{false, int64(0), int64(0)}
}

func makeList(t types.Type, n int64) any {
	if n < 0 || n > maxRunText {
		return fail()
	}
	if isBytes(t) {
		return make([]byte, n)
	}
	out := make([]any, n)
	for i := range out {
		out[i] = zeroValue(t.Underlying().(*types.Slice).Elem())
	}
	return out
}

func (fr *frame) unary(in *ssa.UnOp) any {
	x := fr.of(in.X)
	switch in.Op {
	case token.MUL:
		switch c := x.(type) {
		case *runCell:
			return c.get()
		case int64: // an element of bytes
			return c
		}
	case token.NOT:
		return !x.(bool)
	case token.SUB:
		return -x.(int64)
	}
	return fail()
}

// address is that of an element; of bytes, which are only read, what it holds.
func (fr *frame) address(in *ssa.IndexAddr) any {
	x, i := fr.of(in.X), fr.of(in.Index).(int64)
	if c, ok := x.(*runCell); ok {
		x = c.get()
	}
	switch l := x.(type) {
	case []any:
		_ = l[i]
		return &runCell{list: l, at: i}
	case []byte:
		for _, r := range *in.Referrers() {
			if _, stored := r.(*ssa.Store); stored {
				return fail()
			}
		}
		return int64(l[i])
	}
	return fail()
}

func elementAt(x any, i int64) any {
	switch l := x.(type) {
	case string:
		return int64(l[i])
	case []any:
		return l[i]
	}
	return fail()
}

func (fr *frame) slice(in *ssa.Slice) any {
	x := fr.of(in.X)
	if c, ok := x.(*runCell); ok {
		x = c.get()
	}
	if in.Max != nil {
		return fail()
	}
	low, high := int64(0), int64(-1)
	if in.Low != nil {
		low = fr.of(in.Low).(int64)
	}
	if in.High != nil {
		high = fr.of(in.High).(int64)
	}
	switch l := x.(type) {
	case string:
		if high < 0 {
			high = int64(len(l))
		}
		return l[low:high]
	case []byte:
		if high < 0 {
			high = int64(len(l))
		}
		return l[low:high:high]
	case []any:
		if high < 0 {
			high = int64(len(l))
		}
		return l[low:high:high]
	}
	return fail()
}

// patternOf is the compiled pattern that a term is, nil for other terms.
func patternOf(t *term.Term) *regexp.Regexp {
	t = unbox(t)
	if t.Kind != term.Call || len(t.Args) != 1 || !strings.HasPrefix(t.Str, "regexp.") || !strings.HasSuffix(t.Str, "Compile") {
		return nil
	}
	s, ok := term.StringValue(t.Args[0])
	if !ok {
		return nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return nil
	}
	return re
}
