package fence

import "slices"

// Two tokens far from any literal; all tokens are at least 1.
const (
	smallToken = 5
	largeToken = 420000
	far        = 100000
)

// tokens are values of t such that every order that t, the fence and the
// constants can stand in occurs for one of them. As t moves, the order of the
// thresholds t+d and x of the fence changes only where t = x-d, and whether
// an integer fits between them only within 2 of it.
func (l *lines) tokens() []int64 {
	out := []int64{smallToken, largeToken}
	add := func(v int64, width int64) {
		for k := -width; k <= width; k++ {
			if s, ok := addInt(v, k); ok && s > 0 {
				out = append(out, s)
			}
		}
	}
	for _, x := range l.t {
		add(x, 1)
	}
	for _, x := range l.f {
		for _, d := range l.d {
			if s, ok := addInt(x, -d); ok {
				add(s, 2)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fences are values of f around every threshold for the token t.
func (l *lines) fences(t int64) []int64 {
	out := make([]int64, 0, 16)
	add := func(v int64) {
		for k := int64(-1); k <= 1; k++ {
			if s, ok := addInt(v, k); ok {
				out = append(out, s)
			}
		}
	}
	for _, d := range l.d {
		if s, ok := addInt(t, d); ok {
			add(s)
		}
	}
	for _, x := range l.f {
		add(x)
	}
	add(t - far)
	if s, ok := addInt(t, far); ok {
		add(s)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
