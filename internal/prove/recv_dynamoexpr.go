package prove

import (
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

// The package expression of DynamoDB's SDK puts expressions together from values. They
// are written out here as the text that it makes of them.

const exprPath = "/feature/dynamodb/expression."

// expressions is the text of expressions, with the values in it.
type expressions struct {
	values []entry
	names  map[string]string
	failed string
}

func (x *expressions) fail(reason string) string {
	if x.failed == "" {
		x.failed = reason
	}
	return ""
}

// exprCall reports whether a term is a call of package expression, and which.
func exprCall(t *term.Term) (last string, ok bool) {
	if t.Kind != term.Call || !strings.Contains(t.Str, exprPath) && !strings.Contains(t.Str, "/service/dynamodb/expression.") {
		return "", false
	}
	return lastPart(t.Str), true
}

// builtBy is the builder whose expression a request uses: expr.Condition() of the first
// result of Build. part is what is asked of it: Condition, Update, Values.
func builtBy(t *term.Term) (builder *term.Term, part string) {
	t = unboxed(t)
	part, ok := exprCall(t)
	if !ok || len(t.Args) != 1 {
		return nil, ""
	}
	build := unboxed(t.Args[0])
	if last, ok := exprCall(build); !ok || last != "Build" || len(build.Args) != 1 {
		return nil, ""
	}
	return build.Args[0], part
}

// written is the text of the part of a builder that is asked for.
func (x *expressions) written(builder *term.Term, part string) string {
	for b := unboxed(builder); ; b = unboxed(b.Args[0]) {
		last, ok := exprCall(b)
		switch {
		case !ok:
			return x.fail("the builder of the expression is put together out of sight")
		case last == "NewBuilder":
			return ""
		case last == "With"+part && len(b.Args) == 2 && part == "Condition":
			return x.condition(b.Args[1])
		case last == "With"+part && len(b.Args) == 2 && part == "Update":
			return x.update(b.Args[1])
		case len(b.Args) == 0:
			return x.fail("the builder of the expression is put together out of sight")
		}
	}
}

var exprOps = map[string]string{
	"Equal": "=", "NotEqual": "<>", "LessThan": "<", "LessThanEqual": "<=", "GreaterThan": ">", "GreaterThanEqual": ">=",
}

func (x *expressions) condition(t *term.Term) string {
	c := unboxed(t)
	last, ok := exprCall(c)
	if !ok {
		return x.fail("a condition that is not written out")
	}
	args := spread(c.Args)
	switch {
	case exprOps[last] != "" && len(args) == 2:
		return x.operand(args[0]) + " " + exprOps[last] + " " + x.operand(args[1])
	case (last == "And" || last == "Or") && len(args) > 1:
		parts := make([]string, len(args))
		for i, a := range args {
			parts[i] = "(" + x.condition(a) + ")"
		}
		return strings.Join(parts, " "+strings.ToUpper(last)+" ")
	case last == "Not" && len(args) == 1:
		return "NOT (" + x.condition(args[0]) + ")"
	case last == "AttributeNotExists" && len(args) == 1:
		return "attribute_not_exists(" + x.operand(args[0]) + ")"
	case last == "AttributeExists" && len(args) == 1:
		return "attribute_exists(" + x.operand(args[0]) + ")"
	case last == "Between" && len(args) == 3:
		return x.operand(args[0]) + " BETWEEN " + x.operand(args[1]) + " AND " + x.operand(args[2])
	}
	return x.fail("the condition " + last + " is not followed")
}

// spread puts the elements of a list at the end of arguments in its place.
func spread(args []*term.Term) []*term.Term {
	if len(args) == 0 {
		return nil
	}
	last := unboxed(args[len(args)-1])
	switch {
	case last.Kind == term.List && !last.Open:
		return append(append([]*term.Term{}, args[:len(args)-1]...), last.Args...)
	case last.Kind == term.Const && last.Typ == "nil":
		return args[:len(args)-1]
	}
	return args
}

func (x *expressions) operand(t *term.Term) string {
	c := unboxed(t)
	last, ok := exprCall(c)
	if !ok {
		return x.fail("an operand that is not written out")
	}
	args := spread(c.Args)
	switch {
	case (last == "Name" || last == "NameNoDotSplit") && len(args) == 1:
		n, known := term.StringValue(unboxed(args[0]))
		if !known {
			return x.fail("a name that is not known")
		}
		alias := "#n" + strconv.Itoa(len(x.names))
		x.names[alias] = n
		return alias
	case last == "Value" && len(args) == 1:
		key := ":x" + strconv.Itoa(len(x.values))
		for _, e := range x.values { // one value keeps one name
			if e.value.Equal(args[0]) {
				key = e.key
			}
		}
		x.values = append(x.values, entry{key, args[0]})
		return key
	case (last == "Plus" || last == "Minus") && len(args) == 2:
		return x.operand(args[0]) + map[string]string{"Plus": " + ", "Minus": " - "}[last] + x.operand(args[1])
	case last == "IfNotExists" && len(args) == 2:
		return "if_not_exists(" + x.operand(args[0]) + ", " + x.operand(args[1]) + ")"
	}
	return x.fail("the operand " + last + " is not followed")
}

// update writes the steps of an update: SET a = b, c = d REMOVE e ADD f g.
func (x *expressions) update(t *term.Term) string {
	parts := map[string][]string{}
	for c := unboxed(t); ; {
		last, ok := exprCall(c)
		if !ok {
			return x.fail("an update that is not written out")
		}
		args, method := c.Args, strings.HasSuffix(c.Str, "UpdateBuilder."+last)
		if method {
			args = args[1:]
		}
		switch {
		case last == "Set" && len(args) == 2:
			parts[last] = append(parts[last], x.operand(args[0])+" = "+x.operand(args[1]))
		case last == "Remove" && len(args) == 1:
			parts[last] = append(parts[last], x.operand(args[0]))
		case (last == "Add" || last == "Delete") && len(args) == 2:
			parts[last] = append(parts[last], x.operand(args[0])+" "+x.operand(args[1]))
		default:
			return x.fail("the update " + last + " is not followed")
		}
		if !method {
			break
		}
		c = unboxed(c.Args[0])
	}
	var out []string
	for _, k := range []string{"Set", "Remove", "Add", "Delete"} {
		if len(parts[k]) > 0 {
			out = append(out, strings.ToUpper(k)+" "+strings.Join(parts[k], ", "))
		}
	}
	return strings.Join(out, " ")
}
