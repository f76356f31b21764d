// Package electionpb asks etcd's election service itself.
package electionpb

import (
	"context"
	"database/sql"
	"errors"

	pb "go.etcd.io/etcd/server/v3/etcdserver/api/v3election/v3electionpb"
)

const fenced = `UPDATE markets SET open = true, fence = $1 WHERE id = 1 AND fence < $1`

// Fenced presents the revision that the leader has by its election.
func Fenced(ctx context.Context, c pb.ElectionClient, lease int64, db *sql.DB) error {
	//fencelint:lock correctness
	r, err := c.Campaign(ctx, &pb.CampaignRequest{Name: []byte("market"), Lease: lease, Value: []byte("me")})
	if err != nil {
		return err
	}
	defer c.Resign(ctx, &pb.ResignRequest{Leader: r.Leader})
	res, err := db.ExecContext(ctx, fenced, r.Leader.Rev)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("another leader came after"), err)
	}
	return nil
}

// Unfenced drops it, and asks whether it is leader instead.
func Unfenced(ctx context.Context, c pb.ElectionClient, lease int64, db *sql.DB) error {
	//fencelint:lock correctness
	r, err := c.Campaign(ctx, &pb.CampaignRequest{Name: []byte("market"), Lease: lease, Value: []byte("me")})
	if err != nil {
		return err
	}
	if _, err := c.Proclaim(ctx, &pb.ProclaimRequest{Leader: r.Leader, Value: []byte("still me")}); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `UPDATE markets SET open = true WHERE id = 1`) // want "checknotfence"
	return err
}

// Ignored does not look whether it was elected.
func Ignored(ctx context.Context, c pb.ElectionClient, lease int64, db *sql.DB) error {
	//fencelint:lock correctness
	_, _ = c.Campaign(ctx, &pb.CampaignRequest{Name: []byte("market"), Lease: lease}) // want "acquireignored"
	_, err := db.ExecContext(ctx, `UPDATE markets SET open = true WHERE id = 1`)      // want "unfencedwrite"
	return err
}
