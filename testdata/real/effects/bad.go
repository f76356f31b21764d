package effects

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/smtp"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/effects/wire"
)

var errStale = errors.New("stale owner")

// Service does the work of the bad functions.
type Service struct {
	m    *concurrency.Mutex
	hc   *http.Client
	api  *wire.Client
	db   *sql.DB
	host string
}

// NewService names itself after its host.
func NewService(m *concurrency.Mutex, hc *http.Client, db *sql.DB) *Service {
	host, _ := os.Hostname()
	return &Service{m: m, hc: hc, db: db, host: host, api: &wire.Client{HTTP: hc}}
}

//fencelint:lock correctness
func (s *Service) lock(ctx context.Context) (func(), error) {
	if err := s.m.Lock(ctx); err != nil {
		return nil, err
	}
	return func() { s.m.Unlock(context.WithoutCancel(ctx)) }, nil
}

// BadForm cannot carry a key.
func BadForm(ctx context.Context, m *concurrency.Mutex, v url.Values) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	resp, err := http.PostForm("https://ledger.example/bookings", v) // want "missingidempotency"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// BadPost cannot either.
func (s *Service) BadPost(ctx context.Context, body []byte) error {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return err
	}
	defer s.m.Unlock(context.WithoutCancel(ctx))
	resp, err := s.hc.Post("https://ledger.example/bookings", "application/json", bytes.NewReader(body)) // want "missingidempotency"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// BadDelete has a method that is not known to read.
func (s *Service) BadDelete(ctx context.Context, id string) error {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return err
	}
	defer s.m.Unlock(context.WithoutCancel(ctx))
	req, err := http.NewRequest(http.MethodDelete, "https://ledger.example/bookings/"+id, nil)
	if err != nil {
		return err
	}
	resp, err := s.hc.Do(req.WithContext(ctx)) // want "missingidempotency"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// BadLiteral builds the request by hand.
func (s *Service) BadLiteral(ctx context.Context, u *url.URL) error {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return err
	}
	defer s.m.Unlock(context.WithoutCancel(ctx))
	req := &http.Request{Method: "PUT", URL: u, Header: http.Header{"Accept": []string{"*/*"}}}
	resp, err := s.hc.Do(req) // want "missingidempotency"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// BadOtherRequest sets the key on a request that it does not send.
func (s *Service) BadOtherRequest(ctx context.Context, id string) error {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return err
	}
	defer s.m.Unlock(context.WithoutCancel(ctx))
	probe, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://ledger.example/health", nil)
	if err != nil {
		return err
	}
	probe.Header.Set("Idempotency-Key", "booking-"+id)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	if resp, err := s.hc.Do(probe); err == nil {
		resp.Body.Close()
	}
	resp, err := s.hc.Do(req) // want "missingidempotency"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// BadTooLate sets the key when the request has gone.
func (s *Service) BadTooLate(ctx context.Context, id string) error {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return err
	}
	defer s.m.Unlock(context.WithoutCancel(ctx))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	resp, err := s.hc.Do(req) // want "missingidempotency"
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", id)
	return resp.Body.Close()
}

// BadEmpty sends an empty key through a helper of another package.
func (s *Service) BadEmpty(ctx context.Context, v any) error {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return err
	}
	defer s.m.Unlock(context.WithoutCancel(ctx))
	return s.api.Call(ctx, http.MethodPost, "/bookings", "", v) // want "missingidempotency"
}

// BadHeaders sends headers, but no key among them.
func (s *Service) BadHeaders(ctx context.Context, body []byte) error {
	//fencelint:lock correctness
	if err := s.m.Lock(ctx); err != nil {
		return err
	}
	defer s.m.Unlock(context.WithoutCancel(ctx))
	return s.api.Send(ctx, map[string]string{"Accept": "text/plain"}, body) // want "missingidempotency"
}

// BadMail speaks to the relay itself.
func BadMail(ctx context.Context, m *concurrency.Mutex, c *smtp.Client, to string, body []byte) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	if err := c.Mail("noreply@example.org"); err != nil {
		return err
	}
	if err := c.Rcpt(to); err != nil {
		return err
	}
	w, err := c.Data() // want "missingidempotency"
	if err != nil {
		return err
	}
	if _, err := w.Write(body); err != nil {
		return err
	}
	return w.Close()
}

// BadClock makes the key from the time.
func (s *Service) BadClock(ctx context.Context, id string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", fmt.Sprintf("%s-%d", id, time.Now().UnixNano()))
	resp, err := s.hc.Do(req) // want "unstableidempotency"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// BadHost makes the key from the owner's name.
func (s *Service) BadHost(ctx context.Context, id string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := wire.Keyed(ctx, "https://ledger.example/bookings", s.host+"/"+id, nil)
	if err != nil {
		return err
	}
	resp, err := s.hc.Do(req) // want "unstableidempotency"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// BadPod does so by the environment.
func (s *Service) BadPod(ctx context.Context, id string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return s.api.Call(ctx, "POST", "/bookings", os.Getenv("POD_NAME")+id, nil) // want "unstableidempotency"
}

// BadEpoch takes the fencing token for a key.
func (s *Service) BadEpoch(ctx context.Context, id string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", id+"-"+strconv.FormatInt(s.m.Header().Revision, 10))
	resp, err := s.hc.Do(req) // want "unstableidempotency"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// BadAttempt counts the attempts in the key.
func (s *Service) BadAttempt(ctx context.Context, id string) (err error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for attempt := 0; attempt < 3; attempt++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
		if err != nil {
			return err
		}
		req.Header.Set("Idempotency-Key", fmt.Sprintf("booking-%s-%d", id, attempt))
		resp, err := s.hc.Do(req) // want "unstableidempotency"
		if err == nil {
			return resp.Body.Close()
		}
	}
	return errStale
}

// BadRange counts them with range.
func (s *Service) BadRange(ctx context.Context, id string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for n := range 5 {
		if err = s.api.Call(ctx, "POST", "/bookings", id+"/"+strconv.Itoa(n), nil); err == nil { // want "unstableidempotency"
			break
		}
		time.Sleep(time.Second)
	}
	return err
}

// BadRandom draws the key in a helper.
func (s *Service) BadRandom(ctx context.Context) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := wire.New(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	wire.SetKey(req, draw())
	resp, err := s.hc.Do(req) // want "unstableidempotency"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func draw() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}

var instance = rand.Text()

// BadInstance makes the key from a value of this process.
func (s *Service) BadInstance(ctx context.Context, id string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return s.api.Send(ctx, map[string]string{"Idempotency-Key": instance + id}, nil) // want "unstableidempotency"
}

// BadHeader sends the epoch in a header of its own.
func (s *Service) BadHeader(ctx context.Context, id string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, "https://ledger.example/bookings/"+id, nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-Fencing-Token", strconv.FormatInt(s.m.Header().Revision, 10))
	resp, err := s.hc.Do(req) // want "unenforcedheader"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

type booking struct {
	ID    string
	Epoch int64
}

// BadField sends it in the body.
func (s *Service) BadField(ctx context.Context, id string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return s.api.Call(ctx, http.MethodPut, "/bookings/"+id, "", booking{id, s.m.Header().Revision}) // want "unenforcedheader"
}

// BadOrder records under the fence what has happened already.
func (s *Service) BadOrder(ctx context.Context, id int64) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.courier(ctx, id); err != nil { // want "effectbeforefence"
		return err
	}
	return s.mark(ctx, id, "ordered")
}

// BadOrderSometimes has the same in a branch.
func (s *Service) BadOrderSometimes(ctx context.Context, id int64, urgent bool) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if urgent {
		if err := smtp.SendMail("relay:25", nil, "a@example.org", []string{"b@example.org"}, nil); err != nil { // want "effectbeforefence"
			return err
		}
	}
	return s.mark(ctx, id, "ordered")
}

func (s *Service) courier(ctx context.Context, id int64) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("https://courier.example/%d", id), nil)
	if err != nil {
		return err
	}
	resp, err := s.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (s *Service) mark(ctx context.Context, id int64, state string) error {
	res, err := s.db.ExecContext(ctx,
		"UPDATE parcels SET state = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2", id, s.m.Header().Revision, state)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// BadFailed takes an error for a no.
func (s *Service) BadFailed(ctx context.Context, id int64) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.api.Call(ctx, "POST", "/payouts", fmt.Sprintf("payout-%d", id), nil); err != nil {
		return s.mark(ctx, id, "failed") // want "ambiguousoutcome"
	}
	return s.mark(ctx, id, "paid")
}

// BadTimeOut takes a time-out for a no.
func (s *Service) BadTimeOut(ctx context.Context, id int64) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	err = s.api.Call(ctx, "POST", "/payouts", fmt.Sprintf("payout-%d", id), nil)
	if errors.Is(err, context.DeadlineExceeded) {
		return s.mark(ctx, id, "failed") // want "ambiguousoutcome"
	}
	if err != nil {
		return err
	}
	return s.mark(ctx, id, "paid")
}

// BadSecondKey tries again under another key.
func (s *Service) BadSecondKey(ctx context.Context, id string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.api.Call(ctx, "POST", "/payouts", id, nil); err == nil {
		return nil
	}
	return s.api.Call(ctx, "POST", "/payouts", id+"-again", nil) // want "ambiguousoutcome"
}

// BadOnce inserts under a key that is new each time.
func (s *Service) BadOnce(ctx context.Context, order string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = s.db.ExecContext(ctx, // want "unfencedwrite"
		"INSERT INTO deliveries (id, order_id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", strings.ToLower(rand.Text()), order)
	return err
}

// BadOnceInSQL lets the database draw it.
func (s *Service) BadOnceInSQL(ctx context.Context, order string) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = s.db.ExecContext(ctx, // want "unfencedwrite"
		"INSERT INTO deliveries (id, order_id) VALUES (gen_random_uuid(), $1) ON CONFLICT (id) DO NOTHING", order)
	return err
}
