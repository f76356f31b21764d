package unit

import (
	"bytes"
	"errors"
)

// A vetx file is what the vet tool leaves for the packages that import this one:
// empty if there is nothing to say, else a magic, a byte of marks and the fact.

const vetxMagic = "fencelint vetx 1\n"

// variantMark is set for a package that was compiled together with its tests,
// or against such a package. The go command calls both by their plain names, and
// nothing else in its configuration tells them from the packages themselves.
const variantMark = 1

// Vetx is the content of such a file.
type Vetx struct {
	Variant bool // see variantMark
	Fact    []byte
}

// Encode writes the file.
func (v Vetx) Encode() []byte {
	if !v.Variant && len(v.Fact) == 0 {
		return nil
	}
	var marks byte
	if v.Variant {
		marks |= variantMark
	}
	return append(append([]byte(vetxMagic), marks), v.Fact...)
}

var errVetx = errors.New("not a file of facts of this version of fencelint")

// unitcheckerMagic begins the files of unitchecker. Beside files of this tool they can
// only be those of packages without imports, which have nothing to say.
const unitcheckerMagic = "vetx"

// DecodeVetx reads one; it reports those that another program, or another version, wrote.
func DecodeVetx(data []byte) (Vetx, error) {
	if len(data) == 0 || bytes.HasPrefix(data, []byte(unitcheckerMagic)) {
		return Vetx{}, nil
	}
	rest, ok := bytes.CutPrefix(data, []byte(vetxMagic))
	if !ok || len(rest) == 0 || rest[0]&^variantMark != 0 {
		return Vetx{}, errVetx
	}
	return Vetx{Variant: rest[0] == variantMark, Fact: rest[1:]}, nil
}
