package models

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strings"

	"github.com/aarondl/sqlboiler/v4/boil"
	"github.com/aarondl/sqlboiler/v4/queries"
	"github.com/aarondl/sqlboiler/v4/queries/qm"
	"github.com/aarondl/sqlboiler/v4/queries/qmhelper"
)

// Keg is a row.
type Keg struct {
	ID        int64  `boil:"id" json:"id"`
	State     string `boil:"state" json:"state"`
	LastEpoch int64  `boil:"last_epoch" json:"last_epoch"`
}

type whereHelperint64 struct{ field string }

func (w whereHelperint64) EQ(x int64) qm.QueryMod { return qmhelper.Where(w.field, qmhelper.EQ, x) }
func (w whereHelperint64) LT(x int64) qm.QueryMod { return qmhelper.Where(w.field, qmhelper.LT, x) }
func (w whereHelperint64) GT(x int64) qm.QueryMod { return qmhelper.Where(w.field, qmhelper.GT, x) }

// KegWhere has a helper for each column.
var KegWhere = struct {
	ID        whereHelperint64
	LastEpoch whereHelperint64
}{
	ID:        whereHelperint64{field: "\"kegs\".\"id\""},
	LastEpoch: whereHelperint64{field: "\"kegs\".\"last_epoch\""},
}

// KegColumns are the names of the columns.
var KegColumns = struct {
	ID        string
	State     string
	LastEpoch string
}{
	ID:        "id",
	State:     "state",
	LastEpoch: "last_epoch",
}

var (
	kegAllColumns        = []string{"id", "state", "last_epoch"}
	kegPrimaryKeyColumns = []string{"id"}
	kegType              = reflect.TypeOf(&Keg{})
	kegMapping           = queries.MakeStructMapping(kegType)
	kegUpdateCache       = make(map[string]updateCache)
)

type updateCache struct {
	query        string
	valueMapping []uint64
}

// KegSlice is several rows.
type KegSlice []*Keg

type kegQuery struct{ *queries.Query }

// Kegs begins a query of the table.
func Kegs(mods ...qm.QueryMod) kegQuery {
	mods = append(mods, qm.From("\"kegs\""))
	q := NewQuery(mods...)
	return kegQuery{q}
}

// FindKeg reads a row.
func FindKeg(ctx context.Context, exec boil.ContextExecutor, id int64) (*Keg, error) {
	o := &Keg{}
	q := queries.Raw("select * from \"kegs\" where \"id\"=$1", id)
	if err := q.Bind(ctx, exec, o); err != nil {
		return nil, err
	}
	return o, nil
}

// One reads one row.
func (q kegQuery) One(ctx context.Context, exec boil.ContextExecutor) (*Keg, error) {
	o := &Keg{}
	queries.SetLimit(q.Query, 1)
	if err := q.Bind(ctx, exec, o); err != nil {
		return nil, err
	}
	return o, nil
}

// Update writes the row by its primary key.
func (o *Keg) Update(ctx context.Context, exec boil.ContextExecutor, columns boil.Columns) (int64, error) {
	wl := columns.UpdateColumnSet(kegAllColumns, kegPrimaryKeyColumns)
	cache := kegUpdateCache[strings.Join(wl, ",")]
	var err error
	cache.query = fmt.Sprintf("UPDATE \"kegs\" SET %s WHERE \"id\"=$%d", strings.Join(wl, ", "), len(wl)+1)
	cache.valueMapping, err = queries.BindMapping(kegType, kegMapping, append(wl, kegPrimaryKeyColumns...))
	if err != nil {
		return 0, err
	}
	values := queries.ValuesFromMapping(reflect.Indirect(reflect.ValueOf(o)), cache.valueMapping)
	var result sql.Result
	result, err = exec.ExecContext(ctx, cache.query, values...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// UpdateG writes the row through the global executor.
func (o *Keg) UpdateG(ctx context.Context, columns boil.Columns) (int64, error) {
	return o.Update(ctx, boil.GetContextDB(), columns)
}

// Insert adds the row.
func (o *Keg) Insert(ctx context.Context, exec boil.ContextExecutor, columns boil.Columns) error {
	_, err := exec.ExecContext(ctx, strings.Join(columns.Cols, ","), o.ID, o.State, o.LastEpoch)
	return err
}

// Upsert adds the row or overwrites it.
func (o *Keg) Upsert(ctx context.Context, exec boil.ContextExecutor, updateOnConflict bool, conflictColumns []string, updateColumns, insertColumns boil.Columns, opts ...UpsertOptionFunc) error {
	u := &UpsertOptions{}
	for _, f := range opts {
		f(u)
	}
	_, err := exec.ExecContext(ctx, "INSERT INTO "+u.conflictTarget+strings.Join(conflictColumns, ",")+u.updateSet, o.ID, o.State, o.LastEpoch)
	return err
}

// Delete removes the row.
func (o *Keg) Delete(ctx context.Context, exec boil.ContextExecutor) (int64, error) {
	result, err := exec.ExecContext(ctx, "DELETE FROM \"kegs\" WHERE \"id\"=$1", o.ID)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// UpdateAll writes the rows of the query.
func (q kegQuery) UpdateAll(ctx context.Context, exec boil.ContextExecutor, cols M) (int64, error) {
	queries.SetUpdate(q.Query, cols)
	result, err := q.Query.ExecContext(ctx, exec)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// DeleteAll removes the rows of the query.
func (q kegQuery) DeleteAll(ctx context.Context, exec boil.ContextExecutor) (int64, error) {
	queries.SetDelete(q.Query)
	result, err := q.Query.ExecContext(ctx, exec)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// UpdateAll writes the rows by their primary keys.
func (o KegSlice) UpdateAll(ctx context.Context, exec boil.ContextExecutor, cols M) (int64, error) {
	var n int64
	for _, k := range o {
		m, err := k.Update(ctx, exec, boil.Infer())
		if err != nil {
			return n, err
		}
		n += m
	}
	return n, nil
}
