// Package mongo writes documents of MongoDB.
package mongo

import (
	"context"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

var errStale = errors.New("stale owner")

func lock(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(s, "/locks/seat")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

func done(res *mongo.UpdateResult, err error) error {
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return errStale
	}
	return nil
}

func GoodD(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(c.UpdateOne(ctx, bson.D{{Key: "_id", Value: id}, {Key: "fence", Value: bson.D{{Key: "$lt", Value: f}}}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "v", Value: v}, {Key: "fence", Value: f}}}}))
}

func BadOr(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	filter := bson.M{"_id": id, "$or": bson.A{bson.M{"fence": bson.M{"$lt": f}}, bson.M{"v": ""}}}
	return done(c.UpdateOne(ctx, filter, bson.M{"$set": bson.M{"v": v, "fence": f}})) // want "staleadmitted"
}

func GoodOrMissing(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	filter := bson.M{"_id": id, "fence": bson.M{"$lt": f}}
	filter["open"] = true
	return done(c.UpdateOne(ctx, filter, bson.M{"$set": bson.M{"v": v, "fence": f}}))
}

func BadMax(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$max": bson.M{"fence": f}, "$set": bson.M{"v": v}})) // want "tokennotcompared"
}

func BadIgnored(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	_, err = c.UpdateOne(ctx, bson.M{"_id": id, "fence": bson.M{"$lt": f}}, bson.M{"$set": bson.M{"v": v, "fence": f}}) // want "rejectionignored"
	return err
}

func BadByID(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = c.UpdateByID(ctx, id, bson.M{"$set": bson.M{"v": v}}) // want "unfencedwrite"
	return err
}

func GoodFind(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	err = c.FindOneAndUpdate(ctx, bson.M{"_id": id, "fence": bson.M{"$lt": f}}, bson.M{"$set": bson.M{"v": v, "fence": f}}).Err()
	if errors.Is(err, mongo.ErrNoDocuments) {
		return errStale
	}
	return err
}

func BadDelete(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = c.DeleteOne(ctx, bson.M{"_id": id}) // want "unfencedwrite"
	return err
}

type doc struct {
	ID    string `bson:"_id"`
	V     string
	Fence int64 `bson:"last_fence"`
}

func GoodReplace(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(c.ReplaceOne(ctx, bson.M{"_id": id, "last_fence": bson.M{"$lt": f}}, doc{ID: id, V: v, Fence: f}, options.Replace().SetUpsert(true)))
}
