package lua

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
)

// commands says what the commands of Redis do that a guard may rest on.
var commands map[string]func(*run, *state, []value) []at

func init() { // the functions refer to the table
	commands = map[string]func(*run, *state, []value) []at{
		"GET": get, "HGET": get, "HMGET": hmget, "MGET": mget, "GETSET": getset,
		"SET": set, "SETEX": setex, "PSETEX": setex, "SETNX": setnx, "HSETNX": setnx,
		"HSET": hset, "HMSET": hset, "MSET": mset,
		"INCR": incr, "INCRBY": incr, "DECR": decr, "DECRBY": decr, "HINCRBY": hincr,
		"EXISTS": exists, "HEXISTS": hexists,
		"DEL": del, "UNLINK": del, "HDEL": del, "GETDEL": getdel, "RENAME": rename, "RENAMENX": rename, "COPY": over, "RESTORE": restore,
		"EXPIRE": expire, "PEXPIRE": expire, "EXPIREAT": expire, "PEXPIREAT": expire, "PERSIST": touch,
	}
	for _, c := range strings.Fields("APPEND SETRANGE GETEX INCRBYFLOAT HINCRBYFLOAT LPUSH RPUSH LPUSHX RPUSHX LPOP RPOP LSET LTRIM LREM LINSERT RPOPLPUSH LMOVE " +
		"SADD SREM SPOP SMOVE ZADD ZREM ZINCRBY ZPOPMIN ZPOPMAX ZREMRANGEBYSCORE ZREMRANGEBYRANK XADD XDEL XTRIM XACK XCLAIM XGROUP SETBIT BITFIELD PFADD GEOADD " +
		"PUBLISH SPUBLISH SORT") {
		commands[c] = touch
	}
	for _, c := range strings.Fields("TTL PTTL STRLEN HLEN HKEYS HVALS HGETALL TYPE LLEN LRANGE LINDEX SCARD SMEMBERS SISMEMBER SMISMEMBER ZCARD ZCOUNT ZRANGE ZRANGEBYSCORE ZRANGEBYLEX " +
		"ZREVRANGE ZREVRANGEBYSCORE ZSCORE ZRANK TIME XRANGE XLEN GETBIT GETRANGE BITCOUNT PFCOUNT RANDOMKEY DBSIZE SCAN HSCAN SSCAN ZSCAN KEYS PING ECHO") {
		commands[c] = func(r *run, s *state, vs []value) []at { return one(s, r.opaque(c, vs...)) }
	}
}

func one(s *state, v value) []at { return []at{{s, v}} }

func (r *run) command(vs []value, s *state, pos int) []at {
	name := strings.ToUpper(nth(vs, 0).name)
	f := commands[name]
	if f == nil || !nth(vs, 0).lit {
		r.problem("a command that is not known: "+name, pos)
		return one(s, r.opaque(name, vs...))
	}
	return f(r, s, vs[1:])
}

// column names what a command reads or writes: a key, or a field of one.
func (r *run) column(key, field value, hash bool) string {
	k := key.name
	if k == "" {
		k = "?"
		r.problem("the script puts a key together, and which one it writes is not known", 0)
	}
	if !hash {
		return k
	}
	if field.name == "" {
		r.problem("the script puts the name of a field together", 0)
		return k + ".?"
	}
	return k + "." + field.name
}

// content is what a column holds on this path.
func (r *run) content(s *state, col string) value {
	if v, ok := s.cells[col]; ok {
		return v
	}
	if key, _, _ := strings.Cut(col, "."); !slices.Contains(r.read, key) {
		r.read = append(r.read, key)
	}
	return value{kind: vReply, term: fence.Stored{Column: col}}
}

// write stores v in a column.
func (r *run) write(s *state, col string, v value) {
	if !s.wrote {
		s.wrote, s.first = true, len(s.conds)
	}
	if !slices.Contains(r.columns, col) {
		r.columns = append(r.columns, col)
	}
	if key, _, _ := strings.Cut(col, "."); !slices.Contains(r.keys, key) {
		r.keys = append(r.keys, key)
	}
	if v.term == nil {
		v = r.opaque("written")
	}
	switch v.kind {
	case vNum: // Redis keeps texts
		v.kind = vText
	case vMaybe, vMember:
		v.kind = vReply
	case vOpaque, vPack:
		v.kind = vText
	}
	for c := range s.cells { // a whole key takes its fields along
		if strings.HasPrefix(c, col+".") {
			delete(s.cells, c)
		}
	}
	s.cells[col] = v
	for i, item := range v.items {
		if item.term != nil {
			r.write(s, col+"#"+v.keys[i], item)
		}
	}
}

func get(r *run, s *state, vs []value) []at {
	return one(s, r.content(s, r.column(nth(vs, 0), nth(vs, 1), len(vs) > 1)))
}

func hmget(r *run, s *state, vs []value) []at {
	t := value{kind: vTable}
	for i, f := range vs[min(1, len(vs)):] {
		t.items = append(t.items, r.content(s, r.column(nth(vs, 0), f, true)))
		t.keys = append(t.keys, itoa(i+1))
	}
	return one(s, t)
}

func mget(r *run, s *state, vs []value) []at {
	t := value{kind: vTable}
	for i, k := range vs {
		t.items = append(t.items, r.content(s, r.column(k, value{}, false)))
		t.keys = append(t.keys, itoa(i+1))
	}
	return one(s, t)
}

func getset(r *run, s *state, vs []value) []at {
	col := r.column(nth(vs, 0), value{}, false)
	old := r.content(s, col)
	r.write(s, col, nth(vs, 1))
	return one(s, old)
}

// set knows the options of SET: existence, and a time to live.
func set(r *run, s *state, vs []value) []at {
	col := r.column(nth(vs, 0), value{}, false)
	var nx, xx, answers bool
	for _, o := range vs[min(2, len(vs)):] {
		switch strings.ToUpper(o.name) {
		case "NX":
			nx = true
		case "XX":
			xx = true
		case "GET":
			answers = true
		case "EX", "PX", "EXAT", "PXAT":
			r.expires = append(r.expires, col)
		}
	}
	var old value
	if nx || xx || answers {
		old = r.content(s, col)
	}
	done := func(s *state) at {
		r.write(s, col, nth(vs, 1))
		if answers {
			return at{s, old}
		}
		return at{s, literal("OK")}
	}
	if !nx && !xx {
		return []at{done(s)}
	}
	yes, no := r.split(s, old)
	if nx {
		yes, no = no, yes
	}
	var out []at
	for _, y := range yes {
		out = append(out, done(y))
	}
	for _, n := range no {
		out = append(out, at{n, boolean(false)})
	}
	return out
}

func setex(r *run, s *state, vs []value) []at {
	col := r.column(nth(vs, 0), value{}, false)
	r.expires = append(r.expires, col)
	r.write(s, col, nth(vs, 2))
	return one(s, literal("OK"))
}

// setnx writes only what is not there. A constant put there first is no effect of
// an owner: it is what a missing value means.
func setnx(r *run, s *state, vs []value) []at {
	hash := len(vs) > 2
	col := r.column(nth(vs, 0), nth(vs, 1), hash)
	v := nth(vs, len(vs)-1)
	yes, no := r.split(s, r.content(s, col))
	var out []at
	for _, n := range no {
		if c, ok := v.term.(fence.Const); ok {
			n.cells[col] = value{kind: vText, term: c, name: v.name, lit: true}
		} else {
			r.write(n, col, v)
		}
		out = append(out, at{n, number(1)})
	}
	for _, y := range yes {
		out = append(out, at{y, number(0)})
	}
	return out
}

func hset(r *run, s *state, vs []value) []at {
	fields := vs[min(1, len(vs)):]
	for i := 0; i < len(fields); i += 2 {
		if fields[i].kind == vPack || i+1 >= len(fields) {
			r.problem("fields that are put together outside of the script", 0)
			r.write(s, r.column(nth(vs, 0), literal("?"), true), r.opaque("fields", fields...))
			break
		}
		r.write(s, r.column(nth(vs, 0), fields[i], true), fields[i+1])
	}
	return one(s, r.opaque("HSET"))
}

func mset(r *run, s *state, vs []value) []at {
	for i := 0; i+1 < len(vs); i += 2 {
		r.write(s, r.column(vs[i], value{}, false), vs[i+1])
	}
	return one(s, literal("OK"))
}

func incr(r *run, s *state, vs []value) []at {
	return count(r, s, r.column(nth(vs, 0), value{}, false), step(vs, 1), fence.Add)
}

func decr(r *run, s *state, vs []value) []at {
	return count(r, s, r.column(nth(vs, 0), value{}, false), step(vs, 1), fence.Sub)
}

func hincr(r *run, s *state, vs []value) []at {
	return count(r, s, r.column(nth(vs, 0), nth(vs, 1), true), step(vs, 2), fence.Add)
}

func step(vs []value, i int) fence.Term {
	if i < len(vs) && vs[i].term != nil {
		return vs[i].term
	}
	return fence.Const{Int: 1}
}

func count(r *run, s *state, col string, by fence.Term, fn fence.Fn) []at {
	old := fence.Apply{Fn: fence.Coalesce, Args: []fence.Term{r.content(s, col).term, fence.Const{}}}
	v := value{kind: vNum, term: fence.Apply{Fn: fn, Args: []fence.Term{old, by}}}
	r.write(s, col, v)
	return one(s, v)
}

// exists counts the keys that are there; only one key is a yes or no.
func exists(r *run, s *state, vs []value) []at {
	if len(vs) != 1 {
		return one(s, r.opaque("EXISTS", vs...))
	}
	return there(r, s, r.column(vs[0], value{}, false))
}

func hexists(r *run, s *state, vs []value) []at {
	return there(r, s, r.column(nth(vs, 0), nth(vs, 1), true))
}

func there(r *run, s *state, column string) []at {
	v := r.content(s, column)
	c, ok := v.truth()
	if !ok {
		c = fence.And{}
	}
	return one(s, value{kind: vFlag, cond: c})
}

func del(r *run, s *state, vs []value) []at {
	for _, v := range vs {
		r.write(s, r.column(v, value{}, false), value{kind: vReply, term: fence.Null{}})
	}
	return one(s, r.opaque("DEL"))
}

func getdel(r *run, s *state, vs []value) []at {
	old := r.content(s, r.column(nth(vs, 0), value{}, false))
	del(r, s, vs[:min(1, len(vs))])
	return one(s, old)
}

// rename takes a value away from its key and puts it over what another key holds.
func rename(r *run, s *state, vs []value) []at {
	over(r, s, vs)
	del(r, s, vs[:min(1, len(vs))])
	return one(s, literal("OK"))
}

// over puts something over what the second key holds.
func over(r *run, s *state, vs []value) []at {
	r.write(s, r.column(nth(vs, 1), value{}, false), r.opaque("copied", vs...))
	return one(s, r.opaque("answer"))
}

func restore(r *run, s *state, vs []value) []at {
	r.write(s, r.column(nth(vs, 0), value{}, false), r.opaque("restored", vs...))
	return one(s, literal("OK"))
}

func expire(r *run, s *state, vs []value) []at {
	col := r.column(nth(vs, 0), value{}, false)
	r.expires = append(r.expires, col)
	return touch(r, s, vs)
}

// touch is a write whose content no guard looks at.
func touch(r *run, s *state, vs []value) []at {
	r.write(s, r.column(nth(vs, 0), value{}, false)+"()", r.opaque("written", vs...))
	return one(s, r.opaque("answer"))
}
