// Package verbrow keeps locks in items of which neither the table nor a column speaks of
// one: the functions do.
package verbrow

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Items are those of one table.
type Items struct {
	db    *dynamodb.Client
	table string
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// GrabLock is refused while another one has the path.
func (t *Items) GrabLock(ctx context.Context, path, id string) (bool, error) {
	x, err := expression.NewBuilder().WithCondition(expression.Name("key").AttributeNotExists().Or(expression.Name("id").Equal(expression.Value(id)))).Build()
	if err != nil {
		return false, err
	}
	_, err = t.db.PutItem(ctx, &dynamodb.PutItemInput{ // taken
		TableName: aws.String(t.table), ConditionExpression: x.Condition(),
		ExpressionAttributeNames: x.Names(), ExpressionAttributeValues: x.Values(),
		Item: map[string]types.AttributeValue{"key": text(path), "id": text(id), "time": text(time.Now().Format(time.RFC3339))},
	})
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return false, nil
	}
	return err == nil, err
}

// ReleaseLock gives it back.
func (t *Items) ReleaseLock(ctx context.Context, path, id string) error {
	x, err := expression.NewBuilder().WithCondition(expression.Name("id").Equal(expression.Value(id))).Build()
	if err != nil {
		return err
	}
	_, err = t.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: aws.String(t.table), ConditionExpression: x.Condition(),
		ExpressionAttributeNames: x.Names(), ExpressionAttributeValues: x.Values(),
		Key: map[string]types.AttributeValue{"key": text(path)},
	})
	return err
}

// Add is refused in the same way, and takes nothing that others want.
func (t *Items) Add(ctx context.Context, path, id string) error {
	_, err := t.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String(t.table), ConditionExpression: aws.String("attribute_not_exists(path)"),
		Item: map[string]types.AttributeValue{"path": text(path), "id": text(id)},
	})
	return err
}
