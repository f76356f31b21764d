package lua

import (
	"slices"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/fence"
)

// scripts are judged with ARGV[1] as the token. Want is: less, equal, null,
// advance, and "text" where the comparison is one of texts.
var scripts = []struct{ name, src, want string }{
	{"strict", `
local last = tonumber(redis.call('HGET', KEYS[1], 'epoch') or '0')
if tonumber(ARGV[1]) <= last then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'rack', ARGV[2])
return 1`, "never never admitted yes"},
	{"inclusive", `
local last = tonumber(redis.call('HGET', KEYS[1], 'epoch') or '0')
if tonumber(ARGV[1]) < last then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'rack', ARGV[2])
return 1`, "never admitted admitted yes"},
	{"texts", `
local last = redis.call('HGET', KEYS[1], 'epoch') or '0'
if ARGV[1] <= last then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1])
return 1`, "admitted never admitted regress text"},
	{"not advanced", `
local last = tonumber(redis.call('HGET', KEYS[1], 'epoch') or '0')
if tonumber(ARGV[1]) <= last then return 0 end
redis.call('HSET', KEYS[1], 'rack', ARGV[2])
return 1`, "never never admitted absent"},
	{"write first", `
redis.call('HSET', KEYS[1], 'rack', ARGV[2])
local last = tonumber(redis.call('HGET', KEYS[1], 'epoch') or '0')
if tonumber(ARGV[1]) <= last then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1])
return 1`, "admitted admitted admitted yes"},
	{"nested and plain keys", `
local f = redis.call('GET', KEYS[2])
if not f or tonumber(f) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[2], ARGV[1])
  redis.call('SET', KEYS[1], ARGV[2])
  return 1
end
return redis.error_reply('STALE')`, "never never admitted yes"},
	{"missing value blocks", `
local f = redis.call('GET', KEYS[2])
if tonumber(f) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[2], ARGV[1])
  return 1
end
return 0`, "never never never yes"},
	{"number against text raises", `
local f = redis.call('GET', KEYS[2]) or '0'
if tonumber(f) < ARGV[1] then
  redis.call('SET', KEYS[2], ARGV[1])
  return 1
end
return 0`, "none"},
	{"and or", `
local cur = redis.call('HGET', KEYS[1], 'fence')
local n = cur and tonumber(cur) or 0
if n >= tonumber(ARGV[1]) then return nil end
redis.call('HMSET', KEYS[1], 'fence', ARGV[1], 'v', ARGV[2])
return 1`, "never never admitted yes"},
	{"exists", `
if redis.call('EXISTS', KEYS[1]) == 1 then
  local last = tonumber(redis.call('HGET', KEYS[1], 'fence'))
  if last ~= nil and last >= tonumber(ARGV[1]) then return {err = 'STALE'} end
end
redis.call('HSET', KEYS[1], 'fence', ARGV[1], 'v', ARGV[2])
return 1`, "never never admitted yes"},
	{"or opens", `
local last = tonumber(redis.call('HGET', KEYS[1], 'epoch') or '0')
if tonumber(ARGV[1]) > last or ARGV[3] == 'force' then
  redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'v', ARGV[2])
  return 1
end
return 0`, "admitted admitted admitted regress"},
	{"document", `
local cur = redis.call('GET', KEYS[1])
if cur then
  local doc = cjson.decode(cur)
  if doc.epoch >= tonumber(ARGV[1]) then return 0 end
end
redis.call('SET', KEYS[1], cjson.encode({epoch = tonumber(ARGV[1]), body = ARGV[2]}))
return 1`, "never never admitted yes"},
	{"loop behind the guard", `
local last = tonumber(redis.call('GET', KEYS[1]) or 0)
if tonumber(ARGV[1]) <= last then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
for i = 2, #ARGV do redis.call('RPUSH', KEYS[2], ARGV[i]) end
return 1`, "never never admitted yes"},
	{"min as guard", `
local f = tonumber(redis.call('GET', KEYS[1]) or '0')
redis.call('SET', KEYS[1], math.max(f, tonumber(ARGV[1])))
redis.call('SET', KEYS[2], ARGV[2])
return 1`, "admitted admitted admitted yes"},
	{"compare under not", `
local f = tonumber(redis.call('GET', KEYS[1]) or '0')
if not (f < tonumber(ARGV[1])) then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
return 1`, "never never admitted yes"},
	{"bootstrap", `
redis.call('HSETNX', KEYS[1], 'f', 0)
if tonumber(redis.call('HGET', KEYS[1], 'f')) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'f', ARGV[1], 'v', ARGV[2])
return 1`, "never never admitted yes"},
	{"several fields", `
local r = redis.call('HMGET', KEYS[1], 'f', 'owner')
if r[1] and tonumber(r[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'f', ARGV[1], 'v', ARGV[2])
return 1`, "never never admitted yes"},
	{"guard in a comment", `
-- if tonumber(ARGV[1]) <= tonumber(redis.call('GET', KEYS[1])) then return 0 end
--[[ if x then return 0 end ]]
redis.call('SET', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], ARGV[2])`, "admitted admitted admitted regress"},
}

func TestScripts(t *testing.T) {
	for _, c := range scripts {
		s := Parse(c.src)
		if len(s.Problems) > 0 {
			t.Errorf("%s: %v", c.name, s.Problems)
			continue
		}
		if s.Mutation == nil {
			if c.want != "none" {
				t.Errorf("%s: writes nothing", c.name)
			}
			continue
		}
		v := fence.Prove(s.Mutation, func(a fence.Arg) bool { return a == "ARGV[1]" })
		got := strings.Join(append([]string{v.Less.String(), v.Equal.String(), v.Null.String(), v.Advances}, v.Casts...), " ")
		if got != c.want {
			t.Errorf("%s: %s, want %s (column %s, problems %v)", c.name, got, c.want, v.Column, v.Problems)
		}
	}
}

// What is not followed is a problem, so that nothing is proved.
func TestProblems(t *testing.T) {
	for _, src := range []string{
		"if x then", "local f = load('x') f()", "redis.call(ARGV[1], KEYS[1])", "redis.call('MODULE.WRITE', KEYS[1])",
		"local function w() redis.call('SET', KEYS[1], '1') w() end w()", "pcall(function() redis.call('SET', KEYS[1], '1') end)", "redis.call('HSET', KEYS[1], unpack(ARGV))", "x = = 1", "\x00",
	} {
		if s := Parse(src); len(s.Problems) == 0 {
			t.Errorf("%q: no problem", src)
		}
	}
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct{ src, refused, accepted string }{
		{"if redis.call('GET', KEYS[1]) then return 0 end redis.call('SET', KEYS[1], '1') return 1", "0", "1"},
		{"if redis.call('GET', KEYS[1]) then return false end redis.call('SET', KEYS[1], '1') return 'OK'", "nil", "OK"},
		{"if redis.call('GET', KEYS[1]) then return redis.error_reply('no') end redis.call('SET', KEYS[1], '1')", "error", "nil"},
		{"if redis.call('GET', KEYS[1]) then error('no') end redis.call('SET', KEYS[1], '1') return true", "error", "1"},
	} {
		s := Parse(c.src)
		of := func(as []Answer) string {
			var out []string
			for _, a := range as {
				if !slices.Contains(out, a.Text) {
					out = append(out, a.Text)
				}
			}
			return strings.Join(out, " ")
		}
		if r, a := of(s.Refusals), of(s.Accepts); r != c.refused || a != c.accepted {
			t.Errorf("%s: refuses with %q, accepts with %q", c.src, r, a)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range scripts {
		f.Add(c.src)
	}
	f.Add("a.b:c{[1]=2;x=3,[[z]]}(...)")
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 2000 {
			return
		}
		s := Parse(src)
		if s.Mutation != nil {
			fence.Prove(s.Mutation, func(a fence.Arg) bool { return a == "ARGV[1]" })
		}
	})
}

// What a comparison with true, false or another comparison means.
func TestBooleans(t *testing.T) {
	const head = "local f = tonumber(redis.call('HGET', KEYS[1], 'f') or '0')\nlocal fresh = tonumber(ARGV[1]) > f\n"
	for cond, want := range map[string]string{
		"fresh": "never", "fresh == true": "never", "true == fresh": "never", "fresh ~= false": "never", "(not fresh) == false": "never",
		"fresh == false": "admitted", "fresh ~= true": "admitted", "fresh == (ARGV[3] == 'x')": "admitted", "fresh == (1 == 1)": "never",
		"(redis.call('EXISTS', KEYS[1]) == 0) == false and fresh": "never", "redis.call('EXISTS', KEYS[1], 'other') == 1 and fresh": "never",
		"redis.call('EXISTS', KEYS[1], 'other') == 1": "admitted",
	} {
		s := Parse(head + "if " + cond + " then redis.call('HSET', KEYS[1], 'f', ARGV[1], 'p', ARGV[2]) return 1 end return 0")
		v := fence.ProveColumn(s.Mutation, "KEYS[1].f", func(a fence.Arg) bool { return a == "ARGV[1]" })
		if got := v.Less.String(); got != want {
			t.Errorf("%s: %s, want %s (problems %v)", cond, got, want, v.Problems)
		}
	}
}
