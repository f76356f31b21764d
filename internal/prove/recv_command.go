package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

func init() { receivers["redis-command"] = commandDecision }

// redisReads are the commands of Redis that change nothing, and those that only
// speak about the connection.
var redisReads = strings.Fields(`BITCOUNT BITPOS DBSIZE DUMP ECHO EXISTS EXPIRETIME GET GETBIT GETRANGE
	HEXISTS HGET HGETALL HKEYS HLEN HMGET HRANDFIELD HSCAN HSTRLEN HVALS INFO KEYS LINDEX LLEN LPOS LRANGE
	MGET PEXPIRETIME PING PTTL RANDOMKEY SCAN SCARD SDIFF SINTER SISMEMBER SMEMBERS SMISMEMBER SRANDMEMBER
	SSCAN STRLEN SUNION TIME TTL TYPE XINFO XLEN XRANGE XREAD XREVRANGE ZCARD ZCOUNT ZLEXCOUNT ZMSCORE ZRANGE
	ZRANGEBYLEX ZRANGEBYSCORE ZRANK ZREVRANGE ZREVRANGEBYSCORE ZREVRANK ZSCAN ZSCORE
	AUTH CLIENT DISCARD HELLO MULTI SELECT SUBSCRIBE PSUBSCRIBE UNSUBSCRIBE UNWATCH WATCH WAIT
	EVAL_RO EVALSHA_RO FCALL_RO`)

// redisSteps are commands in which a script or a condition may decide.
var redisSteps = strings.Fields("EVAL EVALSHA EXEC FCALL HSETNX MSETNX RENAMENX SETNX")

// commandDecision judges a command that is given word by word. What it means
// hangs on the first word; no command but a script compares.
func commandDecision(j *judge, p *pair) decision {
	s := j.models.FuncKey(p.w.Key).Sink
	words := commandWords(p.w, s)
	verb := strings.ToUpper(words[0])
	switch {
	case verb == "":
		return unreadable(s.Boundary+":"+s.Lib, j.callName(p.w), "the command is not known", false)
	case slices.Contains(redisReads, verb), verb == "PUBLISH":
		return decision{}
	case slices.Contains(redisSteps, verb), verb == "SET" && slices.ContainsFunc(words[1:], conditionWord):
		return unreadable(s.Boundary+":"+s.Lib, j.callName(p.w), "conditions of the command "+verb+" are not read", false)
	}
	return j.plainBoundary(p, s)
}

func conditionWord(w string) bool {
	return slices.Contains([]string{"NX", "XX", "IFEQ", "IFNE", "IFDEQ", "IFDNE"}, strings.ToUpper(w))
}

// commandWords are the words of a command, "" where one is not constant. The
// first is the verb; a builder tells it by the method that begins the chain.
func commandWords(w *flow.Event, s *model.Sink) []string {
	if s.Args < 0 {
		return builtWords(w, s)
	}
	var out []string
	if s.Stmt >= 0 && s.Stmt < len(w.Args) {
		out = append(out, wordIn(w.Args[s.Stmt]))
	}
	rest := argList(w, s.Args)
	for i := 0; rest != nil && rest.Kind == term.List && i < len(rest.Args); i++ {
		out = append(out, wordIn(listItem(rest, i)))
	}
	return append(out, "")
}

func wordIn(t *term.Term) string {
	v, _ := term.StringValue(unboxed(t))
	return v
}

// builtWords are the verb of a command made by a builder, as in
// B().Set().Key(k).Value(v).Nx().Build(), and the conditions in it; "" if the
// verb is not in sight.
func builtWords(w *flow.Event, s *model.Sink) []string {
	if s.Input.Root != "arg" || s.Input.Index >= len(w.Args) {
		return []string{""}
	}
	var verbs, words []string
	w.Args[s.Input.Index].Any(func(t *term.Term) bool {
		if t.Kind != term.Call {
			return false
		}
		if strings.Contains(t.Str, "/cmds.Builder.") {
			verbs = append(verbs, lastPart(t.Str))
		} else if name := lastPart(t.Str); strings.Contains(t.Str, "/cmds.") && conditionWord(name) {
			words = append(words, name)
		}
		return false
	})
	if len(verbs) != 1 {
		return []string{""}
	}
	return append(verbs, words...)
}
