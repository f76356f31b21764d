package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// The standard library writes to what it is given: fmt.Fprintf(w, …) runs the Write of w. A
// writer of the project's own may send what it gets to a store.

// writesTo tells in which argument, the receiver first, a function has the writer.
var writesTo = map[string]int{
	"fmt.Fprint": 0, "fmt.Fprintf": 0, "fmt.Fprintln": 0,
	"io.WriteString": 0, "io.Copy": 0, "io.CopyN": 0, "io.CopyBuffer": 0,
	"text/template.Template.Execute": 1, "text/template.Template.ExecuteTemplate": 1,
	"html/template.Template.Execute": 1, "html/template.Template.ExecuteTemplate": 1,
	"encoding/binary.Write": 0,
}

// wrapsWriter are the methods that write to what their receiver was made with.
var wrapsWriter = set(
	"encoding/json.Encoder.Encode", "encoding/xml.Encoder.Encode", "encoding/gob.Encoder.Encode",
	"bufio.Writer.Flush", "bufio.Writer.ReadFrom", "encoding/csv.Writer.Flush", "encoding/csv.Writer.WriteAll",
	"compress/gzip.Writer.Close", "compress/gzip.Writer.Flush", "text/tabwriter.Writer.Flush",
)

// makesWriter are their constructors.
var makesWriter = set(
	"encoding/json.NewEncoder", "encoding/xml.NewEncoder", "encoding/gob.NewEncoder", "bufio.NewWriter", "bufio.NewWriterSize",
	"encoding/csv.NewWriter", "compress/gzip.NewWriter", "text/tabwriter.NewWriter",
)

// streamed lists what a writer does that a call of the standard library is given, where its
// type is known.
func (f *fn) streamed(c ssa.CallInstruction, t target, depth int) []*Event {
	w := writerOf(keyOr(t), t.args)
	if w == nil || depth >= maxExpand {
		return nil
	}
	m := writeMethod()
	var out []*Event
	for _, to := range f.methods(m, w, []*term.Term{w, term.NewUnknown("what is written")}) {
		if to.dyn == nil && to.sum != nil {
			out = append(out, f.eventsOfTarget(c, to, depth+1)...)
		}
	}
	return out
}

// writerOf is the writer that a call writes to, nil for other calls.
func writerOf(key string, args []*term.Term) *term.Term {
	if i, ok := writesTo[key]; ok && i < len(args) {
		return args[i]
	}
	if !wrapsWriter[key] || len(args) == 0 {
		return nil
	}
	w := args[0]
	for range maxWrapped {
		if w.Kind != term.Call || !makesWriter[w.Str] || len(w.Args) == 0 {
			break
		}
		w = w.Args[0]
	}
	if w == args[0] {
		return nil
	}
	return w
}

// writeMethod is io.Writer's method.
func writeMethod() *types.Func {
	params := types.NewTuple(types.NewVar(0, nil, "", types.NewSlice(types.Typ[types.Byte])))
	results := types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.Int]), types.NewVar(0, nil, "", errorType))
	return types.NewFunc(0, nil, "Write", types.NewSignatureType(nil, nil, nil, params, results, false))
}

// isStream reports whether a call may write to what it is given.
func isStream(key string) bool {
	_, ok := writesTo[key]
	return ok || wrapsWriter[key]
}
