package flow

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// The codec writes values field by field, numbers as varints, without names: facts
// are read once for each importing package, so that reading must be cheap. It
// knows the kinds that the wire types are made of, and nothing else.

// appendValue writes v behind b.
func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint8:
		return append(b, byte(v.Uint()))
	case reflect.String:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		return append(b, v.String()...)
	case reflect.Slice:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		return appendElems(b, v)
	case reflect.Array:
		return appendElems(b, v)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendValue(append(b, 1), v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendValue(b, v.Field(i))
		}
		return b
	case reflect.Map: // of strings
		m := v.Interface().(map[string]string)
		b = binary.AppendUvarint(b, uint64(len(m)))
		for _, k := range slices.Sorted(maps.Keys(m)) {
			b = appendValue(appendValue(b, reflect.ValueOf(k)), reflect.ValueOf(m[k]))
		}
		return b
	}
	panic("a wire type holds a " + v.Kind().String())
}

func appendElems(b []byte, v reflect.Value) []byte {
	for i := range v.Len() {
		b = appendValue(b, v.Index(i))
	}
	return b
}

var errShort = errors.New("cut short")

// decoder reads what appendValue wrote.
type decoder struct {
	data []byte
	err  error
}

func decodeValue(data []byte, into any) error {
	d := &decoder{data: data}
	d.value(reflect.ValueOf(into).Elem())
	if d.err == nil && len(d.data) > 0 {
		d.err = fmt.Errorf("%d bytes too many", len(d.data))
	}
	return d.err
}

func (d *decoder) fail() {
	d.data = nil
	if d.err == nil {
		d.err = errShort
	}
}

func (d *decoder) byte() byte {
	if len(d.data) == 0 {
		d.fail()
		return 0
	}
	c := d.data[0]
	d.data = d.data[1:]
	return c
}

// length reads a count; each thing counted takes at least one byte, so that no
// count can demand more memory than there are bytes.
func (d *decoder) length() int {
	n, k := binary.Uvarint(d.data)
	if k <= 0 || n > uint64(len(d.data)-k) {
		d.fail()
		return 0
	}
	d.data = d.data[k:]
	return int(n)
}

func (d *decoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(d.byte() != 0)
	case reflect.Int:
		n, k := binary.Varint(d.data)
		if k <= 0 {
			d.fail()
			return
		}
		d.data = d.data[k:]
		v.SetInt(n)
	case reflect.Uint8:
		v.SetUint(uint64(d.byte()))
	case reflect.String:
		n := d.length()
		v.SetString(string(d.data[:n]))
		d.data = d.data[n:]
	case reflect.Slice:
		d.slice(v)
	case reflect.Array:
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Pointer:
		if d.byte() != 0 && d.err == nil {
			v.Set(reflect.New(v.Type().Elem()))
			d.value(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			d.value(v.Field(i))
		}
	case reflect.Map:
		d.words(v)
	}
}

func (d *decoder) slice(v reflect.Value) {
	n := d.length()
	if n == 0 {
		return
	}
	s := reflect.MakeSlice(v.Type(), n, n)
	for i := 0; i < n && d.err == nil; i++ {
		d.value(s.Index(i))
	}
	v.Set(s)
}

func (d *decoder) words(v reflect.Value) {
	n := d.length()
	if n == 0 {
		return
	}
	m := make(map[string]string, n)
	for i := 0; i < n && d.err == nil; i++ {
		var k, x string
		d.value(reflect.ValueOf(&k).Elem())
		d.value(reflect.ValueOf(&x).Elem())
		m[k] = x
	}
	v.Set(reflect.ValueOf(m))
}
