// Package dynamoclaim claims items of DynamoDB by a number that each claim raises.
package dynamoclaim

import (
	"context"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var errNoEpoch = errors.New("no epoch in the answer")

type attrs = map[string]types.AttributeValue

func text(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }

func number(v int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(v, 10)}
}

func flag(v bool) types.AttributeValue { return &types.AttributeValueMemberBOOL{Value: v} }

func claim(ctx context.Context, c *dynamodb.Client, id, raise string, back types.ReturnValue) (int64, error) {
	out, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("parcels"), Key: attrs{"id": text(id)},
		UpdateExpression:          aws.String(raise),
		ConditionExpression:       aws.String("busy = :n"),
		ExpressionAttributeValues: attrs{":y": flag(true), ":n": flag(false), ":one": number(1)},
		ReturnValues:              back,
	})
	if err != nil {
		return 0, err
	}
	e, ok := out.Attributes["epoch"].(*types.AttributeValueMemberN)
	if !ok {
		return 0, errNoEpoch
	}
	return strconv.ParseInt(e.Value, 10, 64)
}

func label(ctx context.Context, c *dynamodb.Client, id, l string, epoch int64) error {
	_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("parcels"), Key: attrs{"id": text(id)},
		UpdateExpression:          aws.String("SET label = :l"),
		ConditionExpression:       aws.String("epoch = :e"),
		ExpressionAttributeValues: attrs{":l": text(l), ":e": number(epoch)},
	})
	return err
}

// Added names the number of its own claim, which ADD has raised.
func Added(ctx context.Context, c *dynamodb.Client, id, l string) error {
	//fencelint:lock correctness
	epoch, err := claim(ctx, c, id, "SET busy = :y ADD epoch :one", types.ReturnValueUpdatedNew)
	if err != nil {
		return err
	}
	return label(ctx, c, id, l, epoch)
}

// Summed raises it by a sum.
func Summed(ctx context.Context, c *dynamodb.Client, id, l string) error {
	//fencelint:lock correctness
	epoch, err := claim(ctx, c, id, "SET busy = :y, epoch = epoch + :one", types.ReturnValueAllNew)
	if err != nil {
		return err
	}
	return label(ctx, c, id, l, epoch)
}

// Stamped leaves its number behind and compares it with nothing.
func Stamped(ctx context.Context, c *dynamodb.Client, id, l string) error {
	//fencelint:lock correctness
	epoch, err := claim(ctx, c, id, "SET busy = :y ADD epoch :one", types.ReturnValueUpdatedNew)
	if err != nil {
		return err
	}
	_, err = c.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "tokennotcompared"
		TableName: aws.String("parcels"), Key: attrs{"id": text(id)},
		UpdateExpression:          aws.String("SET label = :l, sent_by = :e"),
		ConditionExpression:       aws.String("attribute_exists(id)"),
		ExpressionAttributeValues: attrs{":l": text(l), ":e": number(epoch)},
	})
	return err
}
