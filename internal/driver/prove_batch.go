package driver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/prove"
	"github.com/fencelint/fencelint/internal/rule"
)

// batchRow is one statement of a file, with the answer. A statement that writes nothing
// which a condition could refuse has "-" for one.
type batchRow struct {
	ID       string `json:"id"`
	Stale    string `json:"rejects_stale"` // yes, no, unknown
	Equal    string `json:"admits_equal"`  // y, n, unknown
	Progress string `json:"progress"`      // y, n, unknown
	Null     string `json:"null"`          // blocks, bypasses, na, unknown
	Advance  string `json:"advances"`      // yes, keeps, absent, other, regress, na, unknown
	Shape    string `json:"shape"`
	Column   string `json:"column"`
	Reason   string `json:"reason"`
}

var batchHead = []string{"id", "rejects_stale", "admits_equal", "progress", "null", "advances", "shape", "column", "reason"}

func (r *batchRow) fields() []string {
	return []string{r.ID, r.Stale, r.Equal, r.Progress, r.Null, r.Advance, r.Shape, r.Column, r.Reason}
}

// batch answers every statement of a file. A line that cannot be read keeps no other back.
func (t *Tool) batch(in *proveInput) int {
	table, err := readTable(in.batch)
	if err != nil {
		return t.fail(err)
	}
	code := ExitClean
	rows := make([]batchRow, 0, len(table))
	for _, line := range table {
		row, err := in.batchRow(line)
		if err != nil {
			code = t.fail(err)
			row = unread(line, err)
		}
		rows = append(rows, row)
	}
	err = in.out.write(t.Stdout, func(form string, w io.Writer) error {
		if form == "json" {
			return writeObjects(w, rows)
		}
		return writeBatch(w, rows)
	})
	if err != nil {
		return t.fail(err)
	}
	return code
}

// unread is the answer for a line that cannot be read.
func unread(line batchLine, err error) batchRow {
	return batchRow{ID: line.field["id"], Stale: "unknown", Equal: "unknown", Progress: "unknown", Null: "unknown", Advance: "unknown",
		Shape: "-", Column: "-", Reason: "not read: " + err.Error()}
}

// writeObjects writes an object a line.
func writeObjects(w io.Writer, rows []batchRow) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range rows {
		if err := e.Encode(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

func writeBatch(w io.Writer, rows []batchRow) error {
	var b strings.Builder
	b.WriteString(strings.Join(batchHead, "\t") + "\n")
	for _, r := range rows {
		fields := r.fields()
		for i := range fields {
			fields[i] = rule.Printable(fsql.Shown(fields[i]))
		}
		b.WriteString(strings.Join(fields, "\t") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// batchLine is one line of the file: its place, its fields by the name of the column, and
// why it has none.
type batchLine struct {
	place string
	field map[string]string
	fault string
}

// usualColumns are those of a file whose first line does not name them.
var usualColumns = []string{"id", "dialect", "statement", "token"}

// readTable reads fields that tabs separate: the usual columns, or those that the first line
// names, of which statement must be one. Columns beyond are left alone.
func readTable(name string) ([]batchLine, error) {
	data, err := readBatch(name)
	if err != nil {
		return nil, &usageError{err.Error()}
	}
	var columns []string
	var out []batchLine
	for i, line := range strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if columns == nil {
			if columns = usualColumns; slices.Contains(fields, "statement") {
				columns = fields
				continue
			}
		}
		out = append(out, newBatchLine(name, i+1, fields, columns))
	}
	if columns == nil {
		return nil, &usageError{name + ": there is nothing in it"}
	}
	return out, nil
}

func newBatchLine(file string, number int, fields, columns []string) batchLine {
	l := batchLine{place: fmt.Sprintf("%s:%d", file, number), field: make(map[string]string)}
	for i, f := range fields[:min(len(fields), len(columns))] {
		l.field[columns[i]] = f
	}
	l.field["id"] = cmp.Or(l.field["id"], fmt.Sprint(number))
	if at := slices.Index(columns, "statement"); len(fields) <= at {
		l.fault = fmt.Sprintf("%d fields separated by tabs, and the statement is the one in place %d (%s)", len(fields), at+1, strings.Join(columns, ", "))
	}
	return l
}

func readBatch(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(name)
}

var unescape = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t")

// batchRow answers one line: the weakest of all readings.
func (in *proveInput) batchRow(line batchLine) (batchRow, error) {
	bad := func(format string, args ...any) (batchRow, error) {
		return batchRow{}, &usageError{line.place + ": " + fmt.Sprintf(format, args...)}
	}
	if line.fault != "" {
		return bad("%s", line.fault)
	}
	one := proveInput{text: unescape.Replace(line.field["statement"]), dialect: in.dialect, tokens: in.tokens, several: true, schema: in.schema}
	if strings.TrimSpace(one.text) == "" {
		return bad("the statement is empty")
	}
	if d := line.field["dialect"]; d != "" {
		if err := one.setDialect(d); err != nil {
			return bad("dialect %s: %v", rule.Printable(d), err)
		}
	}
	if words := strings.FieldsFunc(line.field["token"], func(r rune) bool { return r == ',' || r == ' ' }); len(words) > 0 && words[0] != "-" {
		one.tokens = words
	}
	list, err := one.read()
	if err != nil {
		return bad("%v", err)
	}
	row := answerOf(weakest(list))
	row.ID = line.field["id"]
	return row, nil
}

// weakest is the write that proves least; among equals one that hangs on another, for
// that one is the reason.
func weakest(list []*proof) *proof {
	var worst *proof
	for _, p := range list {
		if worst == nil || slices.Compare(p.strength(), worst.strength()) < 0 {
			worst = p
		}
	}
	return worst
}

func (p *proof) strength() []int {
	hangs := 1
	switch {
	case p.none != "" && !p.open:
		return []int{3, 0}
	case p.none != "":
		return []int{1, 0}
	case !guardable(p.Mutation):
		return []int{2, 0}
	case p.Proof.Shape == "cte":
		hangs = 0
	}
	return []int{[...]int{fence.No: 0, fence.Unknown: 1, fence.Yes: 2}[p.Proof.RejectsStale], hangs}
}

// guardable tells whether a write can have a condition at all.
func guardable(m *fence.Mutation) bool { return m.Kind != fence.Truncate && m.Kind != fence.DDL }

func answerOf(p *proof) batchRow {
	if p.none != "" || !guardable(p.Mutation) {
		r := batchRow{Stale: "-", Equal: "-", Progress: "-", Null: "-", Advance: "-", Shape: "-", Column: "-", Reason: cmp.Or(p.Reason, p.none)}
		if p.open {
			r.Stale, r.Equal, r.Progress, r.Null, r.Advance = "unknown", "unknown", "unknown", "unknown", "unknown"
		}
		return r
	}
	v := &p.Proof
	yn := func(t fence.Tri) string {
		return [...]string{fence.Unknown: "unknown", fence.Yes: "y", fence.No: "n"}[t]
	}
	return batchRow{Stale: v.RejectsStale.String(), Equal: yn(v.AdmitsEqual), Progress: yn(v.Progress), Null: v.NullRule,
		Advance: v.Advances, Shape: v.Shape, Column: cmp.Or(strings.TrimPrefix(v.Table+"."+v.Column, "."), "-"), Reason: batchReason(&p.Reading)}
}

// batchReason is the reason for the verdict, with the rule and, where a proof rests on
// them, the assumptions.
func batchReason(r *prove.Reading) string {
	text := r.Verdict + ": " + r.Reason + inParentheses(r.Rule)
	if r.Proof.RejectsStale == fence.Yes && len(r.Proof.Assumptions) > 0 {
		text += "; assumed: " + strings.Join(r.Proof.Assumptions, ", ")
	}
	return text
}

// readScript reads all statements of a text under one dialect.
func (in *proveInput) readScript(script *fsql.Script, as []string) ([]*proof, error) {
	var list []*proof
	for i := range script.Statements {
		more, err := in.readStatement(&script.Statements[i], as)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}
