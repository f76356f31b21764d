package fence

// truth is a set of outcomes that a condition may have.
type truth uint8

const (
	isT truth = 1 << iota
	isF
	isN // unknown in the store's own logic
	isR // evaluation aborts the write
	isD // depends on something this package does not understand
	isE // the same, but certainly not true
)

const (
	openTruth = isT | isF | isN // a condition on other data
)

// over applies f to every pair of outcomes.
func over(a, b truth, f func(x, y truth) truth) truth {
	var out truth
	for x := isT; x <= isE; x <<= 1 {
		if a&x == 0 {
			continue
		}
		for y := isT; y <= isE; y <<= 1 {
			if b&y != 0 {
				out |= f(x, y)
			}
		}
	}
	return out
}

// and1 evaluates from the left: a false left side hides what the right does.
func and1(x, y truth) truth {
	switch {
	case x == isF || x == isR:
		return x
	case x == isT:
		return y
	case y == isT:
		return x
	case y == isF, y == isR:
		return y
	case x == isD && y == isD:
		return isD
	case x == isN && y == isN:
		return isN
	}
	return isE
}

func or1(x, y truth) truth {
	switch {
	case x == isT || x == isR:
		return x
	case x == isF:
		return y
	case y == isF:
		return x
	case y == isT, y == isR:
		return y
	case x == isD || y == isD:
		return isD
	case x == isN && y == isN:
		return isN
	}
	return isE
}

func (a truth) and(b truth) truth { return over(a, b, and1) }
func (a truth) or(b truth) truth  { return over(a, b, or1) }

func (a truth) not() truth {
	out := a & (isN | isR | isD)
	if a&isT != 0 {
		out |= isF
	}
	if a&isF != 0 {
		out |= isT
	}
	if a&isE != 0 {
		out |= isD
	}
	return out
}

// is tests for one truth value; the answer is never unknown.
func (a truth) is(v Truth) truth {
	want := [...]truth{isT, isF, isN}[v]
	out := a & (isR | isD)
	if a&want != 0 {
		out |= isT
	}
	if a&openTruth&^want != 0 {
		out |= isF
	}
	if a&isE != 0 {
		if v == True {
			out |= isF
		} else {
			out |= isD
		}
	}
	return out
}

// admission reads a set of outcomes of a guard.
func (a truth) admission() Admission {
	switch {
	case a&isT != 0:
		return Admitted
	case a&isD != 0:
		return Undecided
	}
	return Never
}
