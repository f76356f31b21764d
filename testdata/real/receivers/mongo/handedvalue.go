package mongo

import (
	"context"

	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Handed sets a field to a document that is made elsewhere: it is stored as it is.
func Handed(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string, state bson.M) error {
	return held(ctx, s, func(epoch int64) error {
		return matched(db.Collection("docks").UpdateOne(ctx,
			bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}},
			bson.D{{Key: "$set", Value: bson.D{{Key: "state", Value: state}, {Key: "epoch", Value: epoch}}}}))
	})
}

// HandedFields leaves to others which fields are set: the epoch may be among them.
func HandedFields(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string, fields bson.M) error {
	return held(ctx, s, func(epoch int64) error {
		return matched(db.Collection("docks").UpdateOne(ctx, // want "unprovedwrite"
			bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}}, bson.M{"$set": fields}))
	})
}

// HandedCondition leaves to others what the epoch is compared by.
func HandedCondition(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string, older bson.M) error {
	return held(ctx, s, func(epoch int64) error {
		return matched(db.Collection("docks").UpdateOne(ctx, // want "unprovedwrite"
			bson.M{"_id": id, "epoch": older}, bson.M{"$set": bson.M{"epoch": epoch}}))
	})
}

// HandedStage computes the epoch in a stage from what others hand in.
func HandedStage(ctx context.Context, s *concurrency.Session, db *mongo.Database, id string, next bson.M) error {
	return held(ctx, s, func(epoch int64) error {
		return matched(db.Collection("docks").UpdateOne(ctx, // want "unprovedwrite"
			bson.M{"_id": id, "epoch": bson.M{"$lt": epoch}}, bson.A{bson.M{"$set": bson.M{"epoch": next}}}))
	})
}
