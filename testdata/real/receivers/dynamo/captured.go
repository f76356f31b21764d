package dynamo

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// berth is an item that says which ship lies there.
type berth struct {
	db        *dynamodb.Client
	id, owner string
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// capture takes a berth while no other ship lies there; it is nil if one does.
func capture(ctx context.Context, db *dynamodb.Client, id string) (*berth, error) {
	owner := rand.Text()
	now := strconv.FormatInt(time.Now().Unix(), 10)
	//fencelint:lock correctness
	_, err := db.PutItem(ctx, &dynamodb.PutItemInput{ // want "clientclock"
		TableName:                 aws.String("berth_locks"),
		Item:                      map[string]types.AttributeValue{"id": text(id), "lock_owner": text(owner), "lock_until": text(now)},
		ConditionExpression:       aws.String("attribute_not_exists(lock_owner) OR lock_until < :now"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":now": text(now)},
	})
	var taken *types.ConditionalCheckFailedException
	if errors.As(err, &taken) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &berth{db: db, id: id, owner: owner}, nil
}

func (b *berth) load(ctx context.Context, cargo string) error {
	_, err := b.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("berth_locks"), Key: key(b.id), UpdateExpression: aws.String("SET cargo = :cargo"),
		ConditionExpression:       aws.String("lock_owner = :owner"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":cargo": text(cargo), ":owner": text(b.owner)},
	})
	return err
}

func (b *berth) unload(ctx context.Context) error {
	_, err := b.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("berth_locks"), Key: key(b.id), UpdateExpression: aws.String("REMOVE cargo"),
	})
	return err
}

// Load names the owner; what is nil has none.
func Load(ctx context.Context, db *dynamodb.Client, id, cargo string) error {
	b, err := capture(ctx, db, id)
	if err != nil {
		return err
	}
	if b == nil {
		return nil
	}
	return b.load(ctx, cargo)
}

// Unload names nobody.
func Unload(ctx context.Context, db *dynamodb.Client, id string) error {
	b, err := capture(ctx, db, id)
	if err != nil || b == nil {
		return err
	}
	return b.unload(ctx) // want "unfencedwrite"
}
