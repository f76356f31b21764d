// Package begunagain has leases whose number is deleted with them.
package begunagain

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

var errStale = errors.New("stale owner")

func store(ctx context.Context, db *sql.DB, epoch int64) error {
	res, err := db.ExecContext(ctx, `UPDATE bills SET sent = true, epoch = $1 WHERE id = 9 AND epoch < $1`, epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

type docs struct {
	kept, gone *mongo.Collection
	db         *sql.DB
}

func newDocs(m *mongo.Database, db *sql.DB) *docs {
	return &docs{kept: m.Collection("kept"), gone: m.Collection("gone"), db: db}
}

type lease struct {
	Epoch int64 `bson:"epoch"`
}

// GoodKept leaves the document there.
func (d *docs) GoodKept(ctx context.Context, me string) error {
	var l lease
	//fencelint:lock correctness
	err := d.kept.FindOneAndUpdate(ctx, bson.M{"_id": "x", "holder": ""}, bson.M{"$set": bson.M{"holder": me}, "$inc": bson.M{"epoch": 1}},
		options.FindOneAndUpdate().SetUpsert(true).SetReturnDocument(options.After)).Decode(&l)
	if err != nil {
		return err
	}
	defer d.kept.UpdateOne(ctx, bson.M{"_id": "x", "epoch": l.Epoch}, bson.M{"$set": bson.M{"holder": ""}})
	return store(ctx, d.db, l.Epoch)
}

// BadGone deletes it.
func (d *docs) BadGone(ctx context.Context, me string) error {
	var l lease
	//fencelint:lock correctness
	err := d.gone.FindOneAndUpdate(ctx, bson.M{"_id": "x", "holder": ""}, bson.M{"$set": bson.M{"holder": me}, "$inc": bson.M{"epoch": 1}},
		options.FindOneAndUpdate().SetUpsert(true).SetReturnDocument(options.After)).Decode(&l)
	if err != nil {
		return err
	}
	defer d.gone.DeleteOne(ctx, bson.M{"_id": "x", "epoch": l.Epoch})
	return store(ctx, d.db, l.Epoch) // want "volatiletoken"
}

type items struct {
	c  *dynamodb.Client
	db *sql.DB
}

func key() map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "x"}}
}

func number(out *dynamodb.UpdateItemOutput, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	n, ok := out.Attributes["epoch"].(*types.AttributeValueMemberN)
	if !ok {
		return 0, errStale
	}
	return strconv.ParseInt(n.Value, 10, 64)
}

func claim(table, me string) *dynamodb.UpdateItemInput {
	return &dynamodb.UpdateItemInput{
		TableName: aws.String(table), Key: key(),
		UpdateExpression: aws.String("SET holder = :me ADD epoch :one"), ConditionExpression: aws.String("attribute_not_exists(holder)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":me": &types.AttributeValueMemberS{Value: me}, ":one": &types.AttributeValueMemberN{Value: "1"}},
		ReturnValues:              types.ReturnValueUpdatedNew,
	}
}

func mine(epoch int64) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{":e": &types.AttributeValueMemberN{Value: strconv.FormatInt(epoch, 10)}}
}

// GoodItem takes the holder out.
func (i *items) GoodItem(ctx context.Context, me string) error {
	//fencelint:lock correctness
	n, err := number(i.c.UpdateItem(ctx, claim("kept", me)))
	if err != nil {
		return err
	}
	defer i.c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("kept"), Key: key(), UpdateExpression: aws.String("REMOVE holder"),
		ConditionExpression: aws.String("epoch = :e"), ExpressionAttributeValues: mine(n),
	})
	return store(ctx, i.db, n)
}

// BadItem takes the item out.
func (i *items) BadItem(ctx context.Context, me string) error {
	//fencelint:lock correctness
	n, err := number(i.c.UpdateItem(ctx, claim("gone", me)))
	if err != nil {
		return err
	}
	defer i.c.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: aws.String("gone"), Key: key(), ConditionExpression: aws.String("epoch = :e"), ExpressionAttributeValues: mine(n),
	})
	return store(ctx, i.db, n) // want "volatiletoken"
}
