package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/model"
)

func isNillable(v ssa.Value) bool {
	switch v.Type().Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return true
	}
	return false
}

func isError(t types.Type) bool {
	return types.Identical(t, errorType)
}

var errorType = types.Universe.Lookup("error").Type()

// of is what the state knows of v.
func (s *state) of(v ssa.Value) abs {
	if a, ok := s.vals.get(v); ok {
		return a
	}
	switch v := v.(type) {
	case *ssa.Const:
		if s.flags&texts != 0 {
			return wordingOf(v)
		}
		return constAbs(v)
	case *ssa.Extract:
		if t, ok := s.tups.get(v.Tuple); ok && v.Index < len(t) {
			return t[v.Index]
		}
	case *ssa.Alloc, *ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.FieldAddr, *ssa.IndexAddr,
		*ssa.Function, *ssa.Global:
		return abs{k: nonNil}
	}
	return abs{}
}

// exec runs an instruction that is no call and no branch.
func (s *state) exec(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		s.store(in)
	case *ssa.Send:
		if !unreceived(in.Chan) {
			s.seen(s.of(in.X))
		}
	case *ssa.BinOp:
		s.set(in, s.binop(in))
	case *ssa.UnOp:
		s.set(in, s.unop(in))
	case *ssa.Field:
		if a, ok := s.of(in.X).field(in.Field); ok {
			s.set(in, a)
			return
		}
		s.set(in, s.answer(s.of(in.X), in.Type()))
	case *ssa.MapUpdate:
		if a := s.of(in.Value); a.k == record {
			s.seen(a)
		}
	case *ssa.MakeInterface:
		s.set(in, s.boxed(in))
	case *ssa.ChangeInterface:
		s.set(in, s.of(in.X))
	case *ssa.ChangeType:
		s.set(in, s.of(in.X))
	case *ssa.Convert:
		s.set(in, s.of(in.X))
	case *ssa.TypeAssert:
		if in.CommaOk {
			v, ok := s.asserted(in)
			s.tups.put(in, []abs{v, ok})
		} else {
			v, _ := s.asserted(in)
			s.set(in, v)
		}
	case *ssa.Extract:
		s.set(in, s.of(in))
	}
}

func (s *state) store(in *ssa.Store) {
	a := s.of(in.Val)
	if _, ok := in.Addr.(*ssa.Alloc); ok {
		s.storeWhole(in.Addr, a)
		return
	}
	if _, ok := s.cells.get(in.Addr); ok { // a captured variable that is followed
		s.cells.put(in.Addr, a)
		return
	}
	if v, ok := in.Addr.(*ssa.FreeVar); ok && a.sig && !heardOutside(v) {
		return
	}
	if fa, ok := in.Addr.(*ssa.FieldAddr); ok && (a != abs{} || len(s.cells) > 0) {
		if at := localField(fa); at != nil {
			s.cells.put(at, a)
			return
		}
	}
	if el, ok := in.Addr.(*ssa.IndexAddr); ok && (a.k != record && !collects(el, in) || isPrinted(el.X)) {
		return // an element of an argument list, most of the time
	}
	s.seen(a)
}

// keepsError reports whether a literal that a call is given stores an error in a variable
// that it has captured.
func keepsError(common *ssa.CallCommon) bool {
	for _, a := range common.Args {
		m, ok := a.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		for _, b := range m.Fn.(*ssa.Function).Blocks {
			for _, in := range b.Instrs {
				if st, ok := in.(*ssa.Store); ok && isFlag(st) && isError(st.Val.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// collects reports whether a store puts an error into a slice of errors that other code
// looks at.
func collects(el *ssa.IndexAddr, in *ssa.Store) bool {
	_, ok := el.X.Type().Underlying().(*types.Slice)
	return ok && isError(in.Val.Type()) && usedOutside(source(el.X), in.Parent(), make(map[ssa.Value]bool))
}

// seen notes that a value left the function by another way than a result.
func (s *state) seen(a abs) {
	if s.wouldTell(a) {
		s.flags |= observed
	}
}

func (s *state) binop(in *ssa.BinOp) abs {
	x, y := s.of(in.X), s.of(in.Y)
	if got, ok := compare(in.Op, x, y); ok {
		b := boolean(got)
		b.sig = x.sig || y.sig
		return b
	}
	if n, ok := s.counts(in, x, y); ok {
		return n
	}
	return abs{sig: x.sig || y.sig}
}

func (s *state) unop(in *ssa.UnOp) abs {
	switch in.Op {
	case token.NOT:
		if a := s.of(in.X); a.k == isBool {
			a.n = 1 - a.n
			return a
		}
		return abs{sig: s.of(in.X).sig}
	case token.MUL:
		if g, ok := in.X.(*ssa.Global); ok && isError(in.Type()) {
			return abs{k: nonNil, name: g.Pkg.Pkg.Path() + "." + g.Name()}
		}
		if al, ok := in.X.(*ssa.Alloc); ok && len(s.cells) > 0 {
			if a := s.packed(al); a != (abs{}) {
				return a
			}
		}
		if a, ok := s.cells.get(in.X); ok {
			return a
		}
		if fa, ok := in.X.(*ssa.FieldAddr); ok {
			if a, ok := s.fieldCell(fa); ok {
				return a
			}
			if code, ok := s.status(fa); ok {
				return code
			}
			if obj := s.of(fa.X); (obj.k == refused || obj.k == granted) && leadsBack(in.Type(), fa.X.Type()) {
				return obj
			}
			if obj := s.of(fa.X); obj.k == nonNil && obj.sig && !isErrorRecord(fa.X.Type()) {
				return abs{sig: true} // whatever the record has, it tells
			}
			return s.answerIn(fa, in.Type())
		}
		if ia, ok := in.X.(*ssa.IndexAddr); ok {
			if a, ok := s.element(ia); ok {
				return a
			}
			if isCounts(ia.X.Type()) {
				return s.answer(s.of(ia.X), in.Type())
			}
		}
	}
	return abs{}
}

// answer is a field of a result object that was refused or granted: a flag, a
// count, or the error that stays nil.
func (s *state) answer(obj abs, t types.Type) abs {
	if obj.k == failure && isError(t) {
		return abs{k: nonNil, sig: obj.sig, name: obj.name}
	}
	if obj.k != refused && obj.k != granted {
		return abs{}
	}
	b, _ := t.Underlying().(*types.Basic)
	switch {
	case isError(t):
		return abs{k: isNil}
	case b == nil:
		return abs{sig: obj.sig}
	case b.Info()&types.IsBoolean != 0 && obj.k == granted:
		return boolean(true)
	case b.Info()&types.IsBoolean != 0:
		return boolean(false).signal()
	case b.Info()&types.IsInteger != 0 && obj.k == granted:
		return abs{k: positive}
	case b.Info()&types.IsInteger != 0:
		return abs{k: isInt}.signal()
	}
	return abs{}
}

func (s *state) boxed(in *ssa.MakeInterface) abs {
	a := s.of(in.X)
	if c, ok := in.X.(*ssa.Const); ok && a.name == "" && c.Value != nil && c.Value.Kind() == constant.String {
		a.name = "=" + constant.StringVal(c.Value) // an error that is a constant
	}
	if isError(in.Type()) {
		if a.name == "" {
			a.name = ownError(in.X.Type())
		}
		return abs{k: nonNil, sig: a.sig, name: a.name}
	}
	if a.k == top {
		return abs{k: nonNil, sig: a.sig}
	}
	return a
}

// call runs a call: its results, as one state for each way it can end, and
// whether it comes back at all.
func (e *explorer) call(c *ssa.Call, s *state) ([]*state, bool) {
	s.vals.drop(c)
	s.tups.drop(c)
	common := c.Common()
	key := e.f.a.known.called(common).key
	if exits(key) {
		return nil, false
	}
	if e.atomic(c, s) || e.gets(c, s) {
		return nil, true
	}
	e.f.setsFlags(c, s)
	s.setBy(common)
	if answers[key] && s.flags&branched != 0 && !agrees(common) {
		s.flags |= answered
	}
	if isError(c.Type()) && e.f.endedContext(c) {
		s.result(c, []abs{{k: nonNil}})
		return nil, true
	}
	if r := errorsCall(key, common, s); r != nil {
		s.result(c, []abs{*r})
		return nil, true
	}
	if b, ok := common.Value.(*ssa.Builtin); ok && b.Name() == "len" {
		if elems, ok := s.tups.get(common.Args[0]); ok {
			s.result(c, []abs{{k: isInt, n: int64(len(elems))}})
			return nil, true
		}
	}
	if b, ok := common.Value.(*ssa.Builtin); ok && b.Name() == "len" && isCounts(common.Args[0].Type()) {
		if a := s.of(common.Args[0]); a.k == refused || a.k == granted {
			s.result(c, []abs{{k: above}})
			return nil, true
		}
	}
	if key == "sync.Once.Do" && s.flags&branched != 0 && keepsError(common) {
		s.flags |= observed // the first of several errors is kept, and stands for all
	}
	sig := anyArgument(common, func(v ssa.Value) bool { a := s.of(v); return a.sig || a.k == refused })
	if yields(common) && (sig || s.flags&branched != 0 && givesError(common, s)) {
		s.flags |= observed // the body of the loop has it
	}
	if !sig {
		return e.grantedCall(c, s)
	}
	if r := e.reader(c, s); r != nil {
		s.result(c, r)
		return nil, true
	}
	if r := s.body(c, key); r != nil {
		s.result(c, r)
		return nil, true
	}
	if r := tellsOfNoRow(key); r != nil {
		s.result(c, r)
		return nil, true
	}
	if forks, ok := e.own(c, s); ok {
		return forks, len(forks) > 0
	}
	if isClose(common) {
		return e.plainCall(c, s)
	}
	if e.depth == 0 {
		s.tellsHook(common)
	}
	s.goesAway(common)
	n := common.Signature().Results().Len()
	r := make([]abs, n)
	for i := range r {
		r[i] = abs{sig: true}
	}
	s.result(c, r)
	return nil, true
}

// grantedCall runs a call that no refusal reaches. What is compared with one is followed
// into the same functions.
func (e *explorer) grantedCall(c *ssa.Call, s *state) ([]*state, bool) {
	if e.grant && anyArgument(c.Common(), func(v ssa.Value) bool { k := s.of(v).k; return k == granted || k == positive }) {
		if r := e.reader(c, s); r != nil {
			s.result(c, r)
			return nil, true
		}
		if forks, ok := e.own(c, s); ok {
			return forks, len(forks) > 0
		}
	}
	return e.plainCall(c, s)
}

// givesError reports whether an argument is an error that is there.
func givesError(c *ssa.CallCommon, s *state) bool {
	return slices.ContainsFunc(c.Args, func(a ssa.Value) bool { return isError(a.Type()) && s.of(a).k == nonNil })
}

// yields reports whether a call hands values to the loop that ranges over the
// function.
func yields(c *ssa.CallCommon) bool {
	switch c.Value.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
	default:
		return false
	}
	res := c.Signature().Results()
	return res.Len() == 1 && isBoolean(res.At(0).Type())
}

// plainCall runs a call that has nothing to do with what is followed.
func (e *explorer) plainCall(c *ssa.Call, s *state) ([]*state, bool) {
	if r := e.reader(c, s); r != nil {
		s.result(c, r)
	} else if s.flags&branched != 0 && wrapsOutOfSight(c.Common()) && givesError(c.Common(), s) {
		s.result(c, []abs{{sig: true}})
	}
	return nil, true
}

func (s *state) result(c *ssa.Call, r []abs) {
	switch len(r) {
	case 0:
	case 1:
		if c.Common().Signature().Results().Len() == 1 {
			s.set(c, r[0])
		} else {
			s.tups.put(c, r)
		}
	default:
		s.tups.put(c, r)
	}
}

func arguments(c *ssa.CallCommon) []ssa.Value {
	var out []ssa.Value
	anyArgument(c, func(v ssa.Value) bool {
		out = append(out, v)
		return false
	})
	return out
}

// anyArgument reports whether pred holds for one of the arguments, the receiver among
// them.
func anyArgument(c *ssa.CallCommon, pred func(ssa.Value) bool) bool {
	if c.IsInvoke() && pred(c.Value) {
		return true
	}
	for _, a := range c.Args {
		if anyOfList(a, pred) {
			return true
		}
	}
	return false
}

// anyOfList spreads an argument list that was built for the call; another value is one
// argument.
func anyOfList(v ssa.Value, pred func(ssa.Value) bool) bool {
	sl, ok := v.(*ssa.Slice)
	if !ok {
		return pred(v)
	}
	arr, ok := sl.X.(*ssa.Alloc)
	if !ok {
		return pred(v)
	}
	for _, r := range *arr.Referrers() {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, u := range *ia.Referrers() {
			if st, ok := u.(*ssa.Store); ok && pred(st.Val) {
				return true
			}
		}
	}
	return false
}

func callKey(c *ssa.CallCommon) string {
	if obj := calledFunc(c); obj != nil {
		return model.Key(obj)
	}
	return ""
}

// reader runs a call that asks a result object whether the statement was
// refused: RowsAffected, Scan, Next, a field is read by FieldAddr.
func (e *explorer) reader(c *ssa.Call, s *state) []abs {
	common := c.Common()
	known := e.f.a.known.called(common)
	if r := s.reply(c, known.key); r != nil {
		return r
	}
	if answersAs[known.key] {
		return []abs{s.of(common.Args[0])}
	}
	if r := s.documentReply(c, known.key); r != nil {
		return r
	}
	if r := s.carriedReply(c); r != nil {
		return r
	}
	call := known.call
	if call == nil || call.Sink == nil {
		return nil
	}
	f := readers[call.Sink.Kind]
	if f == nil {
		return nil
	}
	recv := common.Value
	if !common.IsInvoke() {
		if len(common.Args) == 0 {
			return nil
		}
		recv = common.Args[0]
	}
	a := s.of(recv)
	if call.Sink.Kind == "scan" {
		if r := s.scanned(c, a); r != nil {
			return r
		}
	}
	if a.k != refused && a.k != granted {
		return nil
	}
	return f(a, call, common.Signature())
}
