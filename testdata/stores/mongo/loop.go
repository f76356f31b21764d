package mongo

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// GoodModels makes a model for each guest, and counts what matched.
func GoodModels(ctx context.Context, s *concurrency.Session, c *mongo.Collection, guests map[string]string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	models := make([]mongo.WriteModel, 0, len(guests))
	for id, g := range guests {
		models = append(models, mongo.NewUpdateOneModel().
			SetFilter(bson.M{"_id": id, "fence": bson.M{"$lt": f}}).
			SetUpdate(bson.M{"$set": bson.M{"guest": g, "fence": f}}))
	}
	res, err := c.BulkWrite(ctx, models)
	if err != nil {
		return err
	}
	if res.MatchedCount < int64(len(models)) {
		return errStale
	}
	return nil
}

// BadModels compares in the wrong direction.
func BadModels(ctx context.Context, s *concurrency.Session, c *mongo.Collection, guests map[string]string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	var models []mongo.WriteModel
	for id, g := range guests {
		models = append(models, mongo.NewUpdateOneModel().
			SetFilter(bson.M{"_id": id, "fence": bson.M{"$gt": f}}).
			SetUpdate(bson.M{"$set": bson.M{"guest": g, "fence": f}}))
	}
	res, err := c.BulkWrite(ctx, models) // want "staleadmitted"
	if err != nil {
		return err
	}
	if res.MatchedCount < int64(len(models)) {
		return errStale
	}
	return nil
}
