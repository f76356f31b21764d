package bun

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errSome = errors.New("some are newer")

// Plot is a row.
type Plot struct {
	bun.BaseModel `bun:"table:plots"`
	ID            int64 `bun:",pk"`
	Crop          string
	Fence         int64
}

// Sower sows many plots at once.
type Sower struct {
	m  *concurrency.Mutex
	db *bun.DB
}

func (s *Sower) lock(ctx context.Context) (int64, error) {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return 0, err
	}
	return s.m.Header().Revision, nil
}

func allOf(res sql.Result, err error, want int) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n != int64(want) {
		return errors.Join(errSome, err)
	}
	return nil
}

// GoodMany gives each row the number.
func (s *Sower) GoodMany(ctx context.Context, ids []int64, crop string) error {
	f, err := s.lock(ctx)
	if err != nil {
		return err
	}
	rows := make([]Plot, 0, len(ids))
	for _, id := range ids {
		rows = append(rows, Plot{ID: id, Crop: crop, Fence: f})
	}
	res, err := s.db.NewInsert().Model(&rows).On("CONFLICT (id) DO UPDATE").Set("crop = EXCLUDED.crop, fence = EXCLUDED.fence").
		Where("plot.fence < EXCLUDED.fence").Exec(ctx)
	return allOf(res, err, len(rows))
}

// BadMany lets any number through.
func (s *Sower) BadMany(ctx context.Context, ids []int64, crop string) error {
	f, err := s.lock(ctx)
	if err != nil {
		return err
	}
	rows := make([]*Plot, 0, len(ids))
	for _, id := range ids {
		rows = append(rows, &Plot{ID: id, Crop: crop, Fence: f})
	}
	res, err := s.db.NewInsert().Model(&rows).On("CONFLICT (id) DO UPDATE").Set("crop = EXCLUDED.crop, fence = EXCLUDED.fence").Exec(ctx) // want "tokennotcompared"
	return allOf(res, err, len(rows))
}

// BadLog adds rows.
func (s *Sower) BadLog(ctx context.Context, crops []string) error {
	if _, err := s.lock(ctx); err != nil {
		return err
	}
	var rows []*Plot
	for _, c := range crops {
		rows = append(rows, &Plot{Crop: c})
	}
	_, err := s.db.NewInsert().Model(&rows).ExcludeColumn("fence").Exec(ctx) // want "unfencedwrite"
	return err
}

// BadGiven adds to rows of which nobody knows what number they bring.
func (s *Sower) BadGiven(ctx context.Context, rows []Plot) error {
	f, err := s.lock(ctx)
	if err != nil {
		return err
	}
	rows = append(rows, Plot{ID: 1, Crop: "rye", Fence: f})
	res, err := s.db.NewInsert().Model(&rows).On("CONFLICT (id) DO UPDATE").Set("crop = EXCLUDED.crop, fence = EXCLUDED.fence"). // want "unprovedwrite"
																	Where("plot.fence < EXCLUDED.fence").Exec(ctx)
	return allOf(res, err, len(rows))
}

// BadOne has a row with another number.
func (s *Sower) BadOne(ctx context.Context, crop string) error {
	f, err := s.lock(ctx)
	if err != nil {
		return err
	}
	rows := []Plot{{ID: 1, Crop: crop, Fence: f}, {ID: 2, Crop: crop, Fence: 1 << 40}}
	res, err := s.db.NewInsert().Model(&rows).On("CONFLICT (id) DO UPDATE").Set("crop = EXCLUDED.crop, fence = EXCLUDED.fence"). // want "unprovedwrite|tokenmismatch|unfencedwrite"
																	Where("plot.fence < EXCLUDED.fence").Exec(ctx)
	return allOf(res, err, len(rows))
}

// GoodBulk joins the rows to a table of the records.
func (s *Sower) GoodBulk(ctx context.Context, ids []int64) error {
	f, err := s.lock(ctx)
	if err != nil {
		return err
	}
	rows := make([]Plot, 0, len(ids))
	for _, id := range ids {
		rows = append(rows, Plot{ID: id, Crop: "oats", Fence: f})
	}
	res, err := s.db.NewUpdate().Model(&rows).Column("crop", "fence").Bulk().Where("plot.fence < _data.fence").Exec(ctx)
	return allOf(res, err, len(rows))
}

// BadBulk takes any other number.
func (s *Sower) BadBulk(ctx context.Context, ids []int64) error {
	f, err := s.lock(ctx)
	if err != nil {
		return err
	}
	rows := make([]Plot, 0, len(ids))
	for _, id := range ids {
		rows = append(rows, Plot{ID: id, Crop: "oats", Fence: f})
	}
	res, err := s.db.NewUpdate().Model(&rows).Column("crop", "fence").Bulk().Where("plot.fence <> _data.fence").Exec(ctx) // want "staleadmitted"
	return allOf(res, err, len(rows))
}
