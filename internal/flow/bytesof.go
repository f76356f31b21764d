package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Numbers that are written as bytes and read again, by package encoding/binary, are the same
// numbers if both are done in the same way.

const binaryPrefix = "encoding/binary."

// numberBytes is the way in which a function of package encoding/binary writes a number as
// bytes, or reads one: the order of the bytes, and how many there are.
func numberBytes(key string, verbs ...string) (way string, verb string) {
	rest, ok := strings.CutPrefix(key, binaryPrefix)
	if !ok {
		return "", ""
	}
	order, name, ok := strings.Cut(rest, ".")
	if !ok {
		order, name = "", rest
	}
	for _, verb := range verbs {
		if size, ok := strings.CutPrefix(name, verb); ok && (strings.HasPrefix(size, "Uint") || size == "Varint" || size == "Uvarint") {
			return order + "." + size, verb
		}
	}
	return "", ""
}

// bytesOfNumber is a number as bytes.
func bytesOfNumber(way string, n *term.Term) *term.Term {
	return term.NewCall(binaryPrefix+"bytes", "", 0, term.NewString(way), n)
}

// encodedIn is the number that is written into bytes which were made for it; nil if it is not
// the only thing that is.
func (f *fn) encodedIn(made ssa.Value) *term.Term {
	var put *ssa.Call
	way, whole := "", true
	var uses func(v ssa.Value)
	uses = func(v ssa.Value) {
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Slice:
				if r.Low != nil && len(*r.Referrers()) > 0 {
					whole = false
				} else {
					uses(r)
				}
			case *ssa.IndexAddr, *ssa.Phi:
				whole = false
			case *ssa.Store:
				whole = whole && r.Addr != v
			case *ssa.Call:
				if w, verb := numberBytes(callKey(r.Common()), "Put"); verb != "" {
					whole = whole && put == nil
					put, way = r, w
				}
			}
		}
	}
	if uses(made); put == nil || !whole || len(f.putElsewhere(made)) > 0 {
		return nil
	}
	args := put.Call.Args
	return bytesOfNumber(way, f.value(args[len(args)-1]))
}

// readsBytes reports whether a call reads something into bytes that it is given.
func readsBytes(c ssa.CallInstruction, v ssa.Value) bool {
	common := c.Common()
	if !isBytes(v.Type()) || !slices.Contains(common.Args, v) {
		return false
	}
	key := callKey(common)
	switch name := key[strings.LastIndexByte(key, '.')+1:]; name {
	case "ReadFull", "ReadAtLeast", "Read", "ReadAt":
		return true
	case "Decode", "Encode": // of package encoding/hex and the like
		return strings.HasPrefix(key, "encoding/") && len(common.Args) > 1
	}
	return false
}

// foldNumber is what a function of package encoding/binary gives: a number as bytes, or the
// number in them; nil for other functions.
func foldNumber(key string, args []*term.Term, n int) *term.Term {
	if len(args) == 0 || n != 0 {
		return nil
	}
	last := args[len(args)-1]
	if way, verb := numberBytes(key, "Append"); verb != "" && len(args) > 1 {
		if to := args[len(args)-2]; to.Equal(term.Nil) || to.Kind == term.List && len(to.Args) == 0 && !to.Open {
			return bytesOfNumber(way, last)
		}
		return nil
	}
	way, _ := numberBytes(key, "")
	return eachNumber(last, way)
}

func eachNumber(bytes *term.Term, way string) *term.Term {
	switch {
	case way == "":
		return nil
	case bytes.Kind == term.Alt:
		return eachForm(bytes, func(a *term.Term) *term.Term { return eachNumber(a, way) })
	case bytes.Kind == term.Call && bytes.Str == binaryPrefix+"bytes" && bytes.Args[0].Str == way:
		return bytes.Args[1]
	}
	return nil
}
