package driver

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

type vetx struct {
	variant bool
	fact    []byte
}

func (v vetx) encode() []byte {
	if !v.variant && len(v.fact) == 0 {
		return nil
	}
	var marks byte
	if v.variant {
		marks |= variantMark
	}
	return append(append([]byte(vetxMagic), marks), v.fact...)
}

var errVetx = errors.New("not a file of facts of this version of fencelint")

// unitcheckerMagic begins the files of unitchecker. Beside files of this tool they can
// only be those of packages without imports, which have nothing to say.
const unitcheckerMagic = "vetx"

func decodeVetx(data []byte) (vetx, error) {
	if len(data) == 0 || bytes.HasPrefix(data, []byte(unitcheckerMagic)) {
		return vetx{}, nil
	}
	rest, ok := bytes.CutPrefix(data, []byte(vetxMagic))
	if !ok || len(rest) == 0 || rest[0]&^variantMark != 0 {
		return vetx{}, errVetx
	}
	return vetx{variant: rest[0] == variantMark, fact: rest[1:]}, nil
}
