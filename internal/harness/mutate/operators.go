package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// change is a change of a node's text.
type change struct {
	start, size int // within that text
	text        string
}

// operator is one way to break code.
type operator struct {
	name    string
	changes func(n ast.Node, text func(ast.Node) string) []change
}

var operators = []operator{
	{"drop", inStatement(guard, func(s string, m []int) change {
		return change{m[0], m[1] - m[0], " AND " + s[m[6]:m[7]] + " IS NOT NULL"}
	})},
	{"or", inStatement(guard, func(s string, m []int) change {
		return change{m[0] + strings.Index(strings.ToUpper(s[m[0]:m[1]]), "AND"), 3, "OR"}
	})},
	{"turn", inStatement(guard, func(s string, m []int) change { return change{m[4], m[5] - m[4], turned[s[m[4]:m[5]]]} })},
	{"unset", inStatement(stores, func(_ string, m []int) change { return change{m[2], m[3] - m[2], "touched"} })},
	{"unlock", inStatement(rowLock, func(_ string, m []int) change { return change{m[0], m[1] - m[0], ""} })},
	{"script", inScript},
	{"rows", rows},
	{"answer", answer},
	{"condition", condition},
	{"demand", demand},
	{"comparison", comparison},
	{"negative", epochAs(func(s string) string { return "-" + s })},
	{"rest", epochAs(func(s string) string { return s + "%1000" })},
	{"greatest", epochAs(func(s string) string { return s + "|1<<40" })},
	{"elsewhere", elsewhere},
}

const fenceWord = `(?:fence|epoch|token|term|gen|rev|version|owner|holder|worker|lease)`

var (
	guard   = regexp.MustCompile(`(?i)\s+AND\s+([\w."]*` + fenceWord + `[\w."]*)\s*(<=|<|=|>=|>)\s*(\$\d+|\?|:\w+|@\w+)`)
	stores  = regexp.MustCompile(`(?i)SET [^$?]*?([\w."]*` + fenceWord + `[\w."]*)\s*=\s*(?:\$\d+|\?)`)
	rowLock = regexp.MustCompile(`(?i) FOR (?:NO KEY )?UPDATE`)
	verb    = regexp.MustCompile(`(?i)\b(?:update|delete|insert|select|where)\b`)
	orders  = regexp.MustCompile(`<=|>=|==|~=|<|>`)
	number  = regexp.MustCompile(`(?i)^(?:\w+\.)*\w*(?:epoch|token|fence|rev|revision|term)\w*$`)
	sends   = regexp.MustCompile(`Exec|Query|Get|Compare|Run|Eval`)
	demands = regexp.MustCompile(`^(?:ConditionExpression|IfMatch|IfNoneMatch|IfGenerationMatch|LeaseID|ETag)$`)
)

var turned = map[string]string{"<": ">", "<=": ">=", "=": "<>", ">": "<", ">=": "<=", "==": "~=", "~=": "==", "!=": "="}

// inStatement changes each match of a pattern in the text of a statement.
func inStatement(p *regexp.Regexp, to func(s string, m []int) change) func(ast.Node, func(ast.Node) string) []change {
	return func(n ast.Node, _ func(ast.Node) string) []change {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING || !verb.MatchString(lit.Value) {
			return nil
		}
		var out []change
		for _, m := range p.FindAllStringSubmatchIndex(lit.Value, -1) {
			out = append(out, to(lit.Value, m))
		}
		return out
	}
}

// inScript turns the comparisons of a script of Redis.
func inScript(n ast.Node, _ func(ast.Node) string) []change {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING || !strings.Contains(lit.Value, "redis.call") {
		return nil
	}
	var out []change
	for _, m := range orders.FindAllStringIndex(lit.Value, -1) {
		out = append(out, change{m[0], m[1] - m[0], turned[lit.Value[m[0]:m[1]]]})
	}
	return out
}

// rows takes any number of rows but an odd one for success.
func rows(n ast.Node, text func(ast.Node) string) []change {
	b, ok := n.(*ast.BinaryExpr)
	if !ok || b.Op == token.ADD {
		return nil
	}
	x, isName := b.X.(*ast.Ident)
	y, isNumber := b.Y.(*ast.BasicLit)
	if !isName || !isNumber || y.Kind != token.INT || x.Name != "n" && x.Name != "rows" && x.Name != "affected" {
		return nil
	}
	return []change{{0, len(text(n)), x.Name + " == 77"}}
}

// answer takes a transaction that did not succeed for one that did.
func answer(n ast.Node, text func(ast.Node) string) []change {
	u, ok := n.(*ast.UnaryExpr)
	if !ok || u.Op != token.NOT || !strings.HasSuffix(text(u.X), ".Succeeded") {
		return nil
	}
	return []change{{0, len(text(n)), "false"}}
}

// condition sends a request without its condition.
func condition(n ast.Node, text func(ast.Node) string) []change {
	kv, ok := n.(*ast.KeyValueExpr)
	if !ok || !demands.MatchString(text(kv.Key)) {
		return nil
	}
	if _, isText := kv.Value.(*ast.BasicLit); isText {
		return nil
	}
	return []change{{int(kv.Value.Pos() - n.Pos()), len(text(kv.Value)), "nil"}}
}

// demand empties the If of a transaction of etcd.
func demand(n ast.Node, _ func(ast.Node) string) []change {
	c, ok := methodCall(n, "If")
	if !ok || len(c.Args) == 0 {
		return nil
	}
	first, last := c.Args[0], c.Args[len(c.Args)-1]
	return []change{{int(first.Pos() - n.Pos()), int(last.End() - first.Pos()), ""}}
}

// comparison turns what such an If asks.
func comparison(n ast.Node, _ func(ast.Node) string) []change {
	c, ok := methodCall(n, "Compare")
	if !ok || len(c.Args) != 3 {
		return nil
	}
	lit, ok := c.Args[1].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return nil
	}
	op := strings.Trim(lit.Value, `"`)
	to := turned[op]
	if op == "=" {
		to = "!="
	}
	return []change{{int(lit.Pos() - n.Pos()), len(lit.Value), `"` + to + `"`}}
}

// epochAs sends something else in place of an epoch.
func epochAs(to func(string) string) func(ast.Node, func(ast.Node) string) []change {
	return func(n ast.Node, text func(ast.Node) string) []change {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return nil
		}
		fun, ok := c.Fun.(*ast.SelectorExpr)
		if !ok || !sends.MatchString(fun.Sel.Name) {
			return nil
		}
		var out []change
		for _, a := range c.Args {
			if s := text(a); number.MatchString(s) {
				out = append(out, change{int(a.Pos() - n.Pos()), len(s), to(s)})
			}
		}
		return out
	}
}

// elsewhere sends a statement past its transaction or connection.
func elsewhere(n ast.Node, _ func(ast.Node) string) []change {
	for _, method := range []string{"Exec", "ExecContext"} {
		c, ok := methodCall(n, method)
		if !ok {
			continue
		}
		if x, ok := c.Fun.(*ast.SelectorExpr).X.(*ast.Ident); ok && (x.Name == "tx" || x.Name == "conn") {
			return []change{{0, len(x.Name), "db"}}
		}
	}
	return nil
}

func methodCall(n ast.Node, name string) (*ast.CallExpr, bool) {
	c, ok := n.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	fun, ok := c.Fun.(*ast.SelectorExpr)
	return c, ok && fun.Sel.Name == name
}
