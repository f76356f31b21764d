package flow

import (
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// The metadata that gRPC sends beside a call are a map of lists, under keys in lower case,
// which a context carries. What came with a call is not known here.

const metadataPrefix = "google.golang.org/grpc/metadata."

// outgoing is the key under which a context has what is to be sent.
var outgoing = term.Shared(term.NewConst("string", metadataPrefix+"outgoing"))

func init() {
	folds[metadataPrefix+"Pairs"] = func(a []*term.Term, _ int) *term.Term { return metadataPairs(a, 0, false) }
	folds[metadataPrefix+"MD.Get"] = func(a []*term.Term, _ int) *term.Term {
		if len(a) != 2 || unbox(a[0]).Kind != term.Struct {
			return nil
		}
		key, ok := term.StringValue(a[1])
		if !ok {
			return nil
		}
		return term.NewElem(unbox(a[0]), term.NewString(strings.ToLower(key)))
	}
	folds[metadataPrefix+"NewOutgoingContext"] = func(a []*term.Term, _ int) *term.Term {
		if len(a) != 2 {
			return nil
		}
		return term.NewCall("context.WithValue", "", 0, a[0], outgoing, a[1])
	}
	folds[metadataPrefix+"AppendToOutgoingContext"] = func(a []*term.Term, _ int) *term.Term {
		if len(a) != 2 {
			return nil
		}
		md := metadataPairs(a, 1, true)
		if md == nil {
			return nil
		}
		return term.NewCall("context.WithValue", "", 0, a[0], outgoing, md)
	}
	folds[metadataPrefix+"FromOutgoingContext"] = func(a []*term.Term, n int) *term.Term {
		if len(a) != 1 || n != 0 {
			return nil
		}
		return foldContextValue([]*term.Term{a[0], outgoing}, 0)
	}
}

// metadataPairs are metadata of keys and values in turn; there may be more of them.
func metadataPairs(args []*term.Term, at int, open bool) *term.Term {
	if len(args) != at+1 || args[at].Kind != term.List || args[at].Open || len(args[at].Args)%2 != 0 {
		return nil
	}
	m := term.NewStruct("map", "", nil, nil)
	for i := 0; i < len(args[at].Args); i += 2 {
		key, ok := term.StringValue(args[at].Args[i])
		if !ok {
			return nil
		}
		m.Names = append(m.Names, term.NewString(strings.ToLower(key)).Key())
		m.Args = append(m.Args, term.NewList(false, args[at].Args[i+1]))
	}
	m = term.NewStruct("map", "", m.Names, m.Args)
	m.Open = open && m.Kind == term.Struct
	return m
}
