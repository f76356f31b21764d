package prove

import (
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/internal/term"
)

// claimedAttribute is the origin of an attribute of the item that an update hands back after
// it raised that attribute: the number of the claim that the update made.
func (j *judge) claimedAttribute(t *term.Term) (origin, bool) {
	if !strings.HasSuffix(t.Str, ".AttributeValueMemberN.Value") {
		return origin{}, false
	}
	el := unboxed(t.Args[0])
	if el.Kind != term.Elem || len(el.Args) != 2 {
		return origin{}, false
	}
	col, known := term.StringValue(unboxed(el.Args[1]))
	item := unboxed(el.Args[0])
	if !known || item.Kind != term.Field || !strings.HasSuffix(item.Str, ".UpdateItemOutput.Attributes") {
		return origin{}, false
	}
	call := unboxed(item.Args[0])
	if call.Kind != term.Call || len(call.Args) < 3 || !strings.HasSuffix(call.Str, "dynamodb.Client.UpdateItem") {
		return origin{}, false
	}
	in := unboxed(term.Settle(call.Args[2]))
	if r, _ := term.StringValue(unboxed(fieldNamed(in, "ReturnValues"))); !strings.HasSuffix(r, "_NEW") {
		return origin{}, false
	}
	table, _ := term.StringValue(pointee(fieldNamed(in, "TableName")))
	o := origin{class: epoch, source: table + "." + col, text: t.String()}
	for _, form := range dynamoForms(in) {
		l, _ := j.dynamoWrite(form, fence.Update)
		if l == nil || l.partial || len(l.mutation.Problems) > 0 {
			return origin{}, false
		}
		if v, ok := l.mutation.Assigned(col).(fence.Apply); !ok || !raisesBy(col, v, l.value) {
			return origin{}, false
		}
		j.mayBeginAgain(&o, l)
	}
	return o, true
}

// raisesBy reports whether a column gets its old value, or 0 where it has none, and more, be
// that a constant of the statement or one that is bound to it.
func raisesBy(column string, v fence.Apply, value func(fence.Arg) *term.Term) bool {
	args := make([]fence.Term, len(v.Args))
	for i, a := range v.Args {
		args[i] = a
		switch a := a.(type) {
		case fence.Input:
			if n, ok := writtenNumber(value(a.Arg)); ok {
				args[i] = fence.Const{Int: n}
			}
		case fence.Apply:
			if a.Fn == fence.Coalesce && len(a.Args) == 2 && a.Args[1] == fence.Term(fence.Const{}) {
				args[i] = a.Args[0]
			}
		}
	}
	return v.Fn == fence.Add && raises(column, fence.Apply{Fn: v.Fn, Args: args})
}

// writtenNumber is the whole number that a value is, or that is written out in it.
func writtenNumber(t *term.Term) (int64, bool) {
	if t == nil {
		return 0, false
	}
	t = unboxed(t)
	if n, ok := term.IntValue(t); ok {
		return n, true
	}
	s, ok := term.StringValue(t)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}
