package lua

import (
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
)

// functions are those of the library that scripts use.
var functions = map[string]func(*run, *state, []value) value{
	"tonumber":   func(r *run, _ *state, vs []value) value { return r.toNumber(nth(vs, 0)) },
	"tostring":   func(r *run, _ *state, vs []value) value { return r.toText(nth(vs, 0)) },
	"unpack":     func(r *run, _ *state, vs []value) value { return pack(r, vs) },
	"error":      raise,
	"math.max":   extreme(fence.Greatest),
	"math.min":   extreme(fence.Least),
	"math.floor": func(r *run, _ *state, vs []value) value { return nth(vs, 0).asNumber() },
	"cjson.decode": func(r *run, _ *state, vs []value) value {
		v := nth(vs, 0)
		if st, ok := v.term.(fence.Stored); ok && (v.kind == vText || v.kind == vReply) {
			return value{kind: vDoc, name: st.Column, term: v.term}
		}
		return r.opaque("cjson.decode", v)
	},
	"cjson.encode":       func(r *run, _ *state, vs []value) value { return encoded(r, nth(vs, 0)) },
	"redis.error_reply":  func(*run, *state, []value) value { return value{kind: vError} },
	"redis.status_reply": func(r *run, _ *state, vs []value) value { return nth(vs, 0) },
}

func init() {
	for _, n := range strings.Fields("redis.log redis.sha1hex redis.setresp redis.replicate_commands redis.breakpoint redis.debug type ipairs pairs next select " +
		"string.format string.sub string.len string.lower string.upper string.find string.match string.gmatch string.rep string.byte string.char string.gsub " +
		"table.insert table.concat table.getn table.remove math.ceil math.abs math.fmod cmsgpack.pack cmsgpack.unpack bit.band bit.bor struct.pack struct.unpack os.clock") {
		functions[n] = func(r *run, _ *state, vs []value) value { return r.opaque(n, vs...) }
	}
}

func pack(r *run, vs []value) value {
	v := r.opaque("unpack", vs...)
	v.kind = vPack
	return v
}

func raise(_ *run, s *state, _ []value) value {
	s.end, s.raised = &value{kind: vError}, true
	return value{}
}

func (r *run) toNumber(v value) value {
	switch v.kind {
	case vText, vNum:
		if c, ok := v.term.(fence.Const); ok {
			return number(c.Int)
		}
		if v.lit {
			return r.numberOf(v.name)
		}
		v.kind, v.name = vNum, ""
	case vReply, vMember, vMaybe:
		v.kind = vMaybe
	case vNil, vBool, vTable:
		return value{kind: vNil}
	}
	return v
}

func (r *run) toText(v value) value {
	switch v.kind {
	case vNum, vText:
		v.kind = vText
		if c, ok := v.term.(fence.Const); ok {
			v.name, v.lit = strconv.FormatInt(c.Int, 10), true
		}
		return v
	}
	out := r.opaque("tostring", v)
	out.kind = vText
	return out
}

func extreme(fn fence.Fn) func(*run, *state, []value) value {
	return func(r *run, _ *state, vs []value) value {
		a := fence.Apply{Fn: fn}
		for _, v := range vs {
			if v = v.asNumber(); !v.isNumber() {
				out := r.opaque("max", vs...)
				out.kind = vNum
				return out
			}
			a.Args = append(a.Args, v.term)
		}
		return value{kind: vNum, term: a}
	}
}

// encoded is a table as text: it keeps what its members are.
func encoded(r *run, v value) value {
	out := r.opaque("cjson.encode", append([]value{v}, v.items...)...)
	out.kind, out.items, out.keys = vText, v.items, v.keys
	if v.kind == vDoc {
		out.name = v.name
	}
	return out
}
