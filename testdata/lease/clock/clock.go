// Package clock decides whose time is over.
package clock

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var errBusy = errors.New("busy")

// BadTake compares with its own clock.
func BadTake(ctx context.Context, db *sql.DB, me string) error {
	//fencelint:lock correctness
	res, err := db.ExecContext(ctx, `UPDATE jobs SET owner = $1, beat = $2 WHERE id = 1 AND (owner IS NULL OR beat < $3)`, // want "clientclock"
		me, time.Now(), time.Now().Add(-time.Minute))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errBusy, err)
	}
	return nil
}

// GoodTake lets the database compare.
func GoodTake(ctx context.Context, db *sql.DB, me string) error {
	//fencelint:lock correctness
	res, err := db.ExecContext(ctx, `UPDATE jobs SET owner = $1, beat = now() WHERE id = 2 AND (owner IS NULL OR beat < now() - interval '1 minute')`, me)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errBusy, err)
	}
	return nil
}

// BadItem compares an attribute with its own clock.
func BadItem(ctx context.Context, c *dynamodb.Client, me string) error {
	now := time.Now().Unix()
	//fencelint:lock correctness
	_, err := c.PutItem(ctx, &dynamodb.PutItemInput{ // want "clientclock"
		TableName:           aws.String("locks"),
		Item:                map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "l"}, "owner": &types.AttributeValueMemberS{Value: me}},
		ConditionExpression: aws.String("attribute_not_exists(id) OR expires < :now"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":now": &types.AttributeValueMemberN{Value: strconv.FormatInt(now, 10)},
		},
	})
	return err
}
