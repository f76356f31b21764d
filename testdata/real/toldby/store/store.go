// Package store asks its callers how they want to write.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// ErrStale is the answer to an owner that has a successor.
var ErrStale = errors.New("stale owner")

// Modes of writing.
const (
	Strict = "strict"
	Loose  = "loose"
)

// Level of care.
type Level int

// The levels.
const (
	Careless Level = iota
	Careful
	Paranoid
)

// Bits.
const (
	Fenced uint = 1 << iota
	Logged
)

// Put appends the guard and its argument if it is told to.
func Put(ctx context.Context, db *sql.DB, id, token int64, v string, strict bool) error {
	q := "UPDATE told_rows SET v = $1, fence = $3 WHERE id = $2"
	args := []any{v, id, token}
	if strict {
		q += " AND fence < $4"
		args = append(args, token)
	}
	return one(db.ExecContext(ctx, q, args...))
}

// Options say how to write.
type Options struct {
	Fenced  bool
	Comment string
}

// PutWith looks at a record of options.
func PutWith(ctx context.Context, db *sql.DB, id, token int64, v string, o Options) error {
	var where strings.Builder
	where.WriteString("id = $2")
	if o.Fenced {
		where.WriteString(" AND fence < $3")
	}
	return one(db.ExecContext(ctx, "UPDATE told_opts SET v = $1, fence = $3 WHERE "+where.String(), v, id, token))
}

// PutBy looks at a record behind a pointer.
func PutBy(ctx context.Context, db *sql.DB, id, token int64, v string, o *Options) error {
	if !o.Fenced {
		return one(db.ExecContext(ctx, "UPDATE told_ptrs SET v = $1, fence = $3 WHERE id = $2", v, id, token))
	}
	return one(db.ExecContext(ctx, "UPDATE told_ptrs SET v = $1, fence = $3 WHERE id = $2 AND fence < $3", v, id, token))
}

// Option changes how to write.
type Option func(*options)

type options struct{ fenced bool }

// WithFence has the number compared.
func WithFence() Option { return func(o *options) { o.fenced = true } }

// WithNothing changes nothing.
func WithNothing() Option { return func(*options) {} }

// PutOpts takes options.
func PutOpts(ctx context.Context, db *sql.DB, id, token int64, v string, opts ...Option) error {
	var o options
	for _, set := range opts {
		set(&o)
	}
	cond := ""
	if o.fenced {
		cond = " AND fence < $3"
	}
	return one(db.ExecContext(ctx, "UPDATE told_funcs SET v = $1, fence = $3 WHERE id = $2"+cond, v, id, token))
}

// PutMode compares a word.
func PutMode(ctx context.Context, db *sql.DB, id, token int64, v, mode string) error {
	q := "UPDATE told_modes SET v = $1, fence = $3 WHERE id = $2"
	switch mode {
	case Strict:
		q += " AND fence < $3"
	case Loose:
	default:
		return fmt.Errorf("mode %q", mode)
	}
	return one(db.ExecContext(ctx, q, v, id, token))
}

// PutLevel compares a number.
func PutLevel(ctx context.Context, db *sql.DB, id, token int64, v string, l Level) error {
	q := "UPDATE told_levels SET v = $1, fence = $3 WHERE id = $2"
	if l != Careless {
		q += " AND fence < $3"
	}
	return one(db.ExecContext(ctx, q, v, id, token))
}

// PutBits looks at one bit.
func PutBits(ctx context.Context, db *sql.DB, id, token int64, v string, flags uint) error {
	q := "UPDATE told_bits SET v = $1, fence = $3 WHERE id = $2"
	if flags&Fenced != 0 {
		q += " AND fence < $3"
	}
	return one(db.ExecContext(ctx, q, v, id, token))
}

// PutLoud tells of the refusal if it is told to.
func PutLoud(ctx context.Context, db *sql.DB, id, token int64, v string, loud bool) error {
	res, err := db.ExecContext(ctx, "UPDATE told_louds SET v = $1, fence = $3 WHERE id = $2 AND fence < $3", v, id, token)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 && loud {
		return ErrStale
	}
	return nil
}

// Store hands on what it is told.
type Store struct {
	DB *sql.DB
}

// Save hands on.
func (s *Store) Save(ctx context.Context, id, token int64, v string, quick bool) error {
	return Put(ctx, s.DB, id, token, v, !quick)
}

// Tx does it in a transaction.
func (s *Store) Tx(ctx context.Context, id, token int64, v string, strict bool) error {
	return s.within(ctx, func(tx *sql.Tx) error {
		q := "UPDATE told_txs SET v = $1, fence = $3 WHERE id = $2"
		if strict {
			q += " AND fence < $3"
		}
		return one(tx.ExecContext(ctx, q, v, id, token))
	})
}

func (s *Store) within(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Text is one of two statements.
func Text(strict bool) string {
	if strict {
		return "UPDATE told_texts SET v = $1, fence = $3 WHERE id = $2 AND fence < $3"
	}
	return "UPDATE told_texts SET v = $1, fence = $3 WHERE id = $2"
}

// Guarded moves the fence first, if it is told to.
func Guarded(ctx context.Context, db *sql.DB, id, token int64, v string, strict bool) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if strict {
		if err := one(tx.ExecContext(ctx, "UPDATE told_guards SET fence = $2 WHERE id = $1 AND fence < $2", id, token)); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "UPDATE told_guarded SET v = $1 WHERE id = $2", v, id); err != nil {
		return err
	}
	return tx.Commit()
}

// WithToken gives the number itself.
func WithToken(n int64) TokenOption { return func(o *tokenOptions) { o.token = n } }

// TokenOption changes how to write.
type TokenOption func(*tokenOptions)

type tokenOptions struct {
	token int64
	note  string
}

// WithNote gives none.
func WithNote(s string) TokenOption { return func(o *tokenOptions) { o.note = s } }

// PutToken compares the number if it is given one.
func PutToken(ctx context.Context, db *sql.DB, id int64, v string, opts ...TokenOption) error {
	var o tokenOptions
	for _, set := range opts {
		set(&o)
	}
	q, args := "UPDATE told_tokens SET v = $1 WHERE id = $2", []any{v, id}
	if o.token > 0 {
		q = "UPDATE told_tokens SET v = $1, fence = $3 WHERE id = $2 AND fence < $3"
		args = append(args, o.token)
	}
	return one(db.ExecContext(ctx, q, args...))
}

// PutDoc fills its filter.
func PutDoc(ctx context.Context, c *mongo.Collection, id string, token int64, v string, strict bool) error {
	filter := bson.M{"_id": id}
	if strict {
		filter["fence"] = bson.M{"$lt": token}
	}
	res, err := c.UpdateOne(ctx, filter, bson.M{"$set": bson.M{"v": v, "fence": token}})
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return ErrStale
	}
	return nil
}

// Exec runs a statement that changes one row.
func Exec(ctx context.Context, db *sql.DB, q string, args ...any) error {
	return one(db.ExecContext(ctx, q, args...))
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrStale, err)
	}
	return nil
}
