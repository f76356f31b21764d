// Package stripe takes payments.
package stripe

import (
	"context"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/google/uuid"
	"github.com/stripe/stripe-go/v82"
	"github.com/stripe/stripe-go/v82/paymentintent"
	"github.com/stripe/stripe-go/v82/refund"
)

func lock(ctx context.Context, rs *redsync.Redsync, order string) (*redsync.Mutex, error) {
	m := rs.NewMutex("pay:"+order, redsync.WithExpiry(time.Minute))
	//fencelint:lock correctness
	if err := m.LockContext(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

// GoodKey has the same key for every attempt at one order.
func GoodKey(ctx context.Context, rs *redsync.Redsync, order string, cents int64) error {
	m, err := lock(ctx, rs, order)
	if err != nil {
		return err
	}
	defer m.UnlockContext(context.WithoutCancel(ctx))
	params := &stripe.PaymentIntentParams{Amount: stripe.Int64(cents), Currency: stripe.String("eur")}
	params.Context = ctx
	params.SetIdempotencyKey("order-" + order)
	_, err = paymentintent.New(params)
	return err
}

// BadRandom draws a new key for every attempt.
func BadRandom(ctx context.Context, rs *redsync.Redsync, order string, cents int64) error {
	m, err := lock(ctx, rs, order)
	if err != nil {
		return err
	}
	defer m.UnlockContext(context.WithoutCancel(ctx))
	params := &stripe.PaymentIntentParams{Amount: stripe.Int64(cents), Currency: stripe.String("eur")}
	params.Context = ctx
	params.SetIdempotencyKey(uuid.NewString())
	_, err = paymentintent.New(params) // want "unstableidempotency"
	return err
}

// BadNone leaves the key to the client, which draws one.
func BadNone(ctx context.Context, rs *redsync.Redsync, order string, cents int64) error {
	m, err := lock(ctx, rs, order)
	if err != nil {
		return err
	}
	defer m.UnlockContext(context.WithoutCancel(ctx))
	params := &stripe.PaymentIntentParams{Amount: stripe.Int64(cents), Currency: stripe.String("eur")}
	params.Context = ctx
	_, err = paymentintent.New(params) // want "missingidempotency"
	return err
}

// GoodRefund sets the key in the field.
func GoodRefund(ctx context.Context, rs *redsync.Redsync, pi string) error {
	m, err := lock(ctx, rs, pi)
	if err != nil {
		return err
	}
	defer m.UnlockContext(context.WithoutCancel(ctx))
	p := &stripe.RefundParams{PaymentIntent: stripe.String(pi)}
	p.IdempotencyKey = stripe.String("refund:" + pi)
	_, err = refund.New(p)
	return err
}

// BadDrawn takes a key that the library draws.
func BadDrawn(ctx context.Context, rs *redsync.Redsync, pi string) error {
	m, err := lock(ctx, rs, pi)
	if err != nil {
		return err
	}
	defer m.UnlockContext(context.WithoutCancel(ctx))
	p := &stripe.RefundParams{PaymentIntent: stripe.String(pi)}
	p.SetIdempotencyKey(stripe.NewIdempotencyKey())
	_, err = refund.New(p) // want "unstableidempotency"
	return err
}
