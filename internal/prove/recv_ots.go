package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/term"
)

func init() {
	profiles["oss.match"] = ossMatch
	profiles["oss.length"] = func(j *judge, p *pair) decision { return j.casVerdict(p, decision{}, false) }
	profiles["ots.row"] = otsRow
}

// ossMatch judges an upload by its options, one of which refuses a name that exists.
func ossMatch(j *judge, p *pair) decision {
	d := decision{}
	for _, opts := range term.Settle(p.w.Args[len(p.w.Args)-1]).Alternatives() {
		d = worse(d, j.ossOptions(p, opts))
	}
	return d
}

func (j *judge) ossOptions(p *pair, opts *term.Term) decision {
	list, whole := elements(opts)
	for _, o := range list {
		if forbidsOverwrite(o) {
			return createdOnce(j.at(j.models.FuncKey(p.w.Key).Sink.Key, p.w), "only the first one creates the object")
		}
	}
	if !whole {
		d := notSeen("the options are put together out of sight")
		if opts.Symbolic() {
			d.verdict = waiting
		}
		return d
	}
	return unconditional("the request has no condition")
}

func forbidsOverwrite(option *term.Term) bool {
	o := unboxed(option)
	return o.Kind == term.Call && strings.HasSuffix(o.Str, "/oss.ForbidOverWrite") && len(o.Args) > 0 && isTrue(o.Args[0])
}

func isTrue(t *term.Term) bool {
	t = unboxed(t)
	return t.Kind == term.Const && t.Str == "true"
}

// otsMustNotExist is the expectation of a row that is not there.
const otsMustNotExist = 2

// otsRow judges the write of one row of Tablestore by what it expects of the row.
func otsRow(j *judge, p *pair) decision {
	in, d, ok := j.request(p)
	if !ok {
		return d
	}
	change := unboxed(fieldNamed(in, j.models.FuncKey(p.w.Key).Sink.Cond[0]))
	cond := unboxed(fieldNamed(change, "Condition"))
	switch {
	case change.Kind != term.Struct || change.Open || cond.Kind == term.Struct && cond.Open:
		return notInSight("the row is put together out of sight")
	case cond.Kind != term.Struct:
		return unconditional("nothing is demanded of the row")
	}
	if n, known := wholeNumber(fieldNamed(cond, "RowExistenceExpectation")); known && n == otsMustNotExist {
		return createdOnce(otsKey(change), "only the first one creates the row")
	}
	if !term.IsZero(unboxed(fieldNamed(cond, "ColumnCondition"))) {
		return notInSight("the condition on a column is not read")
	}
	return unconditional("the condition looks at the existence of the row only")
}

// otsKey is the value by which a change of Tablestore chooses its row.
func otsKey(change *term.Term) *term.Term {
	columns, _ := elements(fieldNamed(unboxed(fieldNamed(change, "PrimaryKey")), "PrimaryKeys"))
	if len(columns) == 0 {
		return term.NewUnknown("a key that is not seen")
	}
	return unboxed(fieldNamed(unboxed(columns[0]), "Value"))
}
