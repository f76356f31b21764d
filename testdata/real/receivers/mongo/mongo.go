// Package mongo writes documents under conditions.
package mongo

import (
	"context"
	"errors"

	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/docks")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Update compares and stores the epoch.
func Update(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return matched(db.Collection("docks").UpdateOne(ctx,
			bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}}, bson.M{"$set": bson.M{"open": true, "epoch": epoch}}))
	})
}

// Ordered does so with ordered documents.
func Ordered(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		filter := bson.D{{Key: "_id", Value: id}, {Key: "epoch", Value: bson.D{{Key: "$lt", Value: epoch}}}}
		return matched(db.Collection("docks").UpdateOne(ctx, filter, bson.D{{Key: "$set", Value: bson.D{{Key: "epoch", Value: epoch}}}}))
	})
}

// Found has the refusal from Decode.
func Found(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		var out bson.M
		return db.Collection("docks").FindOneAndUpdate(ctx,
			bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}}, bson.M{"$set": bson.M{"epoch": epoch}},
			options.FindOneAndUpdate().SetReturnDocument(options.After)).Decode(&out)
	})
}

// Replaced stores a whole document.
func Replaced(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return matched(db.Collection("docks").ReplaceOne(ctx, bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}}, bson.M{"epoch": epoch}))
	})
}

// Upserted inserts where there is none: a refusal is a duplicate key.
func Upserted(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		opts := options.Replace()
		opts.SetUpsert(true)
		_, err := db.Collection("docks").ReplaceOne(ctx, bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}}, bson.M{"epoch": epoch}, opts)
		return err
	})
}

// Bulk sends one model.
func Bulk(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		res, err := db.Collection("docks").BulkWrite(ctx, []mongo.WriteModel{
			mongo.NewUpdateOneModel().SetFilter(bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}}).SetUpdate(bson.M{"$set": bson.M{"epoch": epoch}}),
		})
		if err != nil {
			return err
		}
		if res.MatchedCount == 0 {
			return errStale
		}
		return nil
	})
}

// BulkSteps sets the parts of the model one by one.
func BulkSteps(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		m := mongo.NewReplaceOneModel()
		m.SetFilter(bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}})
		m.SetReplacement(bson.M{"epoch": epoch})
		res, err := db.Collection("docks").BulkWrite(ctx, []mongo.WriteModel{m})
		if err != nil {
			return err
		}
		if res.MatchedCount == 0 {
			return errStale
		}
		return nil
	})
}

// BulkOpen has a model without a condition among others.
func BulkOpen(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.Collection("open").BulkWrite(ctx, []mongo.WriteModel{ // want "tokennotcompared"
			mongo.NewUpdateOneModel().SetFilter(bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}}).SetUpdate(bson.M{"$set": bson.M{"epoch": epoch}}),
			mongo.NewUpdateOneModel().SetFilter(bson.M{"_id": id}).SetUpdate(bson.M{"$set": bson.M{"epoch": epoch}}),
		})
		return err
	})
}

// BulkInsert writes new documents over nobody, and refuses nobody.
func BulkInsert(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.Collection("inserted").BulkWrite(ctx, []mongo.WriteModel{ // want "unfencedwrite|tokennotcompared"
			mongo.NewDeleteOneModel().SetFilter(bson.M{"_id": id}),
		})
		return err
	})
}

// BulkGiven sends models from elsewhere.
func BulkGiven(ctx context.Context, s *concurrency.Session, db *mongo.Database, models func() []mongo.WriteModel) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.Collection("given").BulkWrite(ctx, models()) // want "unprovedwrite"
		return err
	})
}

// Max advances the epoch and refuses nobody.
func Max(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return matched(db.Collection("max").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"open": true}, "$max": bson.M{"epoch": epoch}})) // want "tokennotcompared"
	})
}

// MaxGuarded compares, too.
func MaxGuarded(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return matched(db.Collection("docks").UpdateOne(ctx, bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}}, bson.M{"$inc": bson.M{"n": 1}, "$max": bson.M{"epoch": epoch}}))
	})
}

// Or is open on one side.
func Or(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return matched(db.Collection("or").UpdateOne(ctx, bson.M{"_id": id, "$or": bson.A{bson.M{"open": true}, bson.M{"epoch": bson.M{"$lt": epoch}}}}, bson.M{"$set": bson.M{"epoch": epoch}})) // want "staleadmitted"
	})
}

// Missing is open where the field is missing.
func Missing(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return matched(db.Collection("docks").UpdateOne(ctx, bson.M{"_id": id, "$or": bson.A{bson.M{"epoch": bson.M{"$exists": false}}, bson.M{"epoch": bson.M{"$lt": epoch}}}}, bson.M{"$set": bson.M{"epoch": epoch}})) // want "nulladmitted"
	})
}

// ByID has no filter.
func ByID(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		return matched(db.Collection("byid").UpdateByID(ctx, id, bson.M{"$set": bson.M{"epoch": epoch}})) // want "unfencedwrite|tokennotcompared"
	})
}

// Modified asks for the wrong count.
func Deaf(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.Collection("deaf").UpdateOne(ctx, bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}}, bson.M{"$set": bson.M{"epoch": epoch}}) // want "rejectionignored"
		return err
	})
}

// Unkeyed would insert a second document when it is refused.
func Unkeyed(ctx context.Context, s *concurrency.Session, db *mongo.Database, name string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.Collection("unkeyed").UpdateOne(ctx, bson.M{"name": name, "epoch": bson.M{"$lt": epoch}}, bson.M{"$set": bson.M{"epoch": epoch}}, options.UpdateOne().SetUpsert(true)) // want "staleadmitted|unprovedwrite|rejectionignored|unfencedwrite"
		return err
	})
}

// Crane is a document with its version.
type Crane struct {
	ID      string `bson:"_id"`
	Version int64
}

// Versioned compares the version that it has read, and moves it.
func Versioned(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(int64) error {
		var c Crane
		if err := db.Collection("cranes").FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil {
			return err
		}
		return matched(db.Collection("cranes").UpdateOne(ctx, bson.M{"_id": id, "version": c.Version}, bson.M{"$set": bson.M{"up": true}, "$inc": bson.M{"version": 1}}))
	})
}

// VersionedBulk does so by a model.
func VersionedBulk(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(int64) error {
		var c Crane
		if err := db.Collection("cranes").FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil {
			return err
		}
		r, err := db.Collection("cranes").BulkWrite(ctx, []mongo.WriteModel{
			mongo.NewUpdateOneModel().SetFilter(bson.M{"_id": id, "version": c.Version}).SetUpdate(bson.M{"$set": bson.M{"up": true}, "$inc": bson.M{"version": 1}}),
		})
		if err != nil {
			return err
		}
		if r.MatchedCount == 0 {
			return errStale
		}
		return nil
	})
}

// Unmoved compares the version and leaves it as it is.
func Unmoved(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(int64) error {
		var c Crane
		if err := db.Collection("cranes").FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil {
			return err
		}
		return matched(db.Collection("cranes").UpdateOne(ctx, bson.M{"_id": id, "version": c.Version}, bson.M{"$set": bson.M{"up": true}})) // want "unfencedwrite"
	})
}

// VersionedDeaf does not look at the count.
func VersionedDeaf(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string) error {
	return held(ctx, s, func(int64) error {
		var c Crane
		if err := db.Collection("cranes").FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil {
			return err
		}
		_, err := db.Collection("cranes").UpdateOne(ctx, bson.M{"_id": id, "version": c.Version}, bson.M{"$inc": bson.M{"version": 1}}) // want "rejectionignored"
		return err
	})
}

func matched(res *mongo.UpdateResult, err error) error {
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return errStale
	}
	return nil
}
