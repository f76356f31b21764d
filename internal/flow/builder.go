package flow

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Texts that are written piece by piece: into a strings.Builder, a bytes.Buffer or a
// hash. What is written on some paths only may be missing; what is written in a loop is
// not known.

// readsText are the calls that give what was written; writtenText is what hashes do.
var (
	readsText = set("strings.Builder.String", "bytes.Buffer.String", "bytes.Buffer.Bytes", "hash.Hash.Sum",
		"hash.Hash32.Sum32", "hash.Hash64.Sum64", "hash.Hash32.Sum", "hash.Hash64.Sum")
	emptyText = set("crypto/sha256.New", "crypto/sha256.New224", "crypto/sha512.New", "crypto/sha512.New384", "crypto/sha1.New",
		"crypto/md5.New", "hash/fnv.New32", "hash/fnv.New32a", "hash/fnv.New64", "hash/fnv.New64a", "hash/fnv.New128", "hash/fnv.New128a")
	firstText = set("bytes.NewBufferString", "bytes.NewBuffer", "crypto/hmac.New")
	// silentCalls write nothing into what they are called on.
	silentCalls = set("strings.Builder.Len", "strings.Builder.Cap", "strings.Builder.Grow", "bytes.Buffer.Len", "bytes.Buffer.Cap",
		"bytes.Buffer.Grow", "hash.Hash.Size", "hash.Hash.BlockSize")
	// takesText are the calls that take something away again.
	takesText = set("strings.Builder.Reset", "bytes.Buffer.Reset", "bytes.Buffer.Truncate", "hash.Hash.Reset", "bytes.Buffer.Read",
		"bytes.Buffer.ReadByte", "bytes.Buffer.ReadBytes", "bytes.Buffer.ReadRune", "bytes.Buffer.ReadString", "bytes.Buffer.Next")
)

// writtenMark names, in a summary, the text that a function writes to a parameter.
const writtenMark = "+"

// built is the text in a buffer where a call reads it; nil if it is not followed.
func (f *fn) built(key string, c *ssa.Call) *term.Term {
	buf := c.Common().Value
	if !c.Common().IsInvoke() {
		buf = c.Common().Args[0]
	}
	begin, ok := f.beginsWith(buf)
	if !ok {
		return nil
	}
	w := &textWriter{fn: f, until: c}
	if fa, ok := buf.(*ssa.FieldAddr); ok {
		if w.part = f.a.known.field(fa.X.Type(), fa.Field); !w.usesRecord(fa.X, fa.Field) {
			return nil
		}
	} else if !w.uses(buf) {
		return nil
	}
	text := term.NewConcat(append([]*term.Term{begin}, w.parts()...)...)
	if strings.HasPrefix(key, "hash.") {
		return term.NewCall(key, "", 0, text)
	}
	return text
}

// beginsWith is what a buffer holds when it is made.
func (f *fn) beginsWith(buf ssa.Value) (*term.Term, bool) {
	switch buf := buf.(type) {
	case *ssa.Alloc:
		return term.NewString(""), true
	case *ssa.FieldAddr: // of a record that begins empty
		_, own := buf.X.(*ssa.Alloc)
		return term.NewString(""), own && takesPieces(buf.Type())
	case *ssa.Call:
		key, args := f.callee(buf.Common())
		switch {
		case emptyText[key]:
			return term.NewString(""), true
		case firstText[key] && len(args) > 0:
			return bytesOf(args[len(args)-1]), true
		}
	}
	return nil, false
}

// textWriter collects what is written into one buffer before a call, or by a function.
type textWriter struct {
	*fn
	until  *ssa.Call // nil: the returns of the function
	part   string    // the field that is the buffer, "" if it is in no record
	pieces []piece
}

// piece is one write to a buffer.
type piece struct {
	at   ssa.CallInstruction
	buf  ssa.Value
	text *term.Term
}

// uses notes what is done with a buffer; false if it goes where it is not followed.
func (w *textWriter) uses(buf ssa.Value) bool {
	for _, r := range *buf.Referrers() {
		switch r := r.(type) {
		case *ssa.Call: // no other is written where it stands
			if !w.call(r, buf) {
				return false
			}
		case *ssa.MakeInterface: // fmt.Fprintf(&b, …)
			if !w.uses(r) {
				return false
			}
		case *ssa.ChangeInterface:
			if !w.uses(r) {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// call notes what a call writes. One of which that is not known leaves a hole.
func (w *textWriter) call(c ssa.CallInstruction, buf ssa.Value) bool {
	if w.until != nil && (c == w.until || w.ordinal(c) > w.ordinal(w.until) && !comesAfter(c, w.until)) {
		return true
	}
	switch key := callKey(c.Common()); {
	case takesText[key]:
		return false
	case silentCalls[key], readsText[key]:
		return true
	}
	w.pieces = append(w.pieces, piece{c, buf, w.textOf(c, buf)})
	return true
}

// textOf is what a call writes.
func (w *textWriter) textOf(c ssa.CallInstruction, buf ssa.Value) *term.Term {
	key, args := w.callee(c.Common())
	text := term.NewUnknown("text that " + key + " writes")
	if write := textWrites[key]; write != nil {
		if t := write(args); t != nil {
			text = t
		}
	} else if t := w.writtenBy(c, buf, w.partOf(buf)); t != nil {
		text = t
	}
	return text
}

// writtenBy is what a function of the program writes into a buffer that it is given.
func (f *fn) writtenBy(c ssa.CallInstruction, buf ssa.Value, part string) *term.Term {
	sum := f.staticSummary(c.Common())
	if sum == nil {
		return nil
	}
	for _, st := range sum.Stores {
		if st.To.Kind != term.Field || st.To.Str != writtenMark {
			continue
		}
		to := st.To.Args[0]
		if part != "" {
			if to.Kind != term.Field || to.Str != part {
				continue
			}
			to = to.Args[0]
		}
		if to.Kind != term.Param {
			continue
		}
		if i := to.N; i < len(c.Common().Args) && c.Common().Args[i] == buf {
			return f.subst(c, nil).Apply(st.Value)
		}
	}
	return nil
}

// textWrites tell what the calls that write texts write.
var textWrites map[string]func(args []*term.Term) *term.Term

func init() {
	second := func(args []*term.Term) *term.Term { return args[1] }
	character := func(args []*term.Term) *term.Term {
		if n, ok := term.IntValue(args[1]); ok {
			return term.NewString(string(rune(n)))
		}
		return term.NewUnknown("a single character")
	}
	textWrites = map[string]func(args []*term.Term) *term.Term{
		"strings.Builder.WriteString": second, "bytes.Buffer.WriteString": second,
		"strings.Builder.Write": second, "bytes.Buffer.Write": second, "io.Writer.Write": second, "hash.Hash.Write": second,
		"io.WriteString": second, "io.StringWriter.WriteString": second,
		"strings.Builder.WriteByte": character, "bytes.Buffer.WriteByte": character,
		"strings.Builder.WriteRune": character, "bytes.Buffer.WriteRune": character,
		"fmt.Fprintf":  func(args []*term.Term) *term.Term { return foldSprintf(args[1:], 0) },
		"fmt.Fprint":   func(args []*term.Term) *term.Term { return foldSprint(args[1:]) },
		"fmt.Fprintln": func(args []*term.Term) *term.Term { return foldSprintln(args[1:], 0) },
		"text/template.Template.Execute": func(args []*term.Term) *term.Term {
			if len(args) != 3 {
				return nil
			}
			return rendered(args[0], args[2])
		},
	}
}

// parts are the pieces in the order in which they are written.
func (w *textWriter) parts() []*term.Term {
	place := w.runningOrder()
	slices.SortFunc(w.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(place[a.at.Block().Index], place[b.at.Block().Index]), cmp.Compare(w.ordinal(a.at), w.ordinal(b.at)))
	})
	var parts []*term.Term
	for i := 0; i < len(w.pieces); i++ {
		p := w.pieces[i]
		if !w.repeated(p) {
			parts = append(parts, w.written(p))
			continue
		}
		n := i + 1 // with what the same loop writes
		loop := loopOver(p.at.Block())
		for ; n < len(w.pieces) && (loop != nil && loop.has(w.pieces[n].at.Block()) || w.pieces[n].at.Block() == p.at.Block()); n++ {
		}
		parts = append(parts, w.writtenInLoop(w.pieces[i:n], loop))
		i = n - 1
	}
	return parts
}

// writtenInLoop is what some pieces of a loop write.
func (w *textWriter) writtenInLoop(ps []piece, loop *listLoop) *term.Term {
	between, added := term.NewString(""), term.NewString("")
	for _, p := range ps {
		switch {
		case loop == nil:
		case p.at.Block() == loop.begin && loop.between != nil:
			loop = nil // before what is put between two
		case p.at.Block() == loop.between:
			between = term.NewConcat(between, w.inRound(loop, func() *term.Term { return w.textOf(p.at, p.buf) }))
		default:
			added = term.NewConcat(added, w.inRound(loop, func() *term.Term { return w.textOf(p.at, p.buf) }))
		}
	}
	if loop != nil {
		if t := w.eachText(loop, added, between); t != nil {
			return t
		}
	}
	var parts []*term.Term
	for len(ps) > 0 {
		one, n := ps[0], 1 // what one block writes is one text
		for ; n < len(ps) && ps[n].at.Block() == one.at.Block(); n++ {
			one.text = term.NewConcat(one.text, ps[n].text)
		}
		parts, ps = append(parts, w.written(one)), ps[n:]
	}
	return term.NewConcat(parts...)
}

// repeated reports whether a piece is written again and again before the text is read.
func (w *textWriter) repeated(p piece) bool {
	return inLoop(p.at.Block()) && (w.until == nil || p.at.Block() != w.until.Block())
}

// runningOrder gives each block its place in an order in which they run: what a loop repeats
// comes before what follows it.
func (f *fn) runningOrder() []int {
	place := make([]int, len(f.f.Blocks))
	seen := newBlocks(f.f)
	next := len(f.f.Blocks)
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if !seen.add(b) {
			return
		}
		for _, s := range slices.Backward(b.Succs) { // the way out of a loop is the second
			visit(s)
		}
		next--
		place[b.Index] = next
	}
	visit(f.f.Blocks[0])
	return place
}

func (w *textWriter) written(p piece) *term.Term {
	switch {
	case w.taken != nil && p.at.Block().Index > 0 && !reachedBy(p.at.Block(), w.taken):
		return term.NewString("")
	case w.repeated(p):
		return term.NewText(addedInLoop, BeginOf(p.text))
	case w.always(p.at):
		return p.text
	}
	return term.NewAlt(p.text, term.NewString(""))
}

const addedInLoop = "text that is added in a loop"

// BeginOf is the text with which each form of a text begins, as far as that is one.
func BeginOf(t *term.Term) string {
	switch t.Kind {
	case term.Concat:
		return BeginOf(t.Args[0])
	case term.Alt:
		begin := BeginOf(t.Args[0])
		for _, a := range t.Args[1:] {
			if BeginOf(a) != begin {
				return ""
			}
		}
		return begin
	}
	s, _ := term.StringValue(t)
	return s
}

// always reports whether a piece is written on each way to the end.
func (w *textWriter) always(at ssa.CallInstruction) bool {
	if w.taken != nil && w.until != nil {
		return w.onTaken(at.Block(), w.until.Block())
	}
	if w.until != nil {
		return w.before(at, w.until)
	}
	return onEachWay(at, w.f)
}

// texts lists what the function writes into the buffers that are its parameters.
func (f *fn) texts() []Store {
	var out []Store
	for i, p := range f.f.Params {
		if !takesPieces(p.Type()) || p.Referrers() == nil {
			continue
		}
		w := &textWriter{fn: f}
		if !w.uses(p) || len(w.pieces) == 0 {
			continue
		}
		to := &term.Term{Kind: term.Field, Str: writtenMark, Args: []*term.Term{term.NewParam(i)}}
		out = append(out, Store{To: to, Value: term.NewConcat(w.parts()...)})
	}
	return append(out, f.textsInParts()...)
}

// takesPieces reports whether texts are written into values of a type.
func takesPieces(t types.Type) bool {
	switch typeName(t) {
	case "*strings.Builder", "*bytes.Buffer", "io.Writer", "io.StringWriter", "hash.Hash":
		return true
	}
	return false
}

// inLoop reports whether a block can come again.
func inLoop(b *ssa.BasicBlock) bool {
	return flowsTo(b, b)
}
