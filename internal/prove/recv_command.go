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
var redisSteps = strings.Fields("EVAL EVALSHA FCALL MSETNX RENAMENX")

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
	case verb == "EXEC": // each command that it runs is a boundary where it is queued
		return decision{}
	}
	d, read := ifThere(j, p, s, words)
	switch {
	case !read && (slices.Contains(redisSteps, verb) || slices.ContainsFunc(words[1:], conditionWord)):
		d = unreadable("", "", "conditions of the command "+verb+" are not read", false)
	case j.queuedUnderWatch(p):
		d = underWatch(p.class().Contract)
	case !read:
		d = j.plainBoundary(p, s)
	}
	d.receiver, d.shown = commandKey(p.w, s), j.callName(p.w)
	return d
}

// underWatch is what it is worth that EXEC runs a command only where nobody has changed the
// keys that are watched. Whether its answer is looked at is not read.
func underWatch(contract string) decision {
	d := casWorth(contract, decision{guard: "cas"}, false)
	if d.verdict == proved {
		d.verdict, d.rule, d.reason = unproved, "unprovedwrite", "the answer of EXEC, which is nil where a watched key was changed, is not read"
	}
	return d
}

// ifThere judges a command that writes only where there is nothing yet, or something; false
// for others.
func ifThere(j *judge, p *pair, s *model.Sink, words []string) (decision, bool) {
	options := make(map[string]bool)
	for _, w := range words[1:] {
		options[strings.ToUpper(w)] = true
	}
	key := commandArg(p.w, s, 0)
	switch verb := strings.ToUpper(words[0]); {
	case key == nil:
	case verb == "HSETNX":
		return createdOnce(key, "only the first one sets the field"), true
	case verb == "SET" && options["XX"]:
		return unconditional("it is refused only where there is no key"), true
	case verb == "SET" && options["NX"] && slices.ContainsFunc([]string{"EX", "PX", "EXAT", "PXAT"}, func(o string) bool { return options[o] }):
		return unconditional("only the first one creates the key, but the key expires, and after that it is accepted anew"), true
	case verb == "SETNX", verb == "SET" && options["NX"]:
		return createdOnce(key, "only the first one creates the key"), true
	}
	return decision{}, false
}

// commandArg is a word of a command behind the verb, nil if it is not in sight.
func commandArg(w *flow.Event, s *model.Sink, i int) *term.Term {
	if s.Args < 0 {
		return nil
	}
	rest := argList(w, s.Args)
	if rest == nil || rest.Kind != term.List || i >= len(rest.Args) {
		return nil
	}
	return listItem(rest, i)
}

// commandKey names the key that a command writes, up to its first hole.
func commandKey(w *flow.Event, s *model.Sink) string {
	name := "?"
	if key := commandArg(w, s, 0); key != nil {
		if text := texts(key); len(text) == 1 && text[0].none == "" {
			name = clean(strings.TrimFunc(text[0].s, isHole))
		}
	}
	if name == "?" || name == "" {
		return s.Boundary + ":" + s.Lib
	}
	return s.Lib + ":" + name
}

// queuedUnderWatch reports whether a command is queued behind MULTI on a connection that
// watches keys, so that EXEC runs it only where nobody has changed them.
func (j *judge) queuedUnderWatch(p *pair) bool {
	if p.w.Recv == nil {
		return false
	}
	const (
		watches, queues, queued = 1, 2, 3
	)
	step := 0
	for _, e := range p.sum.Events {
		c := j.models.FuncKey(e.Key)
		if c == nil || c.Sink == nil || c.Sink.Dialect != "redis-command" || e.Recv == nil || !e.Recv.Equal(p.w.Recv) {
			continue
		}
		switch verb := strings.ToUpper(commandWords(e, c.Sink)[0]); {
		case e == p.w:
			if step != queues {
				return false
			}
			step = queued
		case verb == "EXEC" && step == queued:
			return true
		case verb == "WATCH" && step < queued:
			step = watches
		case verb == "MULTI" && step == watches:
			step = queues
		case verb == "EXEC", verb == "DISCARD", verb == "UNWATCH":
			step = 0
		}
	}
	return false
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
