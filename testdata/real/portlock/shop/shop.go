// Package shop keeps orders in a database, with a fence and without one.
package shop

import (
	"context"
	"database/sql"
	"errors"
)

var ErrStale = errors.New("a newer owner was here")

type Fenced struct{ db *sql.DB }

func NewFenced(db *sql.DB) *Fenced { return &Fenced{db} }

func (s *Fenced) Ship(ctx context.Context, id, token int64) error {
	res, err := s.db.ExecContext(ctx, "UPDATE parcels SET state = 'sent', epoch = $1 WHERE id = $2 AND epoch < $1", token, id)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrStale
	}
	return nil
}

type Plain struct{ db *sql.DB }

func NewPlain(db *sql.DB) *Plain { return &Plain{db} }

func (s *Plain) Ship(ctx context.Context, id, token int64) error {
	_, err := s.db.ExecContext(ctx, "UPDATE parcels SET state = 'sent' WHERE id = $1", id)
	return err
}

type FencedBills struct{ db *sql.DB }

func NewFencedBills(db *sql.DB) *FencedBills { return &FencedBills{db} }

func (s *FencedBills) CloseBill(ctx context.Context, id, token int64) error {
	res, err := s.db.ExecContext(ctx, "UPDATE bills SET open = false, epoch = $1 WHERE id = $2 AND epoch < $1", token, id)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrStale
	}
	return nil
}

type PlainBills struct{ db *sql.DB }

func NewPlainBills(db *sql.DB) *PlainBills { return &PlainBills{db} }

func (s *PlainBills) CloseBill(ctx context.Context, id, token int64) error {
	_, err := s.db.ExecContext(ctx, "UPDATE bills SET open = false WHERE id = $1", id)
	return err
}
