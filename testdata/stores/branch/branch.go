// Package branch adds the condition of a write only sometimes.
package branch

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

var errStale = errors.New("stale owner")

func Bad(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, v string, force bool) error {
	m := concurrency.NewMutex(s, "/locks/seat")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	filter := bson.M{"_id": id}
	if !force {
		filter["fence"] = bson.M{"$lt": f}
	}
	res, err := c.UpdateOne(ctx, filter, bson.M{"$set": bson.M{"v": v, "fence": f}}) // want "unprovedwrite"
	if err != nil {
		return err
	}
	if res.MatchedCount == 0 {
		return errStale
	}
	return nil
}

func BadDynamo(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string, force bool) error {
	m := concurrency.NewMutex(s, "/locks/seat")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	in := &dynamodb.UpdateItemInput{
		TableName:        aws.String("docs"),
		Key:              map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
		UpdateExpression: aws.String("SET fence = :f"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":f": &types.AttributeValueMemberN{Value: strconv.FormatInt(m.Header().Revision, 10)}},
	}
	if !force {
		in.ConditionExpression = aws.String("fence < :f")
	}
	_, err := db.UpdateItem(ctx, in) // want "tokennotcompared"
	return err
}
