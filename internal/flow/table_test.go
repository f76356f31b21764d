package flow

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// table is a function with a list of so many records, as tests have them.
func table(rows int) string {
	var b strings.Builder
	b.WriteString(`

type key struct{ name []byte; rev int64 }
type row struct { at *key; want []key; name string }

func check(k *key, want []key) bool { return k.rev == want[0].rev }

func table() int {
	rows := []row{
`)
	for i := range rows {
		fmt.Fprintf(&b, "\t\t{&key{[]byte(\"a%d\"), %d}, []key{{[]byte(\"b\"), %d}, {[]byte(\"c\"), 1}}, \"n%d\"},\n", i, i, i, i)
	}
	b.WriteString(`	}
	n := 0
	for _, r := range rows {
		if check(r.at, r.want) {
			n++
		}
	}
	return n
}
`)
	return b.String()
}

// TestTableIsLinear compares the time for a table of records with that for one half as
// long: the tables of tests are long.
func TestTableIsLinear(t *testing.T) {
	took := func(rows int) time.Duration {
		src, start := table(rows), time.Now()
		analyse(t, src)
		return time.Since(start)
	}
	took(100)
	best := 0.0
	for range 3 { // the best of three: other work on the machine only ever adds
		a, b := took(400), took(800)
		t.Logf("400 rows %v, 800 rows %v", a, b)
		if r := float64(b) / float64(a); best == 0 || r < best {
			best = r
		}
	}
	if best > 2.6 {
		t.Errorf("twice the rows take %.2f times as long", best)
	}
}
