// Package dynamo writes items under conditions that are put together from values.
package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/etcd/client/v3/concurrency"
)

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/ferries")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

func key(id string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}
}

// Sail compares by a method of the name.
func Sail(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		expr, err := expression.NewBuilder().
			WithCondition(expression.Name("epoch").LessThan(expression.Value(epoch))).
			WithUpdate(expression.Set(expression.Name("epoch"), expression.Value(epoch)).Set(expression.Name("state"), expression.Value("out"))).Build()
		if err != nil {
			return err
		}
		_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String("ferries"), Key: key(id), ConditionExpression: expr.Condition(), UpdateExpression: expr.Update(),
			ExpressionAttributeNames: expr.Names(), ExpressionAttributeValues: expr.Values(),
		})
		return err
	})
}

// First is open where there is no item yet.
func First(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		cond := expression.Or(expression.AttributeNotExists(expression.Name("epoch")), expression.LessThan(expression.Name("epoch"), expression.Value(epoch)))
		expr, err := expression.NewBuilder().WithUpdate(expression.Set(expression.Name("epoch"), expression.Value(epoch))).WithCondition(cond).Build()
		if err != nil {
			return err
		}
		_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String("ferries"), Key: key(id), ConditionExpression: expr.Condition(), UpdateExpression: expr.Update(),
			ExpressionAttributeNames: expr.Names(), ExpressionAttributeValues: expr.Values(),
		})
		return err
	})
}

// Checked has its guard in another item of the transaction.
func Checked(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		check, err := expression.NewBuilder().WithCondition(expression.Name("epoch").Equal(expression.Value(epoch))).Build()
		if err != nil {
			return err
		}
		_, err = db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{ConditionCheck: &types.ConditionCheck{
				TableName: aws.String("fences"), Key: key("ferries"), ConditionExpression: check.Condition(),
				ExpressionAttributeNames: check.Names(), ExpressionAttributeValues: check.Values(),
			}},
			{Put: &types.Put{TableName: aws.String("trips"), Item: key(id)}},
		}})
		return err
	})
}

// Below checks what nobody moves: an equal or lower epoch that was never stored.
func Below(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		check, err := expression.NewBuilder().WithCondition(expression.Name("epoch").LessThanEqual(expression.Value(epoch))).Build()
		if err != nil {
			return err
		}
		_, err = db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{ // want "unfencedwrite"
			{ConditionCheck: &types.ConditionCheck{
				TableName: aws.String("fences"), Key: key("ferries"), ConditionExpression: check.Condition(),
				ExpressionAttributeNames: check.Names(), ExpressionAttributeValues: check.Values(),
			}},
			{Put: &types.Put{TableName: aws.String("belows"), Item: key(id)}},
		}})
		return err
	})
}

// Forgotten builds a condition that the request does not use.
func Forgotten(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		expr, err := expression.NewBuilder().
			WithCondition(expression.Name("epoch").LessThan(expression.Value(epoch))).
			WithUpdate(expression.Set(expression.Name("epoch"), expression.Value(epoch))).Build()
		if err != nil {
			return err
		}
		_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "tokennotcompared"
			TableName: aws.String("forgotten"), Key: key(id), UpdateExpression: expr.Update(),
			ExpressionAttributeNames: expr.Names(), ExpressionAttributeValues: expr.Values(),
		})
		return err
	})
}

// Turned compares the wrong way round.
func Turned(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		expr, err := expression.NewBuilder().
			WithCondition(expression.And(expression.Name("id").AttributeExists(), expression.Name("epoch").GreaterThan(expression.Value(epoch)))).
			WithUpdate(expression.Set(expression.Name("epoch"), expression.Value(epoch))).Build()
		if err != nil {
			return err
		}
		_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "staleadmitted"
			TableName: aws.String("turned"), Key: key(id), ConditionExpression: expr.Condition(), UpdateExpression: expr.Update(),
			ExpressionAttributeNames: expr.Names(), ExpressionAttributeValues: expr.Values(),
		})
		return err
	})
}

// Open has an alternative.
func Open(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		cond := expression.Name("epoch").LessThan(expression.Value(epoch)).Or(expression.Name("state").Equal(expression.Value("new")))
		expr, err := expression.NewBuilder().WithCondition(cond).WithUpdate(expression.Set(expression.Name("epoch"), expression.Value(epoch))).Build()
		if err != nil {
			return err
		}
		_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "staleadmitted"
			TableName: aws.String("open"), Key: key(id), ConditionExpression: expr.Condition(), UpdateExpression: expr.Update(),
			ExpressionAttributeNames: expr.Names(), ExpressionAttributeValues: expr.Values(),
		})
		return err
	})
}

// Given has its condition from the caller.
func Given(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id string, cond func() expression.ConditionBuilder) error {
	return held(ctx, s, func(epoch int64) error {
		expr, err := expression.NewBuilder().WithCondition(cond()).WithUpdate(expression.Set(expression.Name("epoch"), expression.Value(epoch))).Build()
		if err != nil {
			return err
		}
		_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "unprovedwrite"
			TableName: aws.String("given"), Key: key(id), ConditionExpression: expr.Condition(), UpdateExpression: expr.Update(),
			ExpressionAttributeNames: expr.Names(), ExpressionAttributeValues: expr.Values(),
		})
		return err
	})
}
