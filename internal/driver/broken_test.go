package driver

import (
	"strings"
	"testing"
)

func TestBrokenPackages(t *testing.T) {
	m := newModule(t, chain+`
-- wrong/wrong.go --
package wrong
import "toy.example/other/lock"
func F() { lock.Acquire(1); undefined() }
-- wrong/wrong_test.go --
package wrong
-- onwrong/onwrong.go --
package onwrong
import ("toy.example/m/wrong"; "toy.example/other/lock")
func F() { wrong.F(); lock.Acquire() }
-- syntax/syntax.go --
package syntax
import "toy.example/other/lock"
func F( { lock.Acquire() }
-- absent/absent.go --
package absent
import ("toy.example/absent"; "toy.example/other/lock")
func F() { absent.F(); lock.Acquire() }
`)
	out := m.tool("./...")
	out.want(t, 3,
		"app/app.go:4:2: calls", "mid/mid.go:3:15: unclassified",
		"wrong/wrong.go:3:25: too many arguments", "wrong/wrong.go:3:29: undefined: undefined",
		"toy.example/m/onwrong: not analysed, since it imports toy.example/m/wrong",
		"syntax/syntax.go:3:9:", "toy.example/absent",
	)
	if n := strings.Count(out.stderr, "undefined: undefined"); n != 1 {
		t.Errorf("the same fault is told %d times:\n%s", n, out.stderr)
	}
}

// The fault of a test is told, and the package is looked at without its tests.
func TestBrokenTests(t *testing.T) {
	m := newModule(t, chain+`
-- torn/torn.go --
package torn
import "toy.example/other/lock"
func F() { lock.Acquire() }
-- torn/torn_test.go --
package torn
func g() { undefined() }
-- ontorn/ontorn.go --
package ontorn
import "toy.example/m/torn"
func F() {
	torn.F()
}
`)
	out := m.tool("./torn", "./ontorn")
	out.want(t, 3, "torn/torn_test.go:2:12: undefined: undefined", "torn/torn.go:3:12: unclassified", "ontorn/ontorn.go:4:2: calls")
	if n := strings.Count(out.stdout, "unclassified"); n != 1 {
		t.Errorf("the same finding stands %d times:\n%s", n, out.stdout)
	}
}

// What cannot matter is not looked at; but that it does not compile is said.
func TestBrokenOutsideTheCone(t *testing.T) {
	m := newModule(t, chain+`
-- wrong/wrong.go --
package wrong
func F() { undefined() }
-- onwrong/onwrong.go --
package onwrong
import ("toy.example/m/wrong"; "toy.example/other/lock")
func F() { wrong.F(); lock.Acquire() }
`)
	m.tool("./wrong").want(t, 3, "wrong/wrong.go:2:12: undefined: undefined")
	m.tool("./far").want(t, 0)
	m.tool("./...").want(t, 3, "toy.example/m/onwrong: not analysed, since it imports toy.example/m/wrong", "wrong/wrong.go:2:12: undefined: undefined", "app/app.go:4:2")
}

func TestPanic(t *testing.T) {
	m := newModule(t, chain+`
-- bad/bad.go --
package bad
import "toy.example/other/lock"
func Panic() { lock.Acquire() }
-- onbad/onbad.go --
package onbad
import ("toy.example/m/bad"; "toy.example/other/lock")
func F() { bad.Panic(); lock.Acquire() }
`)
	out := m.tool("./...")
	out.want(t, 3, "internal error in toy.example/m/bad: engine fault", "app/app.go:4:2", "onbad/onbad.go:3:25: unclassified")
	if strings.Contains(out.stderr, "goroutine ") {
		t.Errorf("a stack that nobody asked for:\n%s", out.stderr)
	}
	m.tool("-v", "./...").want(t, 3, "goroutine ", "toyEngine")
}
