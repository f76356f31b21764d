package flow

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// coder writes values field by field, numbers as varints, without names, or reads them
// again: facts are read once for each importing package, so that reading must be cheap.
// Each wire type says once, for both directions, of what it is made.
type coder struct {
	out   []byte
	in    string // what is left to be read
	reads bool
	err   error
	room  room[int] // of which lists of numbers are cut
	// as, if set, gives numbers that are read those of another fact.
	as *handing
}

// wire is a type that can be written and read.
type wire interface{ code(*coder) }

// appendValue writes v behind b.
func appendValue(b []byte, v wire) []byte {
	c := &coder{out: b}
	v.code(c)
	return c.out
}

// decodeValue reads what appendValue wrote. The strings in it stay parts of data.
func decodeValue(data string, into wire) error {
	c := &coder{in: data, reads: true}
	into.code(c)
	if c.err == nil && len(c.in) > 0 {
		c.err = fmt.Errorf("%d bytes too many", len(c.in))
	}
	return c.err
}

var errShort = errors.New("cut short")

func (c *coder) fail() {
	c.in, c.err = "", errShort
}

func (c *coder) byte(p *byte) {
	switch {
	case !c.reads:
		c.out = append(c.out, *p)
	case c.in == "":
		c.fail()
	default:
		*p, c.in = c.in[0], c.in[1:]
	}
}

func (c *coder) bool(p *bool) {
	b := byte(bits(*p))
	c.byte(&b)
	*p = b != 0
}

func (c *coder) int(p *int) {
	if !c.reads {
		c.out = binary.AppendVarint(c.out, int64(*p))
		return
	}
	u := c.unsigned()
	n := int64(u >> 1)
	if u&1 != 0 {
		n = ^n
	}
	*p = int(n)
}

func (c *coder) unsigned() uint64 {
	var n uint64
	for i := 0; i < len(c.in) && i < binary.MaxVarintLen64; i++ {
		b := c.in[i]
		if i == binary.MaxVarintLen64-1 && b > 1 {
			break // too large
		}
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			c.in = c.in[i+1:]
			return n
		}
	}
	c.fail()
	return 0
}

// length writes a count, or reads one; each thing counted takes at least one byte, so
// that no count can demand more memory than there are bytes.
func (c *coder) length(n int) int {
	if !c.reads {
		c.out = binary.AppendUvarint(c.out, uint64(n))
		return n
	}
	u := c.unsigned()
	if u > uint64(len(c.in)) {
		c.fail()
		return 0
	}
	return int(u)
}

func (c *coder) text(p *string) {
	n := c.length(len(*p))
	if !c.reads {
		c.out = append(c.out, *p...)
		return
	}
	*p, c.in = c.in[:n], c.in[n:]
}

// ints codes a list of numbers. Most are short, and there are very many.
func (c *coder) ints(p *[]int) {
	n := c.length(len(*p))
	if c.reads {
		*p = c.room.cut(n)
	}
	for i := 0; i < n && c.err == nil; i++ {
		c.int(&(*p)[i])
	}
}

func (c *coder) texts(p *[]string) { list(c, p, func(s *string, c *coder) { c.text(s) }) }

// str, term and place code the number of one.
func (c *coder) str(p *int) {
	c.int(p)
	if c.as != nil {
		*p = c.as.str(*p)
	}
}

func (c *coder) term(p *int) {
	c.int(p)
	if c.as != nil {
		*p = c.as.term(*p)
	}
}

func (c *coder) place(p *int) {
	c.int(p)
	if c.as != nil {
		*p = c.as.place(*p)
	}
}

func (c *coder) terms(p *[]int) {
	c.ints(p)
	if c.as != nil {
		for i, n := range *p {
			(*p)[i] = c.as.term(n)
		}
	}
}

func (c *coder) steps(p *[][2]int) {
	list(c, p, func(n *[2]int, c *coder) {
		c.place(&n[0])
		c.str(&n[1])
	})
}

// list codes the elements of a slice.
func list[T any](c *coder, p *[]T, code func(*T, *coder)) {
	n := c.length(len(*p))
	if c.reads {
		*p = nil
		if n > 0 {
			*p = make([]T, n)
		}
	}
	for i := 0; i < len(*p) && c.err == nil; i++ {
		code(&(*p)[i], c)
	}
}

// maybe codes what a pointer points to, if it does.
func maybe[T any](c *coder, p **T, code func(*T, *coder)) {
	there := *p != nil
	c.bool(&there)
	if !there || c.err != nil {
		return
	}
	if c.reads {
		*p = new(T)
	}
	code(*p, c)
}

func (c *coder) words(p *map[string]string) {
	n := c.length(len(*p))
	if !c.reads {
		for _, k := range slices.Sorted(maps.Keys(*p)) {
			v := (*p)[k]
			c.text(&k)
			c.text(&v)
		}
		return
	}
	if n > 0 {
		*p = make(map[string]string, n)
	}
	for i := 0; i < n && c.err == nil; i++ {
		var k, v string
		c.text(&k)
		c.text(&v)
		(*p)[k] = v
	}
}

// room is memory of which short lists are cut.
type room[T any] struct{ free, all []T }

// cut gives room for n elements.
func (r *room[T]) cut(n int) []T {
	const piece = 1024
	switch {
	case n == 0:
		return nil
	case n > piece/4:
		return make([]T, n)
	case n > len(r.free):
		r.all = make([]T, piece)
		r.free = r.all
	}
	out := r.free[:n:n]
	r.free = r.free[n:]
	return out
}

// clear takes back what was cut last, for use by others.
func (r *room[T]) clear() { r.free = r.all }
