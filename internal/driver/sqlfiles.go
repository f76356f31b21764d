package driver

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fencelint/fencelint/fence"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/driver/unit"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/report"
)

// What the project's own migrations say of a fence column is told beside the verdict,
// and never changes it: a driver that sees only packages has no such files, and must
// come to the same findings.

// maxSQLFiles and maxSQLFile bound what is read for that.
const (
	maxSQLFiles = 2000
	maxSQLFile  = 1 << 20
)

// readSchema follows the SQL files below a folder, or one file, in the order of their
// names. It returns nil if there are none.
func readSchema(path string) (*fsql.Schema, error) {
	files, err := sqlFiles(path)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	s := &fsql.Schema{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(path, file)
		if err != nil || name == "." {
			name = filepath.Base(file)
		}
		s.Add(filepath.ToSlash(name), string(data))
	}
	return s, nil
}

// sqlFiles lists the SQL files below a folder, without other modules, what is not the
// project's own, and what takes a migration back.
func sqlFiles(root string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && notOwn(path, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || path != root && filepath.Ext(path) != ".sql" || takesBack.MatchString(d.Name()):
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() && info.Size() <= maxSQLFile {
			out = append(out, path)
		}
		if len(out) > maxSQLFiles {
			return fs.SkipAll
		}
		return nil
	})
	slices.SortFunc(out, natural)
	return out, err
}

var takesBack = pattern.New(`(?i)[._-](down|undo|rollback)\.sql$|^U\d+__.*\.sql$`)

func notOwn(path, name string) bool {
	if strings.HasPrefix(name, ".") || name == "vendor" || name == "node_modules" || name == "testdata" {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

var digits = pattern.New(`\d+|\D+`)

// natural compares names so that 9 comes before 10.
func natural(a, b string) int {
	x, y := digits.Regexp().FindAllString(a, -1), digits.Regexp().FindAllString(b, -1)
	for i := range min(len(x), len(y)) {
		m, err1 := strconv.Atoi(x[i])
		n, err2 := strconv.Atoi(y[i])
		c := cmp.Compare(x[i], y[i])
		if err1 == nil && err2 == nil {
			c = cmp.Or(cmp.Compare(m, n), c)
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}

// schemaSays is what a schema knows of a fence, for people.
func schemaSays(s *fsql.Schema, table, column string) []string {
	var out []string
	if c, ok := s.Column(table, column); ok && column != "" {
		line := column + " is " + cmp.Or(c.Type, "of a type that is not written")
		if c.NotNull {
			line += " NOT NULL"
		} else {
			line += " and may be NULL"
		}
		if fn, known := c.Cast(); known && (fn == fence.CastText || fn == fence.CastFloat) {
			line += ", not an integer"
		}
		out = append(out, line+" ("+c.Place+")")
	}
	for _, at := range s.Triggers(table) {
		out = append(out, "a trigger on "+table+" may write more than the statement says ("+at+")")
	}
	return out
}

// moduleSchemas reads the schema of each module once.
type moduleSchemas struct{ read map[string]*fsql.Schema }

// of is the schema beside the module of a Go file, nil if there is none. A file that
// cannot be read is no reason to fail: nothing rests on it.
func (m *moduleSchemas) of(file string) *fsql.Schema {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil
	}
	root := unit.ModuleRoot(dir)
	if root == "" {
		return nil
	}
	s, ok := m.read[root]
	if !ok {
		s, _ = readSchema(root)
		m.read[root] = s
	}
	return s
}

// addSchemas tells at each write with a fence in a table what the migrations say of it.
func addSchemas(rows []report.Row) {
	m := &moduleSchemas{read: make(map[string]*fsql.Schema)}
	for i := range rows {
		for k := range rows[i].Boundaries {
			b := &rows[i].Boundaries[k]
			table, ok := strings.CutPrefix(b.Receiver, "table:")
			if !ok || b.Fence == "" {
				continue
			}
			if s := m.of(b.File); s != nil {
				b.Schema = schemaSays(s, table, b.Fence)
			}
		}
	}
}

// learn adds to a verdict what a schema that was given knows of the fence.
func learn(s *fsql.Schema, m *fence.Mutation, v *fence.Verdict) {
	table := cmp.Or(v.Table, m.Resource)
	c, ok := s.Column(table, v.Column)
	if !ok {
		return
	}
	fn, known := c.Cast()
	if word := map[fence.Fn]string{fence.CastText: "text", fence.CastFloat: "float"}[fn]; known && word != "" {
		v.Casts = append(v.Casts, word)
	}
	if c.NotNull {
		v.Null = fence.Never
		if v.NullRule == "bypasses" {
			v.NullRule = "na"
		}
	}
	if known && (fn == fence.CastInt || fn == fence.CastNarrow) {
		assumed := "column " + v.Column + " holds integers of at most 64 bits"
		v.Assumptions = slices.DeleteFunc(v.Assumptions, func(a string) bool { return a == assumed })
	}
	if m.InsertPath == fence.Open && len(m.ConflictOn) > 0 && s.Unique(m.Resource, m.ConflictOn) {
		for i, a := range v.Assumptions {
			if a == "the conflict key is unique and its rows are never deleted" {
				v.Assumptions[i] = "rows are never deleted"
			}
		}
	}
}
