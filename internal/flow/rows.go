package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/term"
)

// Libraries that read a row into a record whose address they are given.

// rowReaders lists, by the library, the functions that fill a record from a row.
var rowReaders = map[string]map[string]bool{
	"gorm.io/gorm":                            set("First", "Last", "Take", "Find", "Scan", "FirstOrCreate"),
	"github.com/jinzhu/gorm":                  set("First", "Last", "Take", "Find", "Scan", "FirstOrCreate"),
	"xorm.io/xorm":                            set("Get"),
	"github.com/go-xorm/xorm":                 set("Get"),
	"github.com/jmoiron/sqlx":                 set("Get", "GetContext", "StructScan"),
	"github.com/uptrace/bun":                  set("Scan"),
	"github.com/go-pg/pg/v10":                 set("QueryOne", "QueryOneContext"),
	"github.com/go-pg/pg/v9":                  set("QueryOne", "QueryOneContext"),
	"github.com/georgysavva/scany/pgxscan":    set("Get", "ScanOne", "ScanRow"),
	"github.com/georgysavva/scany/v2/pgxscan": set("Get", "ScanOne", "ScanRow"),
	"github.com/georgysavva/scany/v2/sqlscan": set("Get", "ScanOne", "ScanRow"),
	"cloud.google.com/go/spanner":             set("ToStruct", "ToStructLenient"),
	"go.mongodb.org/mongo-driver/mongo":       set("Decode"),
	"go.mongodb.org/mongo-driver/v2/mongo":    set("Decode"),
}

// chainedReads lists, by the library, what ends a chain that reads into its model.
var chainedReads = map[string]map[string]bool{
	"github.com/uptrace/bun":      set("Scan"),
	"github.com/go-pg/pg/v10":     set("Select", "First", "Last"),
	"github.com/go-pg/pg/v10/orm": set("Select", "First", "Last"),
	"github.com/go-pg/pg/v9":      set("Select", "First", "Last"),
	"github.com/go-pg/pg/v9/orm":  set("Select", "First", "Last"),
}

// ReadsRow reports whether a function with this key reads a row into a record.
func ReadsRow(key string) bool {
	pkg, name := packageOfKey(key), key[strings.LastIndexByte(key, '.')+1:]
	return rowReaders[pkg][name] || isModel(key) && chainedReads[pkg] != nil
}

// packageOfKey is the path of the package in "path.Type.Method" or "path.Func".
func packageOfKey(key string) string {
	from := strings.LastIndexByte(key, '/') + 1
	if i := strings.IndexByte(key[from:], '.'); i >= 0 {
		key = key[:from+i]
	}
	return key
}

// readsInto reports whether a call reads a row into the record at an address that it is
// given: at once, or where its chain ends.
func readsInto(c ssa.CallInstruction) bool {
	key := callKey(c.Common())
	if !ReadsRow(key) {
		return false
	}
	if !isModel(key) {
		return true
	}
	call, ok := c.(*ssa.Call)
	return ok && endsInRead(call, chainedReads[packageOfKey(key)], 0)
}

// scansInto reports whether a call reads a column into a value that is a record, such as one
// of the types for what may be NULL.
func scansInto(c ssa.CallInstruction, boxed *ssa.MakeInterface) bool {
	if !strings.HasSuffix(callKey(c.Common()), ".Scan") || !pointsToRecord(boxed.X) || ReadsRow(callKey(c.Common())) {
		return false
	}
	m, _, _ := types.LookupFieldOrMethod(boxed.X.Type(), true, nil, "Scan")
	_, scans := m.(*types.Func)
	return scans
}

// filledBy is what a call read into a record of this function, of which nothing else is known;
// other values stay as they are.
func (f *fn) filledBy(t *term.Term) *term.Term {
	if t.Kind != term.Struct || t.Site == "" || len(t.Names) > 0 || !t.Open {
		return t
	}
	f.fillHeap()
	var by *heapStore
	for i := range f.heap {
		st := &f.heap[i]
		if !samePlace(st.base, t) {
			continue
		}
		if by != nil || st.field != wholeMark || st.val == nil || st.val.Kind != term.Call || st.val.N < OutParam {
			return t
		}
		by = st
	}
	if by == nil {
		return t
	}
	return by.val
}

// maxRead bounds the steps of a chain that are followed.
const maxRead = 30

// endsInRead reports whether a step on what a call gives is one of some.
func endsInRead(c *ssa.Call, ends map[string]bool, depth int) bool {
	if depth > maxRead || c.Referrers() == nil {
		return false
	}
	for _, r := range *c.Referrers() {
		next, ok := r.(*ssa.Call)
		if !ok || len(next.Call.Args) == 0 || next.Call.Args[0] != ssa.Value(c) || next.Call.StaticCallee() == nil {
			continue
		}
		if ends[next.Call.StaticCallee().Name()] || endsInRead(next, ends, depth+1) {
			return true
		}
	}
	return false
}

// rowsNamedInline are reads that are told behind the record which row is meant, with the place
// of that among their arguments.
var rowsNamedInline = map[string]int{
	"gorm.io/gorm.DB.First": 2, "gorm.io/gorm.DB.Last": 2, "gorm.io/gorm.DB.Take": 2, "gorm.io/gorm.DB.Find": 2,
}

// asks is the statement, with its arguments, that a function is given which reads what that
// hands back into a record.
func (f *fn) asks(key string, c *ssa.CallCommon) []*term.Term {
	m := f.a.Models.FuncKey(key)
	if inline := rowsNamedInline[key]; inline > 0 && len(c.Args) > inline && !isNilConst(c.Args[inline]) {
		return []*term.Term{f.value(c.Args[inline])}
	}
	if m == nil || m.Sink == nil || m.Sink.Dialect != "sql" || m.Sink.Stmt < 0 || m.Sink.Args < 0 {
		return nil
	}
	args := c.Args
	if !c.IsInvoke() && c.Signature().Recv() != nil {
		args = args[1:]
	}
	if m.Sink.Stmt >= len(args) || m.Sink.Args >= len(args) {
		return nil
	}
	return []*term.Term{f.value(args[m.Sink.Stmt]), f.value(args[m.Sink.Args])}
}
