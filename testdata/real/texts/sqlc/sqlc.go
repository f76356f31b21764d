// Package sqlc has the shape of generated code with prepared statements.
package sqlc

import (
	"context"
	"database/sql"
	"fmt"
)

// DBTX is a database or a transaction.
type DBTX interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	PrepareContext(context.Context, string) (*sql.Stmt, error)
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

// New makes queries that are not prepared.
func New(db DBTX) *Queries { return &Queries{db: db} }

// Prepare prepares all of them.
func Prepare(ctx context.Context, db DBTX) (*Queries, error) {
	q := Queries{db: db}
	var err error
	if q.advanceSpindleStmt, err = db.PrepareContext(ctx, advanceSpindle); err != nil {
		return nil, fmt.Errorf("error preparing query AdvanceSpindle: %w", err)
	}
	if q.resetSpindleStmt, err = db.PrepareContext(ctx, resetSpindle); err != nil {
		return nil, fmt.Errorf("error preparing query ResetSpindle: %w", err)
	}
	return &q, nil
}

func (q *Queries) exec(ctx context.Context, stmt *sql.Stmt, query string, args ...any) (sql.Result, error) {
	switch {
	case stmt != nil && q.tx != nil:
		return q.tx.StmtContext(ctx, stmt).ExecContext(ctx, args...)
	case stmt != nil:
		return stmt.ExecContext(ctx, args...)
	default:
		return q.db.ExecContext(ctx, query, args...)
	}
}

// Queries are the statements.
type Queries struct {
	db                 DBTX
	tx                 *sql.Tx
	advanceSpindleStmt *sql.Stmt
	resetSpindleStmt   *sql.Stmt
}

// WithTx sends them in a transaction.
func (q *Queries) WithTx(tx *sql.Tx) *Queries {
	return &Queries{db: tx, tx: tx, advanceSpindleStmt: q.advanceSpindleStmt, resetSpindleStmt: q.resetSpindleStmt}
}

const advanceSpindle = `-- name: AdvanceSpindle :execrows
UPDATE spindles
SET turns = $3, fence = $2
WHERE id = $1 AND fence < $2
`

// AdvanceSpindleParams are the arguments of AdvanceSpindle.
type AdvanceSpindleParams struct {
	ID    int64
	Fence int64
	Turns int32
}

// AdvanceSpindle compares.
func (q *Queries) AdvanceSpindle(ctx context.Context, arg AdvanceSpindleParams) (int64, error) {
	result, err := q.exec(ctx, q.advanceSpindleStmt, advanceSpindle, arg.ID, arg.Fence, arg.Turns)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

const resetSpindle = `-- name: ResetSpindle :exec
UPDATE spindles SET turns = 0 WHERE id = $1
`

// ResetSpindle does not.
func (q *Queries) ResetSpindle(ctx context.Context, id int64) error {
	_, err := q.exec(ctx, q.resetSpindleStmt, resetSpindle, id)
	return err
}
