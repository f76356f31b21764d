// Package forgotten has rows that are inserted where they are missing, and deletes some: the
// fence goes away with the row.
package forgotten

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

var errStale = errors.New("a newer owner was there")

// Shop keeps stalls.
type Shop struct {
	mu *concurrency.Mutex
	db *sql.DB
	kv *dynamodb.Client
	md *mongo.Database
}

//fencelint:lock correctness
func (s *Shop) take(ctx context.Context) (int64, func(), error) {
	if err := s.mu.Lock(ctx); err != nil {
		return 0, nil, err
	}
	return s.mu.Header().Revision, func() { s.mu.Unlock(context.WithoutCancel(ctx)) }, nil
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// BadOpen inserts a stall that Close deletes.
func (s *Shop) BadOpen(ctx context.Context, id int64) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	const open = `INSERT INTO stalls (id, fence) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET fence = excluded.fence WHERE stalls.fence < excluded.fence`
	return one(s.db.ExecContext(ctx, open, id, fence)) // want "nulladmitted"
}

// Close compares all the same.
func (s *Shop) Close(ctx context.Context, id int64) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(s.db.ExecContext(ctx, `DELETE FROM stalls WHERE id = $1 AND fence < $2`, id, fence))
}

// GoodOpen inserts a booth, which Shut marks as shut.
func (s *Shop) GoodOpen(ctx context.Context, id int64) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(s.db.ExecContext(ctx, `INSERT INTO booths (id, fence) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET fence = excluded.fence WHERE booths.fence < excluded.fence`, id, fence))
}

// Shut keeps the row.
func (s *Shop) Shut(ctx context.Context, id int64) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return one(s.db.ExecContext(ctx, `UPDATE booths SET shut = true, fence = $2 WHERE id = $1 AND fence < $2`, id, fence))
}

// Sweep deletes what is older than any pause.
func (s *Shop) Sweep(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM booths WHERE shut AND updated_at < now() - interval '1 year'`)
	return err
}

func key(id string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}
}

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// BadItem lets everybody in where the item is missing.
func (s *Shop) BadItem(ctx context.Context, id string) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	_, err = s.kv.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "nulladmitted"
		TableName: aws.String("carts"), Key: key(id),
		UpdateExpression:          aws.String("SET fence = :f"),
		ConditionExpression:       aws.String("attribute_not_exists(id) OR fence < :f"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": number(fence)},
	})
	return err
}

// GoodItem lets nobody in there.
func (s *Shop) GoodItem(ctx context.Context, id string) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	_, err = s.kv.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("carts"), Key: key(id),
		UpdateExpression:          aws.String("SET fence = :f"),
		ConditionExpression:       aws.String("fence < :f"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": number(fence)},
	})
	return err
}

// Drop deletes items.
func (s *Shop) Drop(ctx context.Context, id string) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	_, err = s.kv.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: aws.String("carts"), Key: key(id),
		ConditionExpression:       aws.String("fence < :f"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": number(fence)},
	})
	return err
}

// BadNot lets the stored number itself in: an attribute is a number, never NULL.
func (s *Shop) BadNot(ctx context.Context, id string) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	_, err = s.kv.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "equaladmitted"
		TableName: aws.String("tills"), Key: key(id),
		UpdateExpression:          aws.String("ADD cents :one SET fence = :f"),
		ConditionExpression:       aws.String("NOT fence > :f"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": number(fence), ":one": number(1)},
	})
	return err
}

// BadDocument inserts a document where none matches, and Clear deletes some.
func (s *Shop) BadDocument(ctx context.Context, id string) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	_, err = s.md.Collection("sheds").UpdateOne(ctx, bson.M{"_id": id, "fence": bson.M{"$lt": fence}}, // want "nulladmitted"
		bson.M{"$set": bson.M{"fence": fence}}, options.UpdateOne().SetUpsert(true))
	return err
}

// Clear deletes under the fence.
func (s *Shop) Clear(ctx context.Context, id string) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	res, err := s.md.Collection("sheds").DeleteOne(ctx, bson.M{"_id": id, "fence": bson.M{"$lt": fence}})
	if err == nil && res.DeletedCount == 0 {
		return errStale
	}
	return err
}

// Shed is a document.
type Shed struct {
	ID    string `bson:"_id"`
	Roof  string `bson:"roof"`
	Fence int64  `bson:"fence"`
}

// GoodReplace replaces a document that the caller filled, all but the number.
func (s *Shop) GoodReplace(ctx context.Context, d Shed) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	d.Fence = fence
	res, err := s.md.Collection("barns").ReplaceOne(ctx, bson.M{"_id": d.ID, "fence": bson.M{"$lt": fence}}, d)
	if err == nil && res.MatchedCount == 0 {
		return errStale
	}
	return err
}

// BadReplace compares, and keeps the number that the caller brought.
func (s *Shop) BadReplace(ctx context.Context, d Shed) error {
	fence, release, err := s.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	d.Roof = "tiles"
	res, err := s.md.Collection("huts").ReplaceOne(ctx, bson.M{"_id": d.ID, "fence": bson.M{"$lt": fence}}, d) // want "tokenmismatch|fencenotadvanced|unprovedwrite"
	if err == nil && res.MatchedCount == 0 {
		return errStale
	}
	return err
}
