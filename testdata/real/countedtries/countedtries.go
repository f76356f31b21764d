// Package countedtries counts the attempts in a literal that somebody else runs again, and
// writes numbers as digits.
package countedtries

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/etcd/client/v3/concurrency"
	"k8s.io/client-go/util/retry"
)

var errStale = errors.New("stale")

func post(ctx context.Context, key string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://pay.example/charges", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return errors.New(resp.Status)
	}
	return nil
}

func always(error) bool { return true }

// Pay tries again under one key, and counts beside it.
func Pay(ctx context.Context, m *concurrency.Mutex, body []byte) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tries := 0
	return retry.OnError(retry.DefaultRetry, always, func() error {
		tries++
		if err := post(ctx, "order-1", body); err != nil {
			return fmt.Errorf("attempt %d: %w", tries, err)
		}
		return nil
	})
}

// PayAnew has the number of the attempt in its key.
func PayAnew(ctx context.Context, m *concurrency.Mutex, body []byte) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	tries := 0
	return retry.OnError(retry.DefaultRetry, always, func() error {
		tries++
		return post(ctx, fmt.Sprintf("order-2-%d", tries), body) // want "ambiguousoutcome|unstableidempotency"
	})
}

func put(ctx context.Context, c *dynamodb.Client, table string, fence any) error {
	expr, err := expression.NewBuilder().
		WithCondition(expression.Name("fence").LessThan(expression.Value(fence))).
		WithUpdate(expression.Set(expression.Name("fence"), expression.Value(fence))).
		Build()
	if err != nil {
		return err
	}
	_, err = c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                 aws.String(table),
		Key:                       map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "1"}},
		UpdateExpression:          expr.Update(),
		ConditionExpression:       expr.Condition(),
		ExpressionAttributeNames:  expr.Names(),
		ExpressionAttributeValues: expr.Values(),
	})
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return errStale
	}
	return err
}

// Number is stored as a number.
func Number(ctx context.Context, c *dynamodb.Client, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return put(ctx, c, "numbers", m.Header().Revision)
}

// Printed is stored as a text.
func Printed(ctx context.Context, c *dynamodb.Client, m *concurrency.Mutex) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return put(ctx, c, "printed", fmt.Sprint(m.Header().Revision)) // want "fencecolumn"
}
