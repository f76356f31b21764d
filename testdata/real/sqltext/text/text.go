// Package text has the statements of the program.
package text

import (
	"database/sql"
	"errors"
)

// ErrStale is the answer to an owner that has a successor.
var ErrStale = errors.New("a newer owner was there")

const ifNewer = ` AND fence < $2`

// MovePlain moves, whoever asks.
const MovePlain = `UPDATE crates_plain SET place = $2 WHERE id = $1`

// Move moves for the newest owner.
const Move = `UPDATE crates SET place = $3, fence = $2 WHERE id = $1` + ifNewer

// Use is the statement for one of several tables.
func Use(table string) string {
	return "UPDATE " + table + " SET used = true, fence = $2 WHERE id = $1" + ifNewer
}

// One fails unless a row was changed.
func One(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ErrStale, err)
	}
	return nil
}
