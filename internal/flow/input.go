package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// A request is often put together in steps: a literal, then fields and entries of
// its maps, perhaps by another function that is handed its address.

// heapOfMapEntry notes an entry that is put under a constant key into a map which
// is a field: in.Item["fence"] = v. The store's name is "path.Type.Item[key]".
func (f *fn) heapOfMapEntry(m *ssa.MapUpdate) {
	load, ok := m.Map.(*ssa.UnOp)
	if !ok {
		return
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return
	}
	if key := f.value(m.Key); key.Kind == term.Const || key.Kind == term.Param {
		f.heap = append(f.heap, heapStore{
			write: write{at: m, val: f.value(m.Value)}, field: fieldName(fa.X.Type(), fa.Field) + "[" + key.Key(), base: f.value(fa.X),
		})
	}
}

// entryName is the name of a store under the key that a function is given, which is known in
// terms of the call.
func entryName(name string, s *term.Subst) string {
	field, key, entry := strings.Cut(name, "[")
	if !entry {
		return name
	}
	for k, p := range s.Params {
		if p != nil && key == term.NewParam(k).Key() {
			return field + "[" + unbox(p).Key()
		}
	}
	return name
}

// completed is a request at the call that sends it, with what was put into it on
// the way.
func (f *fn) completed(t *term.Term, at ssa.Instruction) *term.Term {
	base := t
	t = madeRecord(t)
	if t.Kind != term.Struct || t.Site == "" || f.heaped == underWay {
		return t
	}
	f.fillHeap()
	names, args := slices.Clone(t.Names), slices.Clone(t.Args)
	set := func(name string, v *term.Term) {
		if i := slices.Index(names, name); i >= 0 {
			args[i] = v
			return
		}
		names, args = append(names, name), append(args, v)
	}
	f.uncertainFields(t, at, func(name string) {
		if i := slices.Index(names, name); i >= 0 {
			args[i] = term.NewAlt(args[i], term.NewConst("zero", "0"))
		}
	})
	for i := range f.heap {
		st := &f.heap[i]
		if st.own != nil || st.field == wholeMark || f.before(at, st.at) || st.at == at || !samePlace(st.base, base) {
			continue
		}
		field, key, entry := strings.Cut(st.field, "[")
		if !entry {
			set(field, f.fieldAt(field, t, at))
			continue
		}
		if i := slices.Index(names, field); i >= 0 && args[i].Kind == term.Struct {
			args[i] = withEntry(args[i], key, st.val, f.before(st.at, at))
		}
	}
	return term.NewStruct(t.Str, t.Site, names, args)
}

// allCompleted does so for each of a list of requests.
func (f *fn) allCompleted(t *term.Term, at ssa.Instruction) *term.Term {
	if t.Kind != term.List {
		return f.completed(t, at)
	}
	out := make([]*term.Term, len(t.Args))
	for i, a := range t.Args {
		out[i] = f.completed(a, at)
	}
	return term.NewList(t.Open, out...)
}

// newStatement makes a statement without parameters.
const newStatement = "cloud.google.com/go/spanner.NewStatement"

// madeRecord is the record that a function of a library makes of its arguments; another
// value as it is.
func madeRecord(t *term.Term) *term.Term {
	if t.Kind != term.Call || t.Str != newStatement || len(t.Args) != 1 {
		return t
	}
	const record = "cloud.google.com/go/spanner.Statement"
	names := []string{record + ".SQL", record + ".Params"}
	return term.NewStruct(record, t.Site, names, []*term.Term{t.Args[0], term.NewStruct("map", "", nil, nil)})
}

// uncertainFields names the fields of a local record that are only set on some of
// the paths to an instruction.
func (f *fn) uncertainFields(t *term.Term, at ssa.Instruction, found func(string)) {
	for _, b := range f.f.Blocks {
		for _, in := range b.Instrs {
			v, ok := in.(*ssa.Alloc)
			if !ok || f.siteOf(v) != t.Site {
				continue
			}
			sure := make(map[int]bool)
			var all []*ssa.FieldAddr
			for _, r := range *v.Referrers() {
				if fa, ok := r.(*ssa.FieldAddr); ok {
					all = append(all, fa)
					sure[fa.Field] = sure[fa.Field] || f.storedBefore(fa, at)
				}
			}
			for _, fa := range all {
				if !sure[fa.Field] {
					found(fieldName(v.Type(), fa.Field))
				}
			}
		}
	}
}

// storedBefore reports whether the field, or a part of it, is set on each path.
func (f *fn) storedBefore(addr ssa.Value, at ssa.Instruction) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr && f.before(r, at) {
				return true
			}
		case *ssa.FieldAddr:
			if f.storedBefore(r, at) {
				return true
			}
		}
	}
	return false
}

// Perhaps is the key under which a map has what is there on some paths only.
const Perhaps = term.Perhaps

// beforeUses reports whether an entry is put into a map before anything reads it.
func (f *fn) beforeUses(u *ssa.MapUpdate, m *ssa.MakeMap) bool {
	for _, r := range *m.Referrers() {
		switch r.(type) {
		case *ssa.MapUpdate, *ssa.DebugRef:
			continue
		}
		if !f.comesFirst(u, r) && (r.Block() != m.Block() || !onEachWay(u, f.f)) {
			return false
		}
	}
	return true
}

// withEntry is a map with one more entry; one that is only put there on some paths
// leaves the map open.
func withEntry(m *term.Term, key string, v *term.Term, sure bool) *term.Term {
	names, args := slices.Clone(m.Names), slices.Clone(m.Args)
	if i := slices.Index(names, key); i >= 0 {
		args[i] = v
	} else {
		names, args = append(names, key), append(args, v)
	}
	if !sure { // an entry without a constant key stands for what may be there or not
		names, args = append(names, Perhaps), append(args, term.NewUnknown("an entry that is there on some paths only"))
	}
	out := term.NewStruct(m.Str, m.Site, names, args)
	out.Open = out.Kind == term.Struct && (m.Open || !sure)
	return out
}

// decodes reports whether a function fills the record that it is given an address of.
func decodes(key string) bool {
	name := key[strings.LastIndexByte(key, '.')+1:]
	return name == "Decode" || name == "Unmarshal" || name == "UnmarshalMap" || name == "StructScan" || name == "ToStruct" || name == "ToStructLenient"
}
