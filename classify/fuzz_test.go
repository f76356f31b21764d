package classify

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// canonical writes a directive with every value quoted.
func canonical(d *Directive) string {
	var b strings.Builder
	b.WriteString("//" + tool + ":" + d.Verb)
	for _, w := range d.Words {
		b.WriteString(" " + w)
	}
	for _, a := range d.Args {
		b.WriteString(" " + a.Key + "=" + strconv.Quote(a.Value))
	}
	return b.String()
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`lock correctness contract=fence activated`, `lock efficiency reason="a \"b\" // c" // d`, "accept unfencedwrite reason=`x` until=2028-02-29",
		`writes resource=a fence=b kind=store`, `resource name="`, `lock "`, `=`, "root\u2003x", `accept casnotfence reason="\x00\xff"`, `lok =a= b`, "lock\xff\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, args string) {
		if strings.ContainsAny(args, "\n\r") {
			return // a line comment has none
		}
		p := parse(1, "//"+tool+":"+args, testRules)
		if p == nil {
			return
		}
		if n := int(p.End - p.Pos); n != len(p.Text) {
			t.Fatalf("Text is %d long, the span %d", len(p.Text), n)
		}
		for _, text := range []string{p.Text, canonical(p.Directive)} {
			again := parse(1, text, testRules)
			if again == nil {
				t.Fatalf("%q is no directive", text)
			}
			if p.Faulty() {
				continue
			}
			if again.Faulty() || again.Verb != p.Verb || !reflect.DeepEqual(again.Words, p.Words) || !sameArgs(again.Args, p.Args) {
				t.Fatalf("%q reads as %+v, want %+v", text, again.Directive, p.Directive)
			}
		}
	})
}

func sameArgs(a, b []Arg) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Key != b[i].Key || a[i].Value != b[i].Value {
			return false
		}
	}
	return true
}

// FuzzRead reads whole files, broken ones too.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"package p\n\n//fencelint:lock correctness\nfunc f() {}\n",
		"//fencelint:root\npackage p\r\n\r\ntype t struct {\r\n\t//fencelint:lost\r\n\tc chan int\r\n}\r\n",
		"package p\nfunc f() {\n\tif a {\n\t\t//fencelint:lock efficiency\n\t} else if b {\n\t}\n\t//fencelint:accept x\n}\n",
		"package p\n/*\n fencelint:lock\n*/\nvar x = []int{\n//fencelint:lock efficiency\n1, }\n//fencelint:lock correctness",
		"package p\n\nfunc (", "package p\ntype t interface { //fencelint:writes\n", "//line x.go:1\npackage p\nfunc f() { x( //fencelint:lock\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		fset := token.NewFileSet()
		file, _ := parser.ParseFile(fset, "a.go", src, parser.ParseComments|parser.SkipObjectResolution)
		if file == nil {
			return
		}
		s := Read(fset, []*ast.File{file}, testRules)
		last := token.NoPos
		for _, p := range s.Problems() {
			if p.Pos < last || p.End < p.Pos || p.Message == "" {
				t.Fatalf("problem %+v after position %d", p, last)
			}
			last = p.Pos
		}
		tf := fset.File(file.FileStart)
		for off := 0; tf != nil && off < min(tf.Size(), 2000); off++ {
			pos := tf.Pos(off)
			if l := cmpLock(s, pos); l != nil {
				s.InBlock(l.Dir, pos)
			}
			s.Unread(pos)
			s.Accepted(pos, "unfencedwrite")
		}
	})
}

func cmpLock(s *Set, pos token.Pos) *Lock {
	if l := s.Stmt(pos); l != nil {
		return l
	}
	return s.Func(pos)
}
