package mongo

import (
	"strings"
	"testing"

	"github.com/fencelint/fencelint/fence"
)

func d(fields ...any) Value {
	v := Value{Kind: Document}
	for i := 0; i < len(fields); i += 2 {
		v.Doc = append(v.Doc, Field{fields[i].(string), val(fields[i+1])})
	}
	return v
}

func list(vs ...any) Value {
	v := Value{Kind: List}
	for _, x := range vs {
		v.List = append(v.List, val(x))
	}
	return v
}

func val(x any) Value {
	switch x := x.(type) {
	case Value:
		return x
	case int:
		return Value{Kind: Int, Int: int64(x)}
	case nil:
		return Value{Kind: Null}
	case bool:
		if x {
			return Value{Kind: Bool, Int: 1}
		}
		return Value{Kind: Bool}
	case string:
		if strings.HasPrefix(x, ":") {
			return Value{Kind: Argument, Arg: fence.Arg(x)}
		}
		return Value{Kind: String, Text: x}
	}
	return Value{}
}

func TestLower(t *testing.T) {
	store := d("$set", d("by", ":v", "fence", ":f"))
	for _, c := range []struct {
		name string
		w    Write
		want string // less, equal, null, advance
	}{
		{"strict", Write{Filter: d("_id", ":id", "fence", d("$lt", ":f")), Update: store}, "never never never yes"},
		{"inclusive", Write{Filter: d("fence", d("$lte", ":f")), Update: store}, "never admitted never yes"},
		{"not", Write{Filter: d("fence", d("$not", d("$gte", ":f"))), Update: store}, "never never admitted yes"},
		{"or", Write{Filter: d("$or", list(d("fence", d("$lt", ":f")), d("draft", true))), Update: store}, "admitted admitted admitted regress"},
		{"or missing", Write{Filter: d("$or", list(d("fence", d("$lt", ":f")), d("fence", d("$exists", false)))), Update: store}, "never never admitted yes"},
		{"no filter", Write{Filter: d("_id", ":id"), Update: store}, "admitted admitted admitted regress"},
		{"max alone", Write{Filter: d("_id", ":id"), Update: d("$max", d("fence", ":f"), "$set", d("by", ":v"))}, "admitted admitted admitted yes"},
		{"not advanced", Write{Filter: d("fence", d("$lt", ":f")), Update: d("$set", d("by", ":v"))}, "never never never absent"},
		{"expr", Write{Filter: d("$expr", d("$lt", list("$fence", ":f"))), Update: store}, "never never admitted yes"},
		{"pipeline", Write{Filter: d("fence", d("$lt", ":f")), Update: list(d("$set", d("fence", ":f", "n", d("$add", list("$n", 1)))))}, "never never never yes"},
		{"replace", Write{Replace: true, Filter: d("fence", d("$lt", ":f")), Update: d("by", ":v", "fence", ":f")}, "never never never yes"},
		{"replace that forgets", Write{Replace: true, Filter: d("fence", d("$lt", ":f")), Update: d("by", ":v")}, "never never never other"},
		{"delete", Write{Delete: true, Filter: d("fence", d("$lte", ":f"))}, "never admitted never na"},
		{"ne", Write{Filter: d("fence", d("$ne", ":f")), Update: store}, "admitted never admitted regress"},
	} {
		m := Lower(c.w)
		if len(m.Problems) > 0 {
			t.Errorf("%s: %v", c.name, m.Problems)
			continue
		}
		v := fence.Prove(m, func(a fence.Arg) bool { return a == ":f" })
		if got := strings.Join([]string{v.Less.String(), v.Equal.String(), v.Null.String(), v.Advances}, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// What is not in sight may be a condition: nothing is proved.
func TestUnknown(t *testing.T) {
	for _, w := range []Write{
		{Filter: Value{}, Update: d("$set", d("fence", ":f"))},
		{Filter: d("fence", Value{}), Update: d("$set", d("fence", ":f"))},
		{Filter: d("$where", "x"), Update: d("$set", d("fence", ":f"))},
		{Filter: d("fence", d("$lt", ":f")), Update: Value{}},
	} {
		if m := Lower(w); len(m.Problems) == 0 {
			t.Errorf("%+v: no problem", w)
		}
	}
}
