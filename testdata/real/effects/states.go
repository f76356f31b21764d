package effects

import (
	"context"
	"fmt"
	"net/smtp"
)

// BadLiteralState writes the state into the text.
func (s *Service) BadLiteralState(ctx context.Context, id int64) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.api.Call(ctx, "POST", "/payouts", fmt.Sprintf("payout-%d", id), nil); err != nil {
		_, err := s.db.ExecContext(ctx, // want "ambiguousoutcome"
			"UPDATE payouts SET state = 'failed' WHERE id = $1 AND state = 'paying'", id)
		return err
	}
	return nil
}

// BadReleased gives the slot free when the mail may have gone.
func (s *Service) BadReleased(ctx context.Context, id int64) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	res, err := s.db.ExecContext(ctx, "INSERT INTO mailed (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	//fencelint:accept missingidempotency reason="the relay has no keys"
	if err := smtp.SendMail("relay:25", nil, "a@example.org", []string{"b@example.org"}, nil); err != nil {
		_, err := s.db.ExecContext(ctx, "DELETE FROM mailed WHERE id = $1", id) // want "ambiguousoutcome"
		return err
	}
	return nil
}

// GoodLog tells a log of it.
func (s *Service) GoodLog(ctx context.Context, id int64) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.api.Call(ctx, "POST", "/payouts", fmt.Sprintf("payout-%d", id), nil); err != nil {
		_, lerr := s.db.ExecContext(ctx,
			"INSERT INTO audit (id, text) VALUES ($1, 'failed to get an answer') ON CONFLICT (id) DO NOTHING", id)
		if lerr != nil {
			return lerr
		}
		return err
	}
	return nil
}

// GoodReopen opens the work again, which is done under the same key.
func (s *Service) GoodReopen(ctx context.Context, id int64) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.api.Call(ctx, "POST", "/payouts", fmt.Sprintf("payout-%d", id), nil); err != nil {
		return s.mark(ctx, id, "open")
	}
	return s.mark(ctx, id, "paid")
}

// GoodAsked removes a record because nobody could be asked about it: a question has no
// outcome that may be unknown.
func (s *Service) GoodAsked(ctx context.Context, id int64) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.api.Call(ctx, "GET", "/payouts", fmt.Sprintf("payout-%d", id), nil); err != nil {
		_, err := s.db.ExecContext(ctx, "DELETE FROM asked WHERE id = $1", id) // want "unfencedwrite"
		return err
	}
	return nil
}
