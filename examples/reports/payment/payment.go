// Package payment pays the authors of reports through a service that cannot compare
// epochs. What guards a payment instead is a key that is the same whoever asks, a record
// that is written before the first attempt, and another attempt for as long as it is not
// known how the last one went.
package payment

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Fee is what a report earns its author, in cents.
const Fee = 1200

// Bank is the service that pays. It pays once for each key.
type Bank struct {
	URL    string
	Client *http.Client
}

// Pay asks for one payment. After an error nobody knows whether it was made.
func (b Bank) Pay(ctx context.Context, key string, cents int64) error {
	form := url.Values{"cents": {strconv.FormatInt(cents, 10)}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.URL, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Idempotency-Key", key)
	resp, err := b.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("bank: %s", resp.Status)
	}
	return nil
}

// Settle pays for every report that was committed and is not known to be paid. It needs
// no lock, and may run at any time, anywhere, and more than once at a time: the first
// attempt and every later one are the same request.
func Settle(ctx context.Context, db *sql.DB, bank Bank) error {
	_, err := db.ExecContext(ctx,
		`INSERT INTO payment (report_id, cents)
		 SELECT id, $1 FROM report_result WHERE version > 0 ON CONFLICT DO NOTHING`, Fee)
	if err != nil {
		return err
	}
	due, err := pending(ctx, db)
	if err != nil {
		return err
	}
	var errs []error
	for id, cents := range due {
		if err := bank.Pay(ctx, fmt.Sprintf("report-%d", id), cents); err != nil {
			errs = append(errs, err) // it stays pending
			continue
		}
		if _, err := db.ExecContext(ctx, `UPDATE payment SET paid = true WHERE report_id = $1`, id); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// pending returns the cents of each payment that is not known to be made.
func pending(ctx context.Context, db *sql.DB) (map[int64]int64, error) {
	rows, err := db.QueryContext(ctx, `SELECT report_id, cents FROM payment WHERE NOT paid`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	due := map[int64]int64{}
	for rows.Next() {
		var id, cents int64
		if err := rows.Scan(&id, &cents); err != nil {
			return nil, err
		}
		due[id] = cents
	}
	return due, rows.Err()
}
