package classify

import (
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	const body = "package p\n\nfunc f() {\n\t$\n\tg()\n}\n"
	tests := []struct{ comment, want string }{
		{"// fencelint:lock efficiency", "no blank behind //; write //fencelint:lock efficiency"},
		{"//  fencelint:lock efficiency // why", "no blank behind //"},
		{"//\tfencelint:lock efficiency", "no blank behind //"},
		{"// fencelint:", "no blank behind //"},
		{"// fencelint: lock efficiency", "write //fencelint:lock efficiency"},
		{"// fencelint:lok efficiency", "no blank behind //"},
		{"//fencelint:", "a verb in small letters"},
		{"//fencelint: lock efficiency", "write //fencelint:lock efficiency"},
		{"//fencelint:Lock efficiency", "write //fencelint:lock efficiency"},
		{"//fencelint :lock efficiency", "write //fencelint:lock efficiency"},
		{"//Fencelint:lock efficiency", "begins with fencelint: in small letters"},
		{"//FenceLint:Lock efficiency", "begins with fencelint: in small letters"},
		{"///fencelint:lock efficiency", "two slashes"},
		{"////fencelint:lock efficiency", "two slashes"},
		{"/*fencelint:lock efficiency*/", "a block comment is no directive; write //fencelint:lock efficiency"},
		{"/* fencelint:lock efficiency */", "a block comment is no directive; write //fencelint:lock efficiency"},
		{"/*fencelint:*/", "a block comment is no directive"},
		{"/*\n\t * A lock.\n\t * fencelint:lock efficiency\n\t */", "write //fencelint:lock efficiency"},
		{"//nolint:errcheck //fencelint:lock efficiency", "a comment of its own"},
		{"//go:noinline //fencelint:lock efficiency", "a comment of its own"},

		{"// see the //fencelint:lock directive", ""},
		{"// the word fencelint: begins a directive", ""},
		{"// `fencelint:lock` says so", ""},
		{"// \"fencelint:\" opens it", ""},
		{"// main, or a package with //fencelint:root", ""},
		{"//\t//fencelint:lock efficiency", ""},
		{"// //fencelint:lock efficiency", ""},
		{"// fencelint is a tool: it reads", ""},
		{"//fencelint", ""},
		{"//fence:lint", ""},
		{"//fencelinter:lock efficiency", ""},
		{"//other:lock efficiency", ""},
		{"/* see fencelint:lock */", ""},
		{"//", ""},
		{"/**/", ""},
		{"/***/", ""},
		{"/* * */", ""},
	}
	for _, tt := range tests {
		for _, src := range []string{body, strings.ReplaceAll(body, "\n", "\r\n")} {
			p := read(t, strings.Replace(src, "$", tt.comment, 1))
			got := p.Problems()
			switch {
			case tt.want == "" && len(got) > 0, tt.want != "" && len(got) != 1:
				t.Errorf("%q: got problems %q, want %q", tt.comment, p.show(got), tt.want)
			case tt.want != "" && (!strings.Contains(got[0].Message, tt.want) || !strings.HasPrefix(got[0].Message, "this comment is no directive")):
				t.Errorf("%q: got %q, want %q", tt.comment, got[0].Message, tt.want)
			}
			if p.Empty() != (tt.want == "") {
				t.Errorf("%q: Empty = %v", tt.comment, p.Empty())
			}
		}
	}
}
