package byhand

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Chief is an item that says who leads, and until when.
type Chief struct {
	ddb   *dynamodb.Client
	table string
	me    string
}

func seconds(t time.Time) *types.AttributeValueMemberN {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(t.Unix(), 10)}
}

// Become is refused while another one leads.
func (c *Chief) Become(ctx context.Context) error {
	_, err := c.ddb.PutItem(ctx, &dynamodb.PutItemInput{ // want "clientclock"
		TableName: aws.String(c.table),
		Item: map[string]types.AttributeValue{
			"Name": &types.AttributeValueMemberS{Value: "leader"}, "Owner": &types.AttributeValueMemberS{Value: c.me},
			"ExpiresAt": seconds(time.Now().Add(time.Minute)),
		},
		ConditionExpression:       aws.String("attribute_not_exists(#o) OR ExpiresAt < :now"),
		ExpressionAttributeNames:  map[string]string{"#o": "Owner"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":now": seconds(time.Now())},
	})
	return err
}

// Lead works under it.
func (c *Chief) Lead(ctx context.Context, db *sql.DB) error {
	if err := c.Become(ctx); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE t SET a = 1`) // want "unfencedwrite"
	return err
}

// Register puts an item that is there once, as data is.
func Register(ctx context.Context, ddb *dynamodb.Client, db *sql.DB, mail string) error {
	if _, err := ddb.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:           aws.String("users"),
		Item:                map[string]types.AttributeValue{"Mail": &types.AttributeValueMemberS{Value: mail}},
		ConditionExpression: aws.String("attribute_not_exists(Mail)"),
	}); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, `UPDATE t SET a = 1`)
	return err
}
