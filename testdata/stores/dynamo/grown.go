package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// GoodGrown adds to the expression of a request that is made, and keeps its condition.
func GoodGrown(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string, ttl int64) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	in := &dynamodb.UpdateItemInput{
		TableName:                 aws.String("docs"),
		Key:                       map[string]types.AttributeValue{"id": str(id)},
		UpdateExpression:          aws.String("SET body = :v, fence = :f"),
		ConditionExpression:       aws.String("attribute_not_exists(id) OR fence < :f"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": n(m.Header().Revision), ":v": str(v)},
	}
	if ttl > 0 {
		in.ExpressionAttributeValues[":t"] = n(ttl)
		in.UpdateExpression = aws.String(aws.ToString(in.UpdateExpression) + ", ttl = :t")
	}
	_, err = db.UpdateItem(ctx, in)
	return err
}

// GoodDeref does so by the pointer.
func GoodDeref(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string, ttl int64) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	in := &dynamodb.UpdateItemInput{
		TableName:                 aws.String("docs"),
		Key:                       map[string]types.AttributeValue{"id": str(id)},
		UpdateExpression:          aws.String("SET body = :v, fence = :f"),
		ConditionExpression:       aws.String("attribute_not_exists(id) OR fence < :f"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": n(m.Header().Revision), ":v": str(v)},
	}
	if ttl > 0 {
		in.ExpressionAttributeValues[":t"] = n(ttl)
		in.UpdateExpression = aws.String(*in.UpdateExpression + ", ttl = :t")
	}
	_, err = db.UpdateItem(ctx, in)
	return err
}

// BadGrown forgets to store the number where it adds.
func BadGrown(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string, ttl int64) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	in := &dynamodb.UpdateItemInput{
		TableName:                 aws.String("docs"),
		Key:                       map[string]types.AttributeValue{"id": str(id)},
		UpdateExpression:          aws.String("SET body = :v"),
		ConditionExpression:       aws.String("attribute_not_exists(id) OR fence < :f"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": n(m.Header().Revision), ":v": str(v)},
	}
	if ttl > 0 {
		in.ExpressionAttributeValues[":t"] = n(ttl)
		in.UpdateExpression = aws.String(aws.ToString(in.UpdateExpression) + ", ttl = :t")
	}
	_, err = db.UpdateItem(ctx, in) // want "fencenotadvanced"
	return err
}

// BadUnguarded adds to an expression that nothing guards.
func BadUnguarded(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string, ttl int64) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	in := &dynamodb.UpdateItemInput{
		TableName:                 aws.String("docs"),
		Key:                       map[string]types.AttributeValue{"id": str(id)},
		UpdateExpression:          aws.String("SET body = :v"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":v": str(v)},
	}
	if ttl > 0 {
		in.ExpressionAttributeValues[":t"] = n(ttl)
		in.UpdateExpression = aws.String(aws.ToString(in.UpdateExpression) + ", ttl = :t")
	}
	_, err = db.UpdateItem(ctx, in) // want "unfencedwrite"
	return err
}
