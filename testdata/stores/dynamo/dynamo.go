// Package dynamo writes items of DynamoDB.
package dynamo

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale owner")

func lock(ctx context.Context, s *concurrency.Session) (*concurrency.Mutex, error) {
	m := concurrency.NewMutex(s, "/locks/seat")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

func n(v int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(v, 10)}
}
func str(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }

func GoodNames(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	in := &dynamodb.UpdateItemInput{
		TableName:                 aws.String("docs"),
		Key:                       map[string]types.AttributeValue{"id": str(id)},
		UpdateExpression:          aws.String("SET #v = :v, #f = :f"),
		ConditionExpression:       aws.String("attribute_not_exists(id) OR #f < :f"),
		ExpressionAttributeNames:  map[string]string{"#f": "fence", "#v": "body"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": n(m.Header().Revision), ":v": str(v)},
	}
	if _, err := db.UpdateItem(ctx, in); err != nil {
		var no *types.ConditionalCheckFailedException
		if errors.As(err, &no) {
			return errStale
		}
		return err
	}
	return nil
}

func BadSwallowed(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "rejectionignored"
		TableName:                 aws.String("docs"),
		Key:                       map[string]types.AttributeValue{"id": str(id)},
		UpdateExpression:          aws.String("SET body = :v, fence = :f"),
		ConditionExpression:       aws.String("fence < :f"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": n(m.Header().Revision), ":v": str(v)},
	})
	var no *types.ConditionalCheckFailedException
	if errors.As(err, &no) {
		return nil
	}
	return err
}

func BadText(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "fencecolumn"
		TableName:                 aws.String("docs"),
		Key:                       map[string]types.AttributeValue{"id": str(id)},
		UpdateExpression:          aws.String("SET body = :v, fence = :f"),
		ConditionExpression:       aws.String("fence < :f"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": str(fmt.Sprint(m.Header().Revision)), ":v": str(v)},
	})
	return err
}

func BadPlain(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{ // want "unfencedwrite"
		TableName: aws.String("docs"),
		Item:      map[string]types.AttributeValue{"id": str(id), "v": str(v)},
	})
	return err
}

func BadStored(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{ // want "tokennotcompared"
		TableName: aws.String("docs"),
		Item:      map[string]types.AttributeValue{"id": str(id), "v": str(v), "fence": n(m.Header().Revision)},
	})
	return err
}

func BadOr(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "staleadmitted"
		TableName:                 aws.String("docs"),
		Key:                       map[string]types.AttributeValue{"id": str(id)},
		UpdateExpression:          aws.String("SET body = :v, fence = :f"),
		ConditionExpression:       aws.String("fence < :f OR attribute_not_exists(body)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": n(m.Header().Revision), ":v": str(v)},
	})
	return err
}

func BadDelete(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = db.DeleteItem(ctx, &dynamodb.DeleteItemInput{ // want "unfencedwrite"
		TableName: aws.String("scraps"), Key: map[string]types.AttributeValue{"id": str(id)},
	})
	return err
}

func GoodTransaction(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err = db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Update: &types.Update{
			TableName:                 aws.String("fences"),
			Key:                       map[string]types.AttributeValue{"id": str(id)},
			UpdateExpression:          aws.String("SET fence = :f"),
			ConditionExpression:       aws.String("attribute_not_exists(fence) OR fence < :f"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":f": n(m.Header().Revision)},
		}},
		{Put: &types.Put{TableName: aws.String("docs"), Item: map[string]types.AttributeValue{"id": str(id), "v": str(v)}}},
	}})
	return err
}

func BadHidden(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	c := fmt.Sprintf("%x", len(id))
	_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "unprovedwrite"
		TableName:                 aws.String("docs"),
		Key:                       map[string]types.AttributeValue{"id": str(id)},
		UpdateExpression:          aws.String("SET body = :v, fence = :f"),
		ConditionExpression:       aws.String("fence < :f OR x = " + c),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": n(m.Header().Revision), ":v": str(v)},
	})
	return err
}

func GoodSteps(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v, note string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	values := map[string]types.AttributeValue{":f": n(m.Header().Revision), ":v": str(v)}
	update := "SET body = :v, fence = :f"
	if note != "" {
		values[":n"] = str(note)
		update += ", note = :n"
	}
	in := &dynamodb.UpdateItemInput{TableName: aws.String("docs"), Key: map[string]types.AttributeValue{"id": str(id)}}
	in.ConditionExpression = aws.String("fence < :f")
	in.UpdateExpression = aws.String(update)
	in.ExpressionAttributeValues = values
	_, err = db.UpdateItem(ctx, in)
	return err
}

func BadSteps(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id, v, note string) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	values := map[string]types.AttributeValue{":f": n(m.Header().Revision), ":v": str(v)}
	cond := "fence < :f"
	if note != "" {
		values[":n"] = str(note)
		cond += " OR note = :n"
	}
	in := &dynamodb.UpdateItemInput{TableName: aws.String("docs"), Key: map[string]types.AttributeValue{"id": str(id)}}
	in.ConditionExpression = aws.String(cond)
	in.UpdateExpression = aws.String("SET body = :v, fence = :f")
	in.ExpressionAttributeValues = values
	_, err = db.UpdateItem(ctx, in) // want "staleadmitted"
	return err
}
