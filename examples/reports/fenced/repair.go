package fenced

import "context"

// Replace corrects a report by hand. It is the way around that most programs grow one
// day: it asks neither the lock nor the fence, and no guard elsewhere can make up for it.
func (s Store) Replace(ctx context.Context, id int64, body string) error {
	_, err := s.DB.ExecContext(ctx, `UPDATE report_result SET body = $2 WHERE id = $1`, id, body)
	return err
}
