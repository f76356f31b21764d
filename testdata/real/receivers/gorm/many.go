package gorm

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// sower writes many rows at once.
type sower struct {
	orm *gorm.DB
	m   *concurrency.Mutex
}

func (s *sower) lock(ctx context.Context) (int64, error) {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return 0, err
	}
	return s.m.Header().Revision, nil
}

// Plot is a row.
type Plot struct {
	ID    int64
	V     string
	Fence int64
}

// BadLog adds rows.
func (s *sower) BadLog(ctx context.Context, vs []string) error {
	if _, err := s.lock(ctx); err != nil {
		return err
	}
	var rows []Plot
	for _, v := range vs {
		rows = append(rows, Plot{V: v})
	}
	return s.orm.Create(&rows).Error // want "unfencedwrite"
}

// GoodMany gives each row the number.
func (s *sower) GoodMany(ctx context.Context, vs []string) error {
	f, err := s.lock(ctx)
	if err != nil {
		return err
	}
	rows := make([]*Plot, 0, len(vs))
	for i, v := range vs {
		rows = append(rows, &Plot{ID: int64(i), V: v, Fence: f})
	}
	res := s.orm.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "id"}},
		DoUpdates: clause.AssignmentColumns([]string{"v", "fence"}),
		Where:     clause.Where{Exprs: []clause.Expression{gorm.Expr("plots.fence < excluded.fence")}},
	}).Create(&rows)
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return errStale
	}
	return nil
}

// BadGiven adds to rows of which nobody knows what number they bring.
func (s *sower) BadGiven(ctx context.Context, rows []Plot) error {
	f, err := s.lock(ctx)
	if err != nil {
		return err
	}
	rows = append(rows, Plot{ID: 3, Fence: f})
	res := s.orm.Clauses(clause.OnConflict{ // want "unprovedwrite"
		Columns:   []clause.Column{{Name: "id"}},
		DoUpdates: clause.AssignmentColumns([]string{"v", "fence"}),
		Where:     clause.Where{Exprs: []clause.Expression{gorm.Expr("plots.fence < excluded.fence")}},
	}).Create(&rows)
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return errStale
	}
	return nil
}

// BadAll lets any number through.
func (s *sower) BadAll(ctx context.Context, vs []string) error {
	f, err := s.lock(ctx)
	if err != nil {
		return err
	}
	rows := []Plot{{ID: 1, V: "a", Fence: f}, {ID: 2, V: "b", Fence: f}}
	return s.orm.Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(rows, 10).Error // want "tokennotcompared|unprovedwrite"
}
