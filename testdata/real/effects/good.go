package effects

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/smtp"
	"net/url"
	"strconv"
	"strings"

	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/effects/wire"
)

// Desk does the work of the good functions.
type Desk struct {
	m   *concurrency.Mutex
	hc  *http.Client
	api *wire.Client
	db  *sql.DB
}

// Order is a business object with a number of its own.
type Order struct {
	ID     string
	Cents  int64
	Parcel int64
}

//fencelint:lock correctness
func (d *Desk) lock(ctx context.Context) (func(), error) {
	if err := d.m.Lock(ctx); err != nil {
		return nil, err
	}
	return func() { d.m.Unlock(context.WithoutCancel(ctx)) }, nil
}

// GoodReads only look.
func (d *Desk) GoodReads(ctx context.Context) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if resp, err := d.hc.Get("https://ledger.example/bookings"); err == nil {
		resp.Body.Close()
	}
	req, err := http.NewRequestWithContext(ctx, "HEAD", "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	req, err = http.NewRequest("", "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	if resp, err = d.hc.Do(req); err != nil {
		return err
	}
	resp.Body.Close()
	return d.api.Call(ctx, http.MethodGet, "/bookings", "", nil)
}

// GoodDirect sets the key on the request.
func (d *Desk) GoodDirect(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "text/plain")
	req.Header.Set("idempotency-key", "booking-"+o.ID)
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// GoodMap sets it in the map.
func (d *Desk) GoodMap(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	req.Header["Idempotency-Key"] = []string{o.ID}
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// GoodReplaced gives the request another map of headers.
func (d *Desk) GoodReplaced(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	h := make(http.Header)
	h.Set("Idempotency-Key", o.ID)
	req.Header = h
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// GoodLiteral builds the request by hand.
func (d *Desk) GoodLiteral(ctx context.Context, u *url.URL, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req := &http.Request{Method: "PUT", URL: u, Header: http.Header{"Idempotency-Key": {o.ID}}}
	resp, err := d.hc.Do(req.WithContext(ctx))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// GoodHelpers makes it with helpers.
func (d *Desk) GoodHelpers(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := wire.New(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	wire.SetKey(req, hashed(o))
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if req, err = wire.Keyed(ctx, "https://ledger.example/bookings", "second-"+o.ID, nil); err != nil {
		return err
	}
	if resp, err = http.DefaultClient.Do(req); err != nil {
		return err
	}
	resp.Body.Close()
	if err := d.api.Call(ctx, "POST", "/bookings", "third-"+o.ID, o); err != nil {
		return err
	}
	return d.api.Send(ctx, map[string]string{"Idempotency-Key": "fourth-" + o.ID, "Accept": "text/plain"}, nil)
}

func hashed(o *Order) string {
	sum := sha256.Sum256([]byte(o.ID + "/" + strconv.FormatInt(o.Cents, 10)))
	return hex.EncodeToString(sum[:])
}

// GoodBatch sends each item under its place in the batch.
func (d *Desk) GoodBatch(ctx context.Context, batch string, bodies [][]byte) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for i, b := range bodies {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", bytes.NewReader(b))
		if err != nil {
			return err
		}
		req.Header.Set("Idempotency-Key", fmt.Sprintf("%s/%d", batch, i))
		resp, err := d.hc.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
	}
	return nil
}

// GoodRetry repeats under one key.
func (d *Desk) GoodRetry(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for attempt := 0; attempt < 3; attempt++ {
		if err = d.api.Call(ctx, "POST", "/bookings", o.ID, map[string]int{"attempt": attempt}); err == nil {
			return nil
		}
	}
	return err
}

// GoodStored may draw the key at random, for it is stored before.
func (d *Desk) GoodStored(ctx context.Context, o *Order, fresh string) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	var key string
	err = d.db.QueryRowContext(ctx, "SELECT charge_key FROM orders WHERE id = $1", o.ID).Scan(&key)
	if err != nil {
		return err
	}
	return d.api.Call(ctx, "POST", "/bookings", key, nil)
}

// GoodAccepted has nothing else.
func (d *Desk) GoodAccepted(ctx context.Context) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	//fencelint:accept missingidempotency reason="readers know the number" compensation="a correction is sent"
	return smtp.SendMail("relay:25", nil, "a@example.org", []string{"b@example.org"}, nil)
}

// GoodKeyAndToken sends both; the key is what counts.
func (d *Desk) GoodKeyAndToken(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ledger.example/bookings", nil)
	if err != nil {
		return err
	}
	req.Header.Set("X-Fencing-Token", strconv.FormatInt(d.m.Header().Revision, 10))
	req.Header.Set("Idempotency-Key", o.ID)
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Thermostat refuses older epochs with a status.
//
//fencelint:writes resource=thermostats fence=epoch kind=external
func (d *Desk) Thermostat(ctx context.Context, epoch int64, celsius string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, "https://home.example/thermostat", strings.NewReader(celsius))
	if err != nil {
		return err
	}
	req.Header.Set("X-Epoch", strconv.FormatInt(epoch, 10))
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		return errStale
	}
	return nil
}

// GoodDeclared goes through the declared function.
func (d *Desk) GoodDeclared(ctx context.Context) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return d.Thermostat(ctx, d.m.Header().Revision, "21")
}

// GoodOrder claims first.
func (d *Desk) GoodOrder(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := d.mark(ctx, o.Parcel, "ordering"); err != nil {
		return err
	}
	if err := d.api.Call(ctx, "POST", "/couriers", "parcel-"+o.ID, nil); err != nil {
		return err
	}
	return d.count(ctx, o.ID)
}

func (d *Desk) mark(ctx context.Context, id int64, state string) error {
	res, err := d.db.ExecContext(ctx,
		"UPDATE crates SET state = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2", id, d.m.Header().Revision, state)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

func (d *Desk) count(ctx context.Context, id string) error {
	_, err := d.db.ExecContext(ctx, "INSERT INTO couriers (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", id)
	return err
}

// GoodUnknown keeps the third state.
func (d *Desk) GoodUnknown(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	err = d.api.Call(ctx, "POST", "/payouts", o.ID, nil)
	switch {
	case err == nil:
		return d.mark(ctx, o.Parcel, "paid")
	case errors.Is(err, context.DeadlineExceeded):
		return d.mark(ctx, o.Parcel, "unknown")
	}
	return d.mark(ctx, o.Parcel, "unclear")
}

var errDeclined = errors.New("declined")

// GoodAnswer knows a no from silence.
func (d *Desk) GoodAnswer(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	req, err := wire.Keyed(ctx, "https://pay.example/payouts", o.ID, nil)
	if err != nil {
		return err
	}
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode == http.StatusPaymentRequired {
		return d.mark(ctx, o.Parcel, "failed")
	}
	return d.mark(ctx, o.Parcel, "paid")
}

// GoodTimeOut tells a time-out from a refusal.
func (d *Desk) GoodTimeOut(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	err = d.api.Call(ctx, "POST", "/payouts", o.ID, nil)
	var ne net.Error
	switch {
	case errors.As(err, &ne) && ne.Timeout():
		return d.mark(ctx, o.Parcel, "unknown")
	case errors.Is(err, errDeclined):
		return d.mark(ctx, o.Parcel, "failed")
	case err != nil:
		return err
	}
	return d.mark(ctx, o.Parcel, "paid")
}

// GoodAlarm answers a failure with another kind of request.
func (d *Desk) GoodAlarm(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := d.api.Call(ctx, "POST", "/payouts", o.ID, nil); err != nil {
		return errors.Join(err, d.api.Call(ctx, "POST", "/alarms", "alarm-"+o.ID, nil))
	}
	return nil
}

// GoodOnce inserts under a key of the order.
func (d *Desk) GoodOnce(ctx context.Context, o *Order) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = d.db.ExecContext(ctx,
		"INSERT INTO shipments (id, order_id, token) VALUES ($1, $2, gen_random_uuid()) ON CONFLICT (id) DO NOTHING", "s-"+o.ID, o.ID)
	return err
}

// GoodHandedIn gets the request from its caller.
func (d *Desk) GoodHandedIn(ctx context.Context, req *http.Request) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	resp, err := d.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
