package report

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// Row is one lock of the register.
type Row struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	From     int    `json:"from,omitempty"` // line on which the statement begins by which it is taken
	Library  string `json:"library"`
	Class    string `json:"class"`
	Idiom    string `json:"idiom"`
	Contract string `json:"contract"`
	Signal   string `json:"signal"`
	Role     string `json:"role"`
	// Inner is the library's call as file:line, where the project's own code stands
	// between it and this acquisition.
	Inner      string     `json:"inner,omitempty"`
	Boundaries []Boundary `json:"boundaries"`
	Accepted   []string   `json:"accepted,omitempty"`
	// Partial marks a row whose boundaries belong to the row at the same place: they
	// were found in another package. [SortRows] leaves none.
	Partial bool `json:"-"`
	// Method is the name of the method that is called, or that is the wrapper.
	Method string `json:"-"`
	// Through are the calls, as file:line, between this acquisition and Inner.
	Through []string `json:"-"`
	// Forwards says that the code at this place hands on a lock that its caller chose, and
	// Layer that its function does nothing else, by its name.
	Forwards bool `json:"-"`
	Layer    bool `json:"-"`
	// Settled are calls through interfaces, as file:line, whose types came to light.
	Settled []string `json:"-"`
	// Trace is the reasoning about the hold, where it was asked for.
	Trace []Reason `json:"-"`
}

// Boundary is one write that the lock's hold reaches.
type Boundary struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	From     int    `json:"from,omitempty"` // line on which the statement begins that is sent here
	Receiver string `json:"receiver"`
	// Fence is the column of the receiver that is compared, and Schema what the project's
	// migrations say of it, where that was asked for.
	Fence   string   `json:"fence,omitempty"`
	Schema  []string `json:"schema,omitempty"`
	Guard   string   `json:"guard"`
	Verdict string   `json:"verdict"`
	Reason  string   `json:"reason"`
	// Known is how much is known of the statement, filter or request that is sent:
	// known, partly, unknown; "" where none is. Unseen is the reason for no more.
	Known  string   `json:"known,omitempty"`
	Unseen string   `json:"unseen,omitempty"`
	Path   []string `json:"path"`
	// Via are the positions of the calls in Path, as file:line.
	Via []string `json:"via,omitempty"`
	// Trace is the reasoning about the boundary, where it was asked for.
	Trace []Reason `json:"-"`
	// Peer says that it is the write of a method beside the one that takes the lock. Where
	// the uses of the lock are seen, [SortRows] leaves none: they say what is written in it.
	Peer bool `json:"-"`
}

// SortRows orders rows by place, library and role, and the boundaries in each by
// place, receiver and path. Rows about the same, as where one call takes the lock in
// two ways or several programs share the code, become one.
func SortRows(rows []Row) []Row {
	rows = joinBeliefs(rows)
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Library, b.Library), cmp.Compare(a.Role, b.Role))
	})
	rows = joined(completed(rows))
	withoutPeers(rows)
	reached(rows)
	rows = merged(withoutForwarders(rows))
	for i, r := range rows {
		slices.SortStableFunc(r.Boundaries, func(a, b Boundary) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
				cmp.Compare(a.Receiver, b.Receiver), slices.Compare(a.Path, b.Path))
		})
		rows[i].Boundaries = slices.CompactFunc(seen(r.Boundaries, r.Settled), func(a, b Boundary) bool { return reflect.DeepEqual(a, b) })
	}
	return rows
}

// completed adds the boundaries of partial rows to the rows at their places, and drops
// them: a lock in a package that was not asked for has no row.
func completed(rows []Row) []Row {
	at := make(map[string]*Row)
	closed := closedPlaces(rows)
	place := func(r Row) string { return fmt.Sprintf("%s:%d %s", r.File, r.Line, r.Library) }
	var out []Row
	for _, r := range rows {
		if !r.Partial {
			if r.Role != "open" || !closed[lineOf(r)] {
				out = append(out, r)
			}
			continue
		}
		if at[place(r)] == nil {
			at[place(r)] = new(Row)
		}
		at[place(r)].take(r)
	}
	for i, r := range out {
		if more := at[place(r)]; more != nil {
			out[i].take(*more)
		}
	}
	return out
}

// closedPlaces are where it came to light what an interface stands for: a lock that
// has a row of its own, or nothing that others see.
// A method of the same name that takes a lock elsewhere may still be meant.
func closedPlaces(rows []Row) map[string]bool {
	wrappers := make(map[string]bool)
	for _, r := range rows {
		if r.Role == "wrapper" {
			wrappers[r.Method] = true
		}
	}
	closed := make(map[string]bool)
	for _, r := range rows {
		if r.Role != "open" && !(r.Role == "none" && wrappers[r.Method]) {
			closed[lineOf(r)] = true
		}
	}
	return closed
}

func lineOf(r Row) string { return fmt.Sprintf("%s:%d", r.File, r.Line) }

// take adds what another row knows of the same lock.
func (r *Row) take(o Row) {
	r.Boundaries = append(slices.Clip(r.Boundaries), o.Boundaries...)
	r.Settled = append(slices.Clip(r.Settled), o.Settled...)
}

// seen leaves out calls through interfaces whose implementation came to light.
func seen(bs []Boundary, settled []string) []Boundary {
	through := make(map[string]bool)
	for _, s := range settled {
		through[s] = true
	}
	for _, b := range bs {
		for _, v := range b.Via {
			through[v] = true
		}
	}
	return slices.DeleteFunc(bs, func(b Boundary) bool {
		return strings.HasPrefix(b.Receiver, "interface:") && through[fmt.Sprintf("%s:%d", b.File, b.Line)]
	})
}

// withoutPeers drops from wrappers what other methods of the type write, where the wrapper's
// uses are seen.
func withoutPeers(rows []Row) {
	used := make(map[string]bool)
	for _, r := range rows {
		used[r.Inner] = true
		for _, p := range r.Through {
			used[p] = true
		}
	}
	for i, r := range rows {
		if used[lineOf(r)] {
			rows[i].Boundaries = slices.DeleteFunc(r.Boundaries, func(b Boundary) bool { return b.Peer })
		}
	}
}

// reached gives the library's call in a wrapper, and the calls on the way to it, the
// boundaries that the uses of the wrapper reach: it is one lock.
func reached(rows []Row) {
	at := make(map[string][]int)
	for i, r := range rows {
		k := Position{File: r.File, Line: r.Line}.String()
		at[k] = append(at[k], i)
	}
	uses := slices.Clone(rows) // as they are before any is given more
	for _, r := range uses {
		for _, i := range at[r.Inner] {
			if w := &rows[i]; r.Inner != "" && w.Inner == "" && w.Library == r.Library {
				w.take(r)
			}
		}
		for _, p := range r.Through {
			for _, i := range at[p] {
				if w := &rows[i]; w.Inner == r.Inner && w.Library == r.Library && !slices.Contains(w.Through, lineOf(r)) {
					w.take(r)
				}
			}
		}
	}
}

// withoutForwarders drops the layers of wrappers that hand on a lock of which their
// callers say which it is, where the layer below or the callers have rows: they are no
// further places at which a lock is taken.
func withoutForwarders(rows []Row) []Row {
	through, at := make(map[string]bool), make(map[string]bool)
	for _, r := range rows {
		at[lineOf(r)] = true
		for _, p := range r.Through {
			through[p] = true
		}
	}
	return slices.DeleteFunc(rows, func(r Row) bool {
		below := at[r.Inner] || slices.ContainsFunc(r.Through, func(p string) bool { return at[p] })
		return r.Forwards && (through[lineOf(r)] || below && (r.Layer || r.Role != "wrapper"))
	})
}

// joined makes one row of neighbours that differ in their boundaries alone.
func joined(rows []Row) []Row {
	var out []Row
	for _, r := range rows {
		if n := len(out); n > 0 && sameLock(out[n-1], r) {
			out[n-1].take(r)
			continue
		}
		out = append(out, r)
	}
	return out
}

func sameLock(a, b Row) bool {
	a.Boundaries, b.Boundaries = nil, nil
	a.Settled, b.Settled = nil, nil
	a.Method, b.Method = "", ""
	a.Through, b.Through = nil, nil
	a.Trace, b.Trace = nil, nil
	return reflect.DeepEqual(a, b)
}

// roleBelief is the role of a row with what another package does in the belief that the
// lock at that place is held.
const roleBelief = "belief"

// joinBeliefs adds what runs in the belief that a lock is held to that lock's row.
func joinBeliefs(rows []Row) []Row {
	var out []Row
	for _, r := range rows {
		if r.Role != roleBelief {
			out = append(out, r)
		}
	}
	for _, b := range rows {
		if b.Role != roleBelief {
			continue
		}
		i := slices.IndexFunc(out, func(r Row) bool { return r.File == b.File && r.Line == b.Line && r.Library == b.Library })
		if i < 0 {
			b.Role = "acquisition"
			out = append(out, b)
			continue
		}
		out[i].Boundaries = append(slices.Clip(out[i].Boundaries), b.Boundaries...)
	}
	return out
}

// RegisterJSON writes the rows as one array. Lists are never null.
func RegisterJSON(w io.Writer, rows []Row) error {
	out := make([]Row, len(rows))
	for i, r := range rows {
		out[i] = r
		out[i].Boundaries = make([]Boundary, len(r.Boundaries))
		for j, b := range r.Boundaries {
			if b.Path == nil {
				b.Path = []string{}
			}
			out[i].Boundaries[j] = b
		}
	}
	return encode(w, out)
}

func (r Row) headline() string {
	words := []string{cmp.Or(r.Class, "unclassified"), r.Library, r.Idiom, r.Role}
	if r.Contract != "" {
		words = append(words, "contract "+r.Contract)
	}
	if r.Signal != "" && r.Signal != "unknown" {
		words = append(words, "loss signal observed: "+r.Signal)
	}
	words = slices.DeleteFunc(words, func(s string) bool { return s == "" })
	return strings.Join(words, ", ")
}

func (b Boundary) headline() string {
	return strings.TrimSpace(b.Receiver + "  guard: " + cmp.Or(b.Guard, "none"))
}
