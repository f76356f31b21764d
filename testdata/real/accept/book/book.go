// Package book keeps entries in a database.
package book

import (
	"context"
	"database/sql"
)

// Book is a table of entries.
type Book struct{ DB *sql.DB }

// Enter marks an entry.
func (b *Book) Enter(ctx context.Context, id int64) error {
	_, err := b.DB.ExecContext(ctx, `UPDATE entries_plain SET entered = true WHERE id = $1`, id)
	return err
}

// Strike strikes an entry out.
func (b *Book) Strike(ctx context.Context, id int64) error {
	_, err := b.DB.ExecContext(ctx, `UPDATE strikes_plain SET struck = true WHERE id = $1`, id)
	return err
}
