// Package mongokept keeps its collections in fields.
package mongokept

import (
	"context"
	"errors"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

var errStale = errors.New("a newer owner was there")

// Kitchen keeps recipes, and drafts of them.
type Kitchen struct {
	session         *concurrency.Session
	recipes, drafts *mongo.Collection
}

// New is how a kitchen is made.
func New(s *concurrency.Session, db *mongo.Database) *Kitchen {
	return &Kitchen{session: s, recipes: db.Collection("recipes"), drafts: db.Collection("drafts")}
}

// Edit compares and stores the epoch.
func (k *Kitchen) Edit(ctx context.Context, id, text string) error {
	m := concurrency.NewMutex(k.session, "/recipes/"+id)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	rev := m.Header().Revision
	res, err := k.recipes.UpdateOne(ctx, bson.M{"_id": id, "fence": bson.M{"$lt": rev}}, bson.M{"$set": bson.M{"text": text, "fence": rev}})
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return errStale
	}
	return nil
}

// Tidy changes drafts only.
func (k *Kitchen) Tidy(ctx context.Context, before time.Time) error {
	_, err := k.drafts.DeleteMany(ctx, bson.M{"edited": bson.M{"$lt": before}})
	return err
}

// Strip goes past the guard of the recipes.
func (k *Kitchen) Strip(ctx context.Context, before time.Time) error {
	_, err := k.recipes.UpdateMany(ctx, bson.M{"edited": bson.M{"$lt": before}}, bson.M{"$unset": bson.M{"note": ""}}) // want "bypasswrite"
	return err
}
