// Package narrow writes through an interface of its own for the few methods of a
// generated client that it calls: nothing in sight says what is behind it.
package narrow

import (
	"context"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Items is what the package needs of the client.
type Items interface {
	PutItem(ctx context.Context, in *dynamodb.PutItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
}

// ErrStale says that a newer owner has written.
var ErrStale = errors.New("a newer owner has written")

// Blind has no condition.
func Blind(ctx context.Context, s *concurrency.Session, items Items) error {
	m := concurrency.NewMutex(s, "/locks/totals")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	_, err := items.PutItem(ctx, &dynamodb.PutItemInput{ // want "unfencedwrite"
		TableName: aws.String("totals"),
		Item:      map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}},
	})
	return err
}

// Fenced is taken only above the epoch that is stored.
func Fenced(ctx context.Context, s *concurrency.Session, items Items) error {
	m := concurrency.NewMutex(s, "/locks/sums")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	epoch := strconv.FormatInt(m.Header().Revision, 10)
	_, err := items.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:                 aws.String("sums"),
		Item:                      map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}, "epoch": &types.AttributeValueMemberN{Value: epoch}},
		ConditionExpression:       aws.String("attribute_not_exists(id) OR epoch < :epoch"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":epoch": &types.AttributeValueMemberN{Value: epoch}},
	})
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return ErrStale
	}
	return err
}
