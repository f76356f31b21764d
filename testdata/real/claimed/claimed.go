// Package claimed claims rows of stores without SQL, and writes under the claim.
package claimed

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"gorm.io/gorm"
)

var errLost = errors.New("the claim is lost")

// berth claims with a value of its own.
func berth(ctx context.Context, c *mongo.Collection, id string, do func(context.Context) error) error {
	me := rand.Text()
	//fencelint:lock correctness
	res, err := c.UpdateOne(ctx,
		bson.M{"_id": id, "$expr": bson.M{"$lt": bson.A{"$until", "$$NOW"}}},
		bson.A{bson.M{"$set": bson.M{"by": me, "until": bson.M{"$add": bson.A{"$$NOW", 60000}}}}})
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return nil
	}
	if err := do(ctx); err != nil {
		return err
	}
	res, err = c.UpdateOne(ctx, bson.M{"_id": id, "by": me}, bson.M{"$set": bson.M{"done": true}})
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return errLost
	}
	return nil
}

// shelf claims with a plain update.
func shelf(ctx context.Context, c *mongo.Collection, id string, do func(context.Context) error) error {
	me := bson.NewObjectID()
	//fencelint:lock correctness
	err := c.FindOneAndUpdate(ctx,
		bson.M{"_id": id, "state": "open"},
		bson.D{{Key: "$set", Value: bson.D{{Key: "claim", Value: me}, {Key: "state", Value: "taken"}}}}).Err()
	if errors.Is(err, mongo.ErrNoDocuments) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := do(ctx); err != nil {
		return err
	}
	res, err := c.UpdateOne(ctx, bson.D{{Key: "_id", Value: id}, {Key: "claim", Value: me}}, bson.M{"$set": bson.M{"state": "done"}})
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return errLost
	}
	return nil
}

// slot claims an item and writes under the claim.
func slot(ctx context.Context, db *dynamodb.Client, id string, do func(context.Context) error) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	claim := host + "/" + rand.Text()
	//fencelint:lock correctness
	_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:           aws.String("quays"),
		Key:                 map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
		UpdateExpression:    aws.String("SET claim = :c"),
		ConditionExpression: aws.String("attribute_not_exists(claim)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":c": &types.AttributeValueMemberS{Value: claim},
		},
	})
	if err != nil {
		return err
	}
	if err := do(ctx); err != nil {
		return err
	}
	_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:           aws.String("quays"),
		Key:                 map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
		UpdateExpression:    aws.String("SET done = :d REMOVE claim"),
		ConditionExpression: aws.String("claim = :c"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":c": &types.AttributeValueMemberS{Value: claim},
			":d": &types.AttributeValueMemberN{Value: strconv.FormatInt(time.Now().Unix(), 10)},
		},
	})
	return err
}

type Task struct {
	ID    int64
	Claim string
	State string
}

// task claims with gorm.
func task(ctx context.Context, db *gorm.DB, id int64, do func(context.Context) error) error {
	claim := rand.Text()
	//fencelint:lock correctness
	res := db.WithContext(ctx).Model(&Task{}).Where("id = ? AND state = ?", id, "open").Updates(map[string]any{"claim": claim, "state": "taken"})
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return nil
	}
	if err := do(ctx); err != nil {
		return err
	}
	res = db.WithContext(ctx).Model(&Task{}).Where("id = ? AND claim = ?", id, claim).Update("state", "done")
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return errLost
	}
	return nil
}

// pid signs with the number of its process, which another process has after it.
func pid(ctx context.Context, c *mongo.Collection, id string, do func(context.Context) error) error {
	me := strconv.Itoa(os.Getpid())
	//fencelint:lock correctness
	res, err := c.UpdateOne(ctx,
		bson.M{"_id": id, "$expr": bson.M{"$lt": bson.A{"$until", "$$NOW"}}},
		bson.A{bson.M{"$set": bson.M{"by": me, "until": bson.M{"$add": bson.A{"$$NOW", 60000}}}}})
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return nil
	}
	if err := do(ctx); err != nil {
		return err
	}
	res, err = c.UpdateOne(ctx, bson.M{"_id": id, "by": me}, bson.M{"$set": bson.M{"done": true}}) // want "identityreused"
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return errLost
	}
	return nil
}

// unsigned forgets the claim when it writes.
func unsigned(ctx context.Context, db *gorm.DB, id int64) error {
	claim := rand.Text()
	//fencelint:lock correctness
	res := db.WithContext(ctx).Table("chores").Where("id = ? AND state = ?", id, "open").Updates(map[string]any{"claim": claim, "state": "taken"})
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return nil
	}
	return db.WithContext(ctx).Table("chores").Where("id = ?", id).Update("state", "done").Error // want "unfencedwrite"
}
