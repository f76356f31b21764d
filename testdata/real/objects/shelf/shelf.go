// Package shelf keeps books in a table, behind an interface that it makes itself.
package shelf

import (
	"context"

	"gorm.io/gorm"
)

// Shelf is what others see of it.
type Shelf interface {
	Stamp(ctx context.Context, id, place string) error
	Once(ctx context.Context, id, place string, seen int64) error
}

type book struct {
	ID    string
	Place string
	Seen  int64
}

type shelf struct{ db *gorm.DB }

// New makes one.
func New(db *gorm.DB) Shelf { return &shelf{db: db} }

// Stamp writes whatever is there.
func (s *shelf) Stamp(ctx context.Context, id, place string) error {
	return s.db.WithContext(ctx).Model(&book{}).Where("id = ?", id).Update("place", place).Error
}

// Once writes only what was last seen in this state.
func (s *shelf) Once(ctx context.Context, id, place string, seen int64) error {
	res := s.db.WithContext(ctx).Model(&book{}).Where("id = ? AND seen < ?", id, seen).Updates(map[string]any{"place": place, "seen": seen})
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return gorm.ErrRecordNotFound
	}
	return nil
}
