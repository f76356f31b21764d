package flow

import (
	"iter"
	"slices"

	"github.com/fencelint/fencelint/internal/term"
)

// heapIndex finds among the stores of a function those that can be to one record. The
// tables of tests are functions that make thousands of records, and each of them would be
// compared with the stores to all others.
type heapIndex struct {
	own     map[ownField][]int // to a record that an instruction makes, and to no other one
	rest    map[string][]int   // to others, by the field
	beside  []int              // by what runs beside the function
	keeping []int              // those that leave fields as they are
}

// ownField is a field of the record that is made at a site.
type ownField struct{ field, site string }

// manyStores is how many stores are looked through faster than they are put in order.
const manyStores = 24

// heapIndex puts the stores in order, nil as long as they are few.
func (f *fn) heapIndex() *heapIndex {
	if f.byRecord != nil || len(f.heap) < manyStores {
		return f.byRecord
	}
	x := &heapIndex{own: make(map[ownField][]int), rest: make(map[string][]int)}
	for i := range f.heap {
		st := &f.heap[i]
		if st.base.Kind == term.Struct && st.base.Site != "" {
			k := ownField{st.field, st.base.Site}
			x.own[k] = append(x.own[k], i)
		} else {
			x.rest[st.field] = append(x.rest[st.field], i)
		}
		if st.beside {
			x.beside = append(x.beside, i)
		}
		if len(st.keeps) > 0 {
			x.keeping = append(x.keeping, i)
		}
	}
	f.byRecord = x
	return x
}

// storesOf are the stores that can be to a field of a record, in their order, with some that
// are not.
func (f *fn) storesOf(name string, base *term.Term) iter.Seq[*heapStore] {
	x := f.heapIndex()
	if x == nil {
		return f.allStores
	}
	some := slices.Concat(x.rest[name], x.rest[wholeMark])
	if base.Kind == term.Struct && base.Site != "" {
		some = append(append(some, x.own[ownField{name, base.Site}]...), x.own[ownField{wholeMark, base.Site}]...)
	}
	slices.Sort(some)
	return f.those(slices.Compact(some))
}

// storesBeside are the stores by what runs beside the function, perhaps with others.
func (f *fn) storesBeside() iter.Seq[*heapStore] {
	if x := f.heapIndex(); x != nil {
		return f.those(x.beside)
	}
	return f.allStores
}

// storesKeeping are the stores to whole records that leave fields as they are, perhaps with
// others.
func (f *fn) storesKeeping() iter.Seq[*heapStore] {
	if x := f.heapIndex(); x != nil {
		return f.those(x.keeping)
	}
	return f.allStores
}

func (f *fn) allStores(yield func(*heapStore) bool) {
	for i := range f.heap {
		if !yield(&f.heap[i]) {
			return
		}
	}
}

func (f *fn) those(numbers []int) iter.Seq[*heapStore] {
	return func(yield func(*heapStore) bool) {
		for _, i := range numbers {
			if !yield(&f.heap[i]) {
				return
			}
		}
	}
}
