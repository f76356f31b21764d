package flow

import (
	"reflect"
	"testing"
)

// filled sets every field of a value, so that one which the codec forgets is missed.
func filled(v reflect.Value, n int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(int64(1-2*(n%2)) << (7 * n % 60))
	case reflect.Uint8:
		v.SetUint(uint64(n%200 + 1))
	case reflect.String:
		v.SetString("text" + string(rune('a'+n%26)))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		filled(v.Index(0), n+1)
		filled(v.Index(1), n+2)
	case reflect.Array:
		for i := range v.Len() {
			filled(v.Index(i), n+i)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), n+1)
	case reflect.Struct:
		for i := range v.NumField() {
			filled(v.Field(i), n+i)
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"a": "b", "c": "d"}))
	default:
		panic("a wire type holds a " + v.Kind().String())
	}
}

func TestCodec(t *testing.T) {
	for _, c := range []struct{ from, into wire }{
		{new(wireFact), new(wireFact)}, {new(wirePlaces), new(wirePlaces)},
	} {
		filled(reflect.ValueOf(c.from).Elem(), 0)
		data := appendValue(nil, c.from)
		if err := decodeValue(string(data), c.into); err != nil {
			t.Fatalf("%T: %v", c.from, err)
		}
		if !reflect.DeepEqual(c.from, c.into) {
			t.Errorf("%T is not what was written", c.into)
		}
		for n := range data {
			again := reflect.New(reflect.TypeOf(c.into).Elem()).Interface().(wire)
			if decodeValue(string(data[:n]), again) == nil {
				t.Fatalf("%T: nothing is missed in the first %d of %d bytes", c.from, n, len(data))
			}
		}
		if decodeValue(string(data)+"x", c.into) == nil {
			t.Errorf("%T: a byte too many is read", c.from)
		}
	}
}
