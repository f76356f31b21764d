package flow

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// Fact is what a package tells those that import it.
type Fact struct {
	Funcs       []*Summary
	Globals     []Global
	Decls       []Decl
	Obligations []*Obligation
	Touches     []Touch
	// Mays are the functions that may acquire a lock through an interface, with the
	// events of those holds only. They travel until the program is complete: Pending are
	// those of imported packages.
	Mays    []*Summary
	Pending []*Pending
	// Conversions are where types that acquire or write become interfaces.
	Conversions []Conversion
	Carriers    []*Carrier
	Reported    []Reported
	// Records are the struct types in what the functions write that importers may not see.
	Records []Record
	// Handed are functions of imported packages, by name, that importers may call or meet.
	Handed []string

	imported *Imported
	// recordsOf gives Records when it is known what else is written than what Funcs write.
	recordsOf func(others []string) []Record
	// within gives what a field holds that only the package itself can set; nil from it
	// leaves the field.
	within func(*term.Term) *term.Term
}

// Global is a package variable with data that no visible code changes.
type Global struct {
	Name  string
	Value *term.Term
}

// Obligation is a call in a hold whose target is decided elsewhere.
type Obligation struct {
	ID      string
	Hold    *Event // the acquisition
	Call    *Event // the call, of kind Dyn
	Accepts []Accept
	Done    []string // types that were judged already
	// Harmless says that no type was chosen, and each that the package sees writes nothing.
	Harmless bool
	// Waits says that a verdict needs what the callers of the acquirer supply. It is not
	// passed on: the call is open for them.
	Waits bool
}

// Accept is a decision that stands at the hold of an obligation.
type Accept struct {
	Rule         string
	Reason       string
	Compensation string
	Until        string
	Owner        string
}

// Touch says that a resource is written somewhere, and how.
type Touch struct {
	How      Touching
	Resource string
	Columns  []string // that guard it where it is Fenced, and that a write compares which is Bare
	Step     Step
}

// Touching says how a resource is written.
type Touching uint8

// The ways to write a resource.
const (
	InHold  Touching = iota // in the hold of a correctness lock, which the step acquires
	Fenced                  // with a guard against obsolete owners
	Bare                    // beside all holds that are seen, over what is there
	Reached                 // in some hold: the step is a write of another package that has none
)

// Reported says that the finding of a rule stands at a call, or was accepted there, for a
// lock that is acquired at another: the callers need not hear it again.
type Reported struct {
	Rule     string
	Lock, At Step
}

// magic opens each encoded fact; a fact of another version is not read.
const magic = "fencelint fact 40\n"

// Encode writes a fact: first the half that says what happens, then the half that
// says where, so that a moved line leaves the first one as it is. The bytes
// depend on the fact alone. An empty fact has no bytes. A fact that is not to be kept
// need not be small.
func (f *Fact) Encode(small bool) ([]byte, error) {
	if len(f.Funcs)+len(f.Globals)+len(f.Decls)+len(f.Obligations)+len(f.Touches)+len(f.Mays)+len(f.Pending)+len(f.Conversions)+len(f.Carriers)+len(f.Reported)+len(f.Records)+len(f.Handed) == 0 {
		return nil, nil
	}
	slices.SortFunc(f.Funcs, func(a, b *Summary) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(f.Globals, func(a, b Global) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(f.Obligations, func(a, b *Obligation) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(f.Carriers, func(a, b *Carrier) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(f.Mays, func(a, b *Summary) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(f.Conversions, func(a, b Conversion) int { return cmp.Or(cmp.Compare(a.Iface, b.Iface), cmp.Compare(a.Type, b.Type)) })
	w := newWriter(f.sizeHanded())
	sem := w.fact(f)
	head, err := pack(sem, small, sem.textSize())
	if err != nil {
		return nil, err
	}
	tail, err := pack(&w.places, small, w.places.textSize())
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(magic)+binary.MaxVarintLen64+len(head)+len(tail))
	out = binary.AppendUvarint(append(out, magic...), uint64(len(head)))
	return append(append(out, head...), tail...), nil
}

func halves(data []byte) (head, tail []byte, err error) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, nil, errors.New("made by another version of fencelint; run the build again")
	}
	n, k := binary.Uvarint(rest)
	if k <= 0 || n > uint64(len(rest)-k) {
		return nil, nil, errors.New("cut short")
	}
	return rest[k : k+int(n)], rest[k+int(n):], nil
}

// Decode reads all that Encode wrote.
func Decode(data []byte) (*Fact, error) {
	r, err := open(data)
	if err != nil {
		return nil, err
	}
	f := r.fact()
	for i := range r.wire.Funcs {
		f.Funcs = append(f.Funcs, r.entry(&r.wire.Funcs[i]))
	}
	for _, g := range r.wire.Globals {
		f.Globals = append(f.Globals, Global{r.str(g.N), r.term(g.V)})
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return f, nil
}

// open unpacks a fact.
func open(data []byte) (*reader, error) {
	head, tail, err := halves(data)
	if err != nil {
		return nil, err
	}
	r := &reader{wire: new(wireFact)}
	if err := unpack(head, r.wire); err != nil {
		return nil, err
	}
	return r, unpack(tail, &r.places)
}

// A half begins with the way in which it is written: small ones are as they are, since
// to set up the compression costs more than it saves.
const (
	rawHalf    = 'p'
	packedHalf = 'z'
	maxRaw     = 4096
)

// pack writes a half that takes about size bytes.
func pack(v wire, small bool, size int) ([]byte, error) {
	text := appendValue(append(make([]byte, 0, size+1), rawHalf), v)
	if !small || len(text) <= maxRaw {
		return text, nil
	}
	b := bytes.NewBuffer([]byte{packedHalf})
	z, err := flate.NewWriter(b, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(text[1:]); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// maxFact bounds what one half of a fact may unpack to.
const maxFact = 64 << 20

func unpack(data []byte, v wire) error {
	if len(data) == 0 {
		return errShort
	}
	if data[0] == rawHalf {
		return decodeValue(string(data[1:]), v)
	}
	var text strings.Builder
	if _, err := io.Copy(&text, io.LimitReader(flate.NewReader(bytes.NewReader(data[1:])), maxFact)); err != nil {
		return err
	}
	return decodeValue(text.String(), v)
}
