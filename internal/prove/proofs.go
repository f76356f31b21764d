package prove

import (
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
)

// Statements are asked about again and again: by each hold in which they may be sent, by
// each rule, for each of their arguments. They are read once, and proved once.

// statementKey is a statement as it is read.
type statementKey struct {
	text, holes string
	dialect     fsql.Dialect
}

// proofKey asks for the verdict on a mutation with one argument as the token, or none.
type proofKey struct {
	mutation *fence.Mutation
	token    fence.Arg
	none     bool
}

// proofs keeps what was read and proved.
type proofs struct {
	scripts  map[statementKey]*fsql.Script
	verdicts map[proofKey]fence.Verdict
}

func newProofs() proofs {
	return proofs{make(map[statementKey]*fsql.Script), make(map[proofKey]fence.Verdict)}
}

// parse reads a statement. Nobody changes what it gives.
func (p proofs) parse(text string, holes []fsql.Hole, d fsql.Dialect) *fsql.Script {
	var b strings.Builder
	for _, h := range holes {
		if h.Ident {
			b.WriteString("+")
		}
		b.WriteString(h.Starts + "\x00" + h.Reason + "\x00")
	}
	k := statementKey{text, b.String(), d}
	s := p.scripts[k]
	if s == nil {
		s = fsql.Parse(text, holes, d)
		p.scripts[k] = s
	}
	return s
}

// proveWith is the verdict on a mutation whose token is one argument.
func (p proofs) proveWith(m *fence.Mutation, a fence.Arg) fence.Verdict {
	return p.prove(proofKey{mutation: m, token: a})
}

// proveAlone is the verdict on a mutation without a token.
func (p proofs) proveAlone(m *fence.Mutation) fence.Verdict {
	return p.prove(proofKey{mutation: m, none: true})
}

func (p proofs) prove(k proofKey) fence.Verdict {
	v, ok := p.verdicts[k]
	if !ok {
		v = fence.Prove(k.mutation, func(a fence.Arg) bool { return !k.none && a == k.token })
		p.verdicts[k] = v
	}
	return v
}
