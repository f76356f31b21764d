// Package documents decides about documents that it has read, in the hold and before it.
package documents

import (
	"context"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

var errNo = errors.New("it is no draft")

type contract struct {
	State string `bson:"state"`
}

// Desk keeps a collection.
type Desk struct{ col *mongo.Collection }

// ReadByName reads and writes a collection of one name.
func ReadByName(ctx context.Context, mu *concurrency.Mutex, db *mongo.Database, id string) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	var c contract
	if err := db.Collection("a").FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil {
		return err
	}
	if c.State != "draft" {
		return errNo
	}
	_, err := db.Collection("a").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"state": "signed"}}) // want "checkthenact"
	return err
}

// ReadByField does so with one that is kept in a field.
func (d *Desk) ReadByField(ctx context.Context, mu *concurrency.Mutex, id string) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	var c contract
	if err := d.col.FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil {
		return err
	}
	if c.State != "draft" {
		return errNo
	}
	_, err := d.col.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"state": "signed"}}) // want "checkthenact"
	return err
}

// ReadByID writes by the id alone.
func (d *Desk) ReadByID(ctx context.Context, mu *concurrency.Mutex, id string) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	var c contract
	if err := d.col.FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil {
		return err
	}
	if c.State != "draft" {
		return errNo
	}
	_, err := d.col.UpdateByID(ctx, id, bson.M{"$set": bson.M{"state": "signed"}}) // want "checkthenact"
	return err
}

func key(s string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: s}}
}

// SeatsBefore reads an item before it has the lock, and decides about a number in it.
func SeatsBefore(ctx context.Context, mu *concurrency.Mutex, db *dynamodb.Client, show string) error {
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("e1"), Key: key(show)}) // want "staleread"
	if err != nil {
		return err
	}
	v, ok := out.Item["seats"].(*types.AttributeValueMemberN)
	if !ok {
		return errNo
	}
	seats, err := strconv.Atoi(v.Value)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	if seats == 0 {
		return errNo
	}
	_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "unfencedwrite"
		TableName: aws.String("e1"), Key: key(show), UpdateExpression: aws.String("SET seats = :n"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":n": &types.AttributeValueMemberN{Value: strconv.Itoa(seats - 1)}},
	})
	return err
}

// SoldBefore decides about whether an attribute is there.
func SoldBefore(ctx context.Context, mu *concurrency.Mutex, db *dynamodb.Client, show string) error {
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("e2"), Key: key(show)}) // want "staleread"
	if err != nil {
		return err
	}
	if len(out.Item) == 0 {
		return errNo
	}
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	if _, sold := out.Item["sold"]; sold {
		return errNo
	}
	_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "unfencedwrite"
		TableName: aws.String("e2"), Key: key(show), UpdateExpression: aws.String("SET sold = :n"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":n": &types.AttributeValueMemberN{Value: "1"}},
	})
	return err
}

// DraftBefore reads a document before it has the lock.
func DraftBefore(ctx context.Context, mu *concurrency.Mutex, db *mongo.Database, id string) error {
	var c contract
	if err := db.Collection("f").FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil { // want "staleread"
		return err
	}
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	if c.State != "draft" {
		return errNo
	}
	_, err := db.Collection("f").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"state": "signed"}}) // want "unfencedwrite"
	return err
}

// Moved moves the very state that it has read.
func Moved(ctx context.Context, mu *concurrency.Mutex, db *mongo.Database, id string) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	var c struct {
		State string `bson:"state"`
		Rev   int64  `bson:"rev"`
	}
	if err := db.Collection("deeds").FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil {
		return err
	}
	if c.State != "draft" {
		return errNo
	}
	res, err := db.Collection("deeds").UpdateOne(ctx, bson.M{"_id": id, "rev": c.Rev}, bson.M{"$set": bson.M{"state": "signed"}, "$inc": bson.M{"rev": 1}})
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return errNo
	}
	return nil
}

// OtherDocument decides by the document of another collection.
func OtherDocument(ctx context.Context, mu *concurrency.Mutex, db *mongo.Database, id string) error {
	//fencelint:lock correctness
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	var c contract
	if err := db.Collection("people").FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil {
		return err
	}
	if c.State != "here" {
		return errNo
	}
	_, err := db.Collection("letters").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"state": "sent"}}) // want "unfencedwrite"
	return err
}
