package mongo

import (
	"context"
	"strconv"

	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// BadDigits compares the digits of the epoch, of which "9" comes after "10".
func BadDigits(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	e := strconv.FormatInt(m.Header().Revision, 10)
	res, err := c.UpdateOne(ctx, bson.M{"_id": id, "epoch": bson.M{"$lt": e}}, bson.M{"$set": bson.M{"st": "x", "epoch": e}}) // want "fencecolumn"
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return errStale
	}
	return nil
}

// GoodNumber compares the number.
func GoodNumber(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	e := m.Header().Revision
	res, err := c.UpdateOne(ctx, bson.M{"_id": id, "epoch": bson.M{"$lt": e}}, bson.M{"$set": bson.M{"st": "x", "epoch": e}})
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return errStale
	}
	return nil
}
