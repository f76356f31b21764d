// Package entries puts the values of a request under names that a method is given.
package entries

import (
	"context"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Depot keeps parts.
type Depot struct {
	mu *concurrency.Mutex
	db *dynamodb.Client
}

type change struct {
	in *dynamodb.UpdateItemInput
}

func changing(id string) *change {
	return &change{&dynamodb.UpdateItemInput{
		TableName:                 aws.String("parts"),
		Key:                       map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
		ExpressionAttributeValues: map[string]types.AttributeValue{},
	}}
}

func (c *change) set(expr string) *change {
	c.in.UpdateExpression = aws.String(expr)
	return c
}

func (c *change) demand(cond string) *change {
	c.in.ConditionExpression = aws.String(cond)
	return c
}

func (c *change) number(name string, n int64) *change {
	c.in.ExpressionAttributeValues[name] = &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
	return c
}

// Good demands a smaller number.
func (d *Depot) Good(ctx context.Context, id string, count int64) error {
	//fencelint:lock correctness
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer d.mu.Unlock(context.WithoutCancel(ctx))
	c := changing(id).set("SET stock = :n, epoch = :e").demand("epoch < :e").number(":n", count).number(":e", d.mu.Header().Revision)
	_, err := d.db.UpdateItem(ctx, c.in)
	return err
}

// Bad demands another one.
func (d *Depot) Bad(ctx context.Context, id string, count int64) error {
	//fencelint:lock correctness
	if err := d.mu.Lock(ctx); err != nil {
		return err
	}
	defer d.mu.Unlock(context.WithoutCancel(ctx))
	c := changing(id).set("SET stock = :n, epoch = :e").demand("epoch <> :e").number(":n", count).number(":e", d.mu.Header().Revision)
	_, err := d.db.UpdateItem(ctx, c.in) // want "staleadmitted"
	return err
}
