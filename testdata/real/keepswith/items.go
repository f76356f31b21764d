package keepswith

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
)

type attrs = map[string]types.AttributeValue

func text(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }

// Shard has its lease in an item, with how far its reader has come.
type Shard struct {
	c        *dynamodb.Client
	id       string
	owner    string
	position string
}

func capture(ctx context.Context, c *dynamodb.Client, id string) (*Shard, error) {
	now := time.Now()
	s := &Shard{c: c, id: id, owner: uuid.NewString()}
	//fencelint:lock correctness
	_, err := c.PutItem(ctx, &dynamodb.PutItemInput{ // want "clientclock"
		TableName:                 aws.String("shards"),
		Item:                      attrs{"Shard": text(id), "OwnerID": text(s.owner), "LastUpdate": text(now.Format(time.RFC3339))},
		ConditionExpression:       aws.String("attribute_not_exists(OwnerID) OR LastUpdate <= :cutoff"),
		ExpressionAttributeValues: attrs{":cutoff": text(now.Add(-time.Minute).Format(time.RFC3339))},
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Shard) commit(ctx context.Context) error {
	_, err := s.c.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:                 aws.String("shards"),
		Item:                      attrs{"Shard": text(s.id), "OwnerID": text(s.owner), "LastUpdate": text(time.Now().Format(time.RFC3339)), "Position": text(s.position)},
		ConditionExpression:       aws.String("OwnerID = :me"),
		ExpressionAttributeValues: attrs{":me": text(s.owner)},
	})
	return err
}

// GoodItem hears of a refusal.
func GoodItem(ctx context.Context, c *dynamodb.Client, id, position string) error {
	s, err := capture(ctx, c, id)
	if err != nil {
		return err
	}
	s.position = position
	return s.commit(ctx)
}

// BadItem does not.
func BadItem(ctx context.Context, c *dynamodb.Client, id, position string) error {
	s, err := capture(ctx, c, id)
	if err != nil {
		return err
	}
	s.position = position
	s.commit(ctx) // want "rejectionignored"
	return nil
}
