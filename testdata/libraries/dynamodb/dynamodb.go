// Package dynamodb locks by an item that must not exist.
package dynamodb

import (
	"context"
	"database/sql"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, c *dynamodb.Client, db *sql.DB) error {
	//fencelint:lock correctness
	_, err := c.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:           aws.String("locks"),
		Item:                map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "stall"}, "owner": &types.AttributeValueMemberS{Value: uuid.NewString()}},
		ConditionExpression: aws.String("attribute_not_exists(id)"),
	})
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock.
func Ignored(ctx context.Context, c *dynamodb.Client, db *sql.DB) error {
	//fencelint:lock correctness
	c.PutItem(ctx, &dynamodb.PutItemInput{ // want "acquireignored"
		TableName:           aws.String("locks"),
		Item:                map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "barn"}, "owner": &types.AttributeValueMemberS{Value: uuid.NewString()}},
		ConditionExpression: aws.String("attribute_not_exists(id)"),
	})
	_, err := db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Once puts an item that is not there, which is no lock.
func Once(ctx context.Context, c *dynamodb.Client, id string) error {
	_, err := c.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:           aws.String("orders"),
		Item:                map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
		ConditionExpression: aws.String("attribute_not_exists(id)"),
	})
	return err
}
