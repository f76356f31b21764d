package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// mints reports whether a write only draws the number that another write of the
// hold brings along: that is no write that a lock protects.
func (j *judge) mints(p *pair) bool {
	c := j.models.FuncKey(p.w.Key)
	if c == nil || !hasRole(c, model.RoleCounter) && !j.onlyCounts(p.w, c) {
		return false
	}
	for _, w := range p.sum.Events {
		if w == p.w || w.Kind != flow.Write {
			continue
		}
		for _, a := range w.Args {
			if a.Any(func(u *term.Term) bool {
				return u.Kind == term.Call && u.Str == p.w.Key && strings.HasSuffix(u.Site, p.w.Site)
			}) {
				return true
			}
		}
	}
	return false
}

// onlyCounts reports whether a statement raises counters, and does no more: what it gives back
// was drawn for another write.
func (j *judge) onlyCounts(w *flow.Event, c *model.Call) bool {
	if c.Sink != nil && c.Sink.Kind == "script" {
		script := j.scriptOf(w)
		return script != nil && script.Mutation != nil && len(script.Mutation.Set) > 0 && !slices.ContainsFunc(script.Mutation.Set, func(s fence.Assign) bool {
			v, ok := s.Value.(fence.Apply)
			return !ok || !raisesStored(s.Column, v)
		})
	}
	if c.Sink == nil || c.Sink.Dialect != "sql" {
		return false
	}
	forms := j.loweredForms(w, c.Sink)
	for _, l := range forms {
		if l.mutation.Kind != fence.Update || len(l.mutation.Set) == 0 {
			return false
		}
		for _, s := range l.mutation.Set {
			if v, ok := s.Value.(fence.Apply); !ok || !raises(s.Column, v) {
				return false
			}
		}
	}
	return len(forms) > 0
}

func hasRole(c *model.Call, r model.Role) bool {
	for _, l := range c.Locks {
		if l.Role == r {
			return true
		}
	}
	return false
}

// drawn is the origin of a number that a counter or a script gives out.
func (j *judge) drawn(t *term.Term) (origin, bool) {
	c := j.models.FuncKey(t.Str)
	if c == nil {
		return origin{}, false
	}
	for _, l := range c.Locks {
		if l.Role == model.RoleCounter {
			return origin{class: unbound, source: l.ID, durability: l.Token.Durability, text: t.String(), drawnBy: t}, true
		}
	}
	if c.Sink == nil || c.Sink.Kind != "script" {
		return origin{}, false
	}
	text, ok := flow.ScriptText(c.Sink, t.Args)
	if !ok {
		return origin{}, false
	}
	switch sets, counts := drawsIn(text); {
	case sets && counts && counterEnds(text):
		return origin{class: volatile, source: "script", text: t.String(), worth: "whose counter the script lets expire or deletes: it begins again, below what was given out before"}, true
	case sets && counts:
		return origin{class: epoch, source: "script", durability: "async-replica", text: t.String()}, true
	case counts:
		return origin{class: unbound, source: "script", text: t.String()}, true
	}
	return origin{class: stored, text: t.String(), reason: "it was read from the store"}, true
}

// inTransaction reports whether a receiver of commands of Redis sends them all in one step,
// which no other client's come between: MULTI and EXEC.
func inTransaction(recv *term.Term) bool {
	recv = unboxed(recv)
	return recv.Kind == term.Call && (strings.HasSuffix(recv.Str, ".TxPipeline") || strings.HasSuffix(recv.Str, ".TxPipelined supplies"))
}

// drawnWith reports whether a number is drawn in the transaction of Redis that takes the lock:
// of two owners the later one has the greater one, though those who do not get it draw, too.
func drawnWith(p *pair, o *origin) bool {
	if o.drawnBy == nil || len(o.drawnBy.Args) == 0 {
		return false
	}
	queue := o.drawnBy.Args[0]
	for _, w := range p.sum.Events { // as the function sees it that queues both
		if w.Recv != nil && w.Key == o.drawnBy.Str && strings.HasSuffix(o.drawnBy.Site, w.Site) {
			queue = w.Recv
		}
	}
	return inTransaction(queue) && p.acq.Recv != nil && unboxed(p.acq.Recv).Equal(unboxed(queue))
}

// endsCounter reports whether the function gives the counter of a number a time to live, or
// deletes it.
func endsCounter(p *pair, o *origin) bool {
	if len(o.drawnBy.Args) < 3 {
		return true
	}
	key := unboxed(o.drawnBy.Args[2])
	return slices.ContainsFunc(p.sum.Events, func(w *flow.Event) bool {
		return endingCall.MatchString(w.Key) && slices.ContainsFunc(w.Args, func(a *term.Term) bool {
			return a.Any(func(u *term.Term) bool { return u.Equal(key) || u.Kind == term.Unknown })
		})
	})
}

var endingCall = pattern.New(`\.(P?Expire\w*|Del|Unlink|GetDel|GetEx|Set|SetEx|Rename)$`)

// drawsIn reports whether a script grants a lock and whether it draws a number.
func drawsIn(script string) (sets, counts bool) {
	s := strings.ToLower(script)
	sets = strings.Contains(s, "'nx'") || strings.Contains(s, `"nx"`) || strings.Contains(s, "setnx") || asksThenSets.MatchString(script)
	counts = strings.Contains(s, "'incr") || strings.Contains(s, `"incr`) || strings.Contains(s, "'hincrby") || strings.Contains(s, `"hincrby`)
	return sets, counts
}

// asksThenSets is SET NX with a time to live, written out: a script is one step.
var asksThenSets = pattern.New(`(?is)['"]exists['"].*['"]set['"].*['"](?:px|ex|p?expire)['"]`)

// counterEnds reports whether a script gives the key from which it draws a time to live,
// or deletes it.
func counterEnds(script string) bool {
	for _, drawn := range drawnKey.Regexp().FindAllStringSubmatch(script, -1) {
		for _, ended := range endedKey.Regexp().FindAllStringSubmatch(script, -1) {
			if strings.TrimSpace(drawn[1]) == strings.TrimSpace(ended[1]) {
				return true
			}
		}
	}
	return false
}

var (
	drawnKey = pattern.New(`(?i)call\(\s*['"]h?incr(?:by)?['"]\s*,([^,)]+)`)
	endedKey = pattern.New(`(?i)call\(\s*['"](?:p?expire(?:at)?|del|unlink|p?setex)['"]\s*,([^,)]+)`)
)

// isReply reports whether a call takes the value out of the answer of a command:
// (*redis.IntCmd).Result, (*redis.Cmd).Int64, rueidis.RedisResult.AsInt64 and the like.
func isReply(t *term.Term) bool {
	i := strings.LastIndexByte(t.Str, '.')
	return i > 0 && len(t.Args) == 1 && replies[t.Str[i+1:]] && isAnswer(t.Str[:i])
}

func isAnswer(typ string) bool {
	return strings.HasSuffix(typ, "Cmd") || strings.HasSuffix(typ, "/rueidis.RedisResult") || strings.HasSuffix(typ, "/valkey-go.ValkeyResult")
}

var replies = map[string]bool{
	"Result": true, "Val": true, "Int64": true, "Int": true, "Uint64": true, "Text": true, "Slice": true,
	"AsInt64": true, "ToInt64": true, "AsUint64": true,
}
