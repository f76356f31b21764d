// Package dynamodb1 locks by an item that must not exist, with the first client.
package dynamodb1

import (
	"context"
	"database/sql"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/service/dynamodb"
	"github.com/google/uuid"
)

const open = `UPDATE stalls SET open = true WHERE id = 1`

// Unfenced has no number to present.
func Unfenced(ctx context.Context, c *dynamodb.DynamoDB, db *sql.DB) error {
	//fencelint:lock correctness
	_, err := c.PutItemWithContext(ctx, &dynamodb.PutItemInput{
		TableName:           aws.String("locks"),
		Item:                map[string]*dynamodb.AttributeValue{"id": {S: aws.String("stall")}, "owner": {S: aws.String(uuid.NewString())}},
		ConditionExpression: aws.String("attribute_not_exists(id)"),
	})
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, open) // want "unfencedwrite"
	return err
}

// Ignored goes on without the lock.
func Ignored(c *dynamodb.DynamoDB, db *sql.DB) error {
	//fencelint:lock correctness
	c.PutItem(&dynamodb.PutItemInput{ // want "acquireignored"
		TableName:           aws.String("locks"),
		Item:                map[string]*dynamodb.AttributeValue{"id": {S: aws.String("barn")}, "owner": {S: aws.String(uuid.NewString())}},
		ConditionExpression: aws.String("attribute_not_exists(id)"),
	})
	_, err := db.Exec(open) // want "unfencedwrite"
	return err
}
