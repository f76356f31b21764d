package prove

import (
	"reflect"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

const pgPath = "github.com/go-pg/pg"

func init() { builders["go-pg-orm"] = pgForms }

var pgORM = recordORM{path: pgPath, name: pgName, field: "tableName", tag: "pg"}

func init() { // the functions refer to the table
	pgORM.steps = recordSteps()
	for _, s := range strings.Fields("Returning Context Order OrderExpr Limit Deleted AllWithDeleted ModelContext For") {
		pgORM.steps[s] = none
	}
	for _, s := range strings.Fields("SetColumn OmitZero NewRaw NewUpdate NewInsert NewDelete On Ignore WhereGroup Limit") {
		delete(pgORM.steps, s)
	}
	pgORM.steps["ModelContext"] = func(b *recordChain, s step) { b.record(step{args: s.args[1:]}) }
	pgORM.steps["WhereGroup"] = func(b *recordChain, s step) { b.grouped("AND", s.args[0]) }
	pgORM.steps["WhereOrGroup"] = func(b *recordChain, s step) { b.grouped("OR", s.args[0]) }
	pgORM.steps["WherePK"] = func(b *recordChain, s step) { b.q.and(b.primaryKey(s)) }
	pgORM.steps["WhereIn"] = func(b *recordChain, s step) {
		b.condition("AND", step{args: []*term.Term{s.args[0], term.NewList(false, s.args[1])}})
	}
	pgORM.steps["OnConflict"] = func(b *recordChain, s step) {
		text := b.text(s)
		b.q.conflict = func(w *writing) { w.str("CONFLICT "); text(w) }
		if b.q.verb == "INSERT INTO" {
			b.q.conds = nil // those before it are of no effect
		}
	}
}

// pgVerbs are the ends of a chain of go-pg.
var pgVerbs = map[string]string{
	"Update": "UPDATE", "UpdateNotZero": "UPDATE", "Insert": "INSERT INTO", "Delete": "DELETE FROM", "ForceDelete": "DELETE FROM",
}

// pgForms are the statements of a chain of go-pg.
func pgForms(j *judge, e *flow.Event, s *model.Sink) ([]built, bool) {
	verb := pgVerbs[s.Method]
	if s.Kind != "builder_terminal" || e.Recv == nil || verb == "" {
		return nil, false
	}
	return formsOfChain(e, pgPath, func(w *writing, steps []step) {
		b := &recordChain{j: j, w: w, q: &query{verb: verb}, orm: &pgORM, omit: s.Method == "UpdateNotZero"}
		b.run(steps)
	}), true
}

// pgName is how go-pg names the column of a field.
func pgName(field string, tag reflect.StructTag) (string, bool) {
	text := tag.Get("pg")
	if text == "" {
		text = tag.Get("sql")
	}
	parts := strings.Split(text, ",")
	name, key := snake(field), field == "ID" || field == "Id"
	if parts[0] != "" && !strings.Contains(parts[0], ":") {
		name = parts[0]
	}
	for _, p := range parts {
		key = key || p == "pk"
		if strings.HasPrefix(p, "rel:") || strings.HasPrefix(p, "many2many:") {
			return "", false
		}
	}
	if name == "-" || field == "tableName" {
		return "", false
	}
	return name, key
}
