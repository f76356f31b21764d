package oracle

import (
	"bufio"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/fence/lua"
	"github.com/fencelint/fencelint/internal/harness/servers"
)

// redis is a server and one connection to it.
type redis struct {
	conn net.Conn
	in   *bufio.Reader
}

// errReply is an error that the server answers.
type errReply string

func (e errReply) Error() string { return string(e) }

// openRedis starts a server for one test.
func openRedis(t *testing.T) *redis {
	t.Helper()
	server, err := servers.StartRedis()
	if err != nil {
		t.Skipf("no redis: %v", err)
	}
	t.Cleanup(server.Stop)
	conn, err := net.Dial("tcp", server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &redis{conn, bufio.NewReader(conn)}
}

// do sends one command and returns its answer: a string, an int64, nil or a list.
func (r *redis) do(args ...string) (any, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	if _, err := io.WriteString(r.conn, b.String()); err != nil {
		return nil, err
	}
	return r.reply()
}

func (r *redis) reply() (any, error) {
	line, err := r.in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	line = strings.TrimRight(line, "\r\n")
	n, _ := strconv.ParseInt(line[1:], 10, 64)
	switch line[0] {
	case '-':
		return nil, errReply(line[1:])
	case ':':
		return n, nil
	case '$':
		if n < 0 {
			return nil, nil
		}
		body := make([]byte, n+2)
		_, err := io.ReadFull(r.in, body)
		return string(body[:n]), err
	case '*':
		var out []any
		for range n {
			x, err := r.reply()
			if err != nil && !errors.As(err, new(errReply)) {
				return nil, err
			}
			out = append(out, x)
		}
		return out, nil
	}
	return line[1:], nil
}

// luaGen writes random scripts: f is a field of the hash KEYS[1], ARGV[1] the token.
type luaGen struct{ *rand.Rand }

func (g luaGen) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g luaGen) script() string {
	read := g.pick("tonumber(redis.call('HGET', KEYS[1], 'f') or '0')", "tonumber(redis.call('HGET', KEYS[1], 'f'))", "redis.call('HGET', KEYS[1], 'f')",
		"redis.call('HGET', KEYS[1], 'f') or '0'", "tonumber(redis.call('HMGET', KEYS[1], 'f', 'p')[1] or 0)", "tonumber(redis.call('HGET', KEYS[1], 'f') or '-1')")
	out := "local f = " + read + "\nlocal t = " + g.pick("tonumber(ARGV[1])", "tonumber(ARGV[1])", "ARGV[1]") + "\n"
	if g.IntN(10) == 0 {
		out += g.write() + "\n"
	}
	switch g.IntN(5) {
	case 0:
		return out + "if " + g.cond(2) + " then " + g.refuse() + " end\n" + g.write() + "\nreturn 1"
	case 1:
		return out + "if " + g.cond(2) + " then\n" + g.write() + "\nreturn 1\nelseif " + g.cond(1) + " then\n" + g.write() + "\nend\nreturn 0"
	case 2:
		return out + "if " + g.cond(1) + " then " + g.refuse() + " end\nif " + g.cond(1) + " then\n" + g.write() + "\nelse " + g.refuse() + " end\nreturn 1"
	case 3:
		return out + "local ok = " + g.cond(2) + "\nif " + g.pick("ok", "not ok", "ok == true") + " then\n" + g.write() + "\nend\nreturn 0"
	}
	return out + "if " + g.cond(2) + " then\n" + g.write() + "\nreturn 1\nend\nreturn 0"
}

func (g luaGen) refuse() string {
	return g.pick("return 0", "return redis.error_reply('STALE')", "return false", "error('stale')")
}

func (g luaGen) cond(depth int) string {
	if depth > 0 {
		switch g.IntN(6) {
		case 0:
			return g.cond(depth-1) + " and " + g.cond(depth-1)
		case 1:
			return g.cond(depth-1) + " or " + g.cond(depth-1)
		case 2:
			return "not (" + g.cond(depth-1) + ")"
		case 3:
			return "(" + g.cond(depth-1) + ")"
		}
	}
	f := g.pick("f", "f", "f", "tonumber(f)", "(f or 0)", "f + 1", "tonumber(redis.call('HGET', KEYS[1], 'f') or 0)")
	t := g.pick("t", "t", "t", "tonumber(ARGV[1])", "ARGV[1]", "t - 1")
	op := g.pick("<", "<=", ">", ">=", "<", "<=", "==", "~=")
	switch g.IntN(12) {
	case 0:
		return "f " + g.pick("==", "~=") + " " + g.pick("nil", "false", "true", "(t == ARGV[3])")
	case 6:
		return "(" + g.cond(0) + ") " + g.pick("==", "~=") + " (" + g.cond(0) + ")"
	case 1:
		return g.pick("not f", "f")
	case 2:
		return "ARGV[3] == 'x'"
	case 3:
		return "redis.call('HGET', KEYS[1], 'p') == 'old'"
	case 4:
		return "redis.call(" + g.pick("'EXISTS', KEYS[1]", "'EXISTS', KEYS[1], 'x'", "'HEXISTS', KEYS[1], 'f'", "'HEXISTS', KEYS[1], 'p'") + ") == " + g.pick("0", "1")
	case 5:
		return t + " " + op + " " + f
	}
	return f + " " + op + " " + t
}

func (g luaGen) write() string {
	fence := "redis.call('HSET', KEYS[1], 'f', " + g.pick("ARGV[1]", "ARGV[1]", "ARGV[1]", "t", "math.max(tonumber(f or 0), tonumber(ARGV[1]))", "t + 1") + ")"
	payload := "redis.call('HSET', KEYS[1], 'p', ARGV[2])"
	switch g.IntN(6) {
	case 0:
		return payload
	case 1:
		return fence
	case 2:
		return "redis.call('HSET', KEYS[1], 'f', ARGV[1], 'p', ARGV[2])"
	case 3:
		return payload + "\n" + fence
	case 4:
		return "redis.call('DEL', KEYS[1])"
	}
	return fence + "\n" + payload
}

var luaFences = []string{"", "0", "1", "2", "5", "6", "9", "10", "41", "42", "43", "100"}

// admittedBy runs a script from every state and tells for which classes it wrote.
func (r *redis) admittedBy(script string) (out [4]bool, err error) {
	for _, token := range []int64{42, 5, 10, 9} {
		for _, f := range luaFences {
			for _, other := range []string{"p", "", "x"} {
				if err := r.state(f, other); err != nil {
					return out, err
				}
				before, err := r.do("HMGET", "h", "f", "p")
				if err != nil {
					return out, err
				}
				_, failed := r.do("EVAL", script, "1", "h", strconv.FormatInt(token, 10), "new", other)
				if failed != nil && !errors.As(failed, new(errReply)) {
					return out, failed
				}
				after, err := r.do("HMGET", "h", "f", "p")
				if err != nil {
					return out, err
				}
				if fmt.Sprint(before) != fmt.Sprint(after) {
					n, err := strconv.ParseInt(f, 10, 64)
					out[class(sql.NullInt64{Int64: n, Valid: err == nil}, token)] = true
				}
			}
		}
	}
	return out, nil
}

// state makes the hash anew; without a fence it may hold nothing at all.
func (r *redis) state(f, other string) error {
	cmds := [][]string{{"DEL", "h"}}
	if f != "" {
		cmds = append(cmds, []string{"HSET", "h", "f", f})
	}
	if other != "" {
		cmds = append(cmds, []string{"HSET", "h", "p", map[string]string{"p": "old", "x": "older"}[other]})
	}
	for _, c := range cmds {
		if _, err := r.do(c...); err != nil {
			return err
		}
	}
	return nil
}

// compareScripts runs n random scripts; plant may spoil the reading first.
func compareScripts(t *testing.T, r *redis, seed uint64, n int, plant func(*fence.Mutation)) *tally {
	c := &tally{}
	g := luaGen{rand.New(rand.NewPCG(seed, 7))}
	for c.statements < n {
		src := g.script()
		s := lua.Parse(src)
		if s.Mutation == nil {
			continue
		}
		c.statements++
		real, err := r.admittedBy(src)
		if err != nil {
			t.Fatal(err)
		}
		if plant != nil {
			plant(s.Mutation)
		}
		v := fence.ProveColumn(s.Mutation, "KEYS[1].f", func(a fence.Arg) bool { return a == "ARGV[1]" })
		if len(v.Problems) > 0 {
			c.problems++
		}
		c.score(t, admissions(v), real, src, nil, plant == nil)
	}
	return c
}

// TestScripts: the verdict on scripts, against a Redis server.
func TestScripts(t *testing.T) {
	r := openRedis(t)
	for _, seed := range append(slices.Clone(fixedSeeds), *fresh) {
		t.Logf("seed %d: %v", seed, compareScripts(t, r, seed, *count, nil))
	}
}

// TestPlantedScripts shows that the comparison would notice such mistakes.
func TestPlantedScripts(t *testing.T) {
	r := openRedis(t)
	for _, f := range []struct {
		name  string
		plant func(*fence.Mutation)
	}{
		{"texts compared as numbers", onTerm(func(t fence.Term) fence.Term {
			if x, ok := t.(fence.Apply); ok && x.Fn == fence.CastText {
				return x.Args[0]
			}
			return t
		})},
		{"what is missing is overlooked", onCond(func(c fence.Cond) fence.Cond {
			if _, ok := c.(fence.IsNull); ok {
				return fence.Or{}
			}
			return c
		})},
		{"NOT overlooked", onCond(func(c fence.Cond) fence.Cond {
			if x, ok := c.(fence.Not); ok {
				return x.Of
			}
			return c
		})},
	} {
		c := compareScripts(t, r, 1, 200, f.plant)
		t.Logf("%s: %v", f.name, c)
		if c.unsound == 0 {
			t.Errorf("%s: not noticed", f.name)
		}
	}
}
