// Package takenrow takes parcels that nobody is working at, or not any more: a time says so,
// and no owner. Who is there to take one and deal with it gives its caller no lock.
package takenrow

import (
	"context"
	"database/sql"
	"time"

	"github.com/go-zookeeper/zk"
)

// Parcels are rows of a table.
type Parcels struct{ db *sql.DB }

// deal takes a parcel, deals with it and is done, or leaves it to somebody else.
func (p *Parcels) deal(ctx context.Context, id int64, now time.Time) error {
	res, err := p.db.ExecContext(ctx, `UPDATE parcels SET taken_at = $1 WHERE id = $2 AND (taken_at IS NULL OR taken_at < $3)`, now, id, now.Add(-time.Minute)) // taken
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := p.db.ExecContext(ctx, `UPDATE stock SET n = n - 1`); err != nil {
		return err
	}
	_, err = p.db.ExecContext(ctx, `DELETE FROM parcels WHERE id = $1`, id)
	return err
}

// Sweep deals with some parcels.
func (p *Parcels) Sweep(ctx context.Context, ids []int64) error {
	for _, id := range ids {
		if err := p.deal(ctx, id, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// Remind is done once an hour at most, and keeps nobody out of anything.
func (p *Parcels) Remind(ctx context.Context, id int64, now time.Time) error {
	_, err := p.db.ExecContext(ctx, `UPDATE parcels SET reminded_on = $1 WHERE id = $2 AND (reminded_on IS NULL OR reminded_on < $3)`, now, id, now.Add(-time.Hour))
	return err
}

// Shares are nodes, one for each share of the work.
type Shares struct{ conn *zk.Conn }

func (s *Shares) make(path string, owner []byte, passing bool) error {
	mode := int32(0)
	if passing {
		mode = zk.FlagEphemeral
	}
	_, err := s.conn.Create(path, owner, mode, zk.WorldACL(zk.PermAll))
	return err
}

// ClaimShare is refused while another process has the share.
func (s *Shares) ClaimShare(share, owner string) error {
	return s.make("/shares/"+share, []byte(owner), true) // taken
}

// Join announces a process.
func (s *Shares) Join(owner string) error {
	return s.make("/members/"+owner, nil, true)
}

// Leave takes the announcement back.
func (s *Shares) Leave(owner string) error { return s.conn.Delete("/members/"+owner, -1) }
