package tokens

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"fencelint.example/real/tokens/clerk"
	"fencelint.example/real/tokens/wire"
	"go.etcd.io/etcd/client/v3/concurrency"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// BadConvert goes through a narrow number.
func (d *Desk) BadConvert(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	n := int32(turn)
	return d.write(ctx, id, int64(n)) // want "fencecolumn"
}

// BadDigits writes the digits of the time.
func (d *Desk) BadDigits(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	text := strconv.FormatInt(time.Now().UnixNano(), 10)
	back, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return err
	}
	return d.write(ctx, id, back) // want "clocktoken"
}

// BadFormat formats more than the token.
func (d *Desk) BadFormat(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	text := fmt.Sprintf("%d%d", d.tries, turn)
	back, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return err
	}
	return d.write(ctx, id, int64(back)) // want "localcounter"
}

// BadScan scans what came with the request.
func (d *Desk) BadScan(ctx context.Context, id int64, r *http.Request) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var back int64
	if _, err := fmt.Sscan(r.FormValue("fence"), &back); err != nil {
		return err
	}
	return d.write(ctx, id, back) // want "untrustedtoken"
}

// BadScanf scans a host name with a format.
func (d *Desk) BadScanf(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var back int64
	if _, err := fmt.Sscanf(d.host, "node-%d", &back); err != nil {
		return err
	}
	return d.write(ctx, id, back) // want "opaquetoken"
}

// BadArith adds a time to it.
func (d *Desk) BadArith(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	next := turn + time.Now().Unix()
	return d.write(ctx, id, next) // want "clocktoken"
}

// BadScaled shifts it to the right, so that several are one.
func (d *Desk) BadScaled(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	base := turn >> 8
	return d.write(ctx, id, base) // want "unprovedwrite"
}

// BadMap takes another entry of the map.
func (d *Desk) BadMap(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	vals := map[string]int64{"id": id}
	vals["epoch"] = turn
	return d.write(ctx, id, vals["eppch"]) // want "zerotoken"
}

// BadChannel receives a time.
func (d *Desk) BadChannel(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	c := make(chan int64, 1)
	c <- time.Now().UnixNano()
	return d.write(ctx, id, <-c) // want "clocktoken"
}

// BadSelect selects a number that it counts itself.
func (d *Desk) BadSelect(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	c := make(chan int64, 1)
	d.tries++
	c <- d.tries
	select {
	case t := <-c:
		return d.write(ctx, id, t) // want "localcounter"
	case <-ctx.Done():
		return ctx.Err()
	}
}

// BadClosure has the time from a literal.
func (d *Desk) BadClosure(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	token := func() int64 { return time.Now().UnixNano() }
	return d.write(ctx, id, token()) // want "clocktoken"
}

// BadNamed compares digits as text.
func (d *Desk) BadNamed(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	e := wire.Epoch(turn)
	return clerk.One(d.db.ExecContext(ctx, `UPDATE ledgers SET booked = true, fence = $2::text WHERE id = $1 AND fence < $2::text`, id, e.String())) // want "fencecolumn"
}

// BadError carries a time in an error.
func (d *Desk) BadError(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	err = fmt.Errorf("elected: %w", &wire.Won{Epoch: time.Now().UnixNano()})
	var won *wire.Won
	if !errors.As(err, &won) {
		return err
	}
	return d.write(ctx, id, won.Epoch) // want "clocktoken"
}

// BadJSON decodes a message of somebody else.
func (d *Desk) BadJSON(ctx context.Context, id int64, r *http.Request) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var job wire.Job
	if err := json.NewDecoder(r.Body).Decode(&job); err != nil {
		return err
	}
	return d.write(ctx, id, job.Epoch) // want "untrustedtoken"
}

// BadCodec lets another package decode what came in.
func (d *Desk) BadCodec(ctx context.Context, id int64, b []byte) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	job, err := wire.Decode(b)
	if err != nil {
		return err
	}
	return d.write(ctx, id, int64(job.Epoch)) // want "untrustedtoken"
}

// BadGetter asks a message for a time.
func (d *Desk) BadGetter(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	t := wire.NewTicket(id, time.Now().UnixNano())
	return d.write(ctx, id, t.GetEpoch()) // want "clocktoken"
}

// BadProto decodes a message of somebody else.
func (d *Desk) BadProto(ctx context.Context, id int64, b []byte) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var v wrapperspb.Int64Value
	if err := proto.Unmarshal(b, &v); err != nil {
		return err
	}
	return d.write(ctx, id, v.GetValue()) // want "untrustedtoken"
}

// BadStored draws from a sequence.
func (d *Desk) BadStored(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var back int64
	err = d.db.QueryRowContext(ctx, `SELECT nextval('epochs')`).Scan(&back)
	if err != nil {
		return err
	}
	return d.write(ctx, id, back) // want "unboundcounter"
}

// BadYielded passes a function that yields a time.
func (d *Desk) BadYielded(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return clerk.Book(ctx, d.db, id, func(context.Context) (int64, error) { return time.Now().UnixNano(), nil }) // want "clocktoken"
}

// BadSource makes a clerk with a source of times.
func (d *Desk) BadSource(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	c := &clerk.Clerk{DB: d.db, Token: func(context.Context) (int64, error) { return time.Now().UnixNano(), nil }}
	return c.Post(ctx, id) // want "clocktoken"
}

// BadMethod passes a method that counts.
func (d *Desk) BadMethod(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return clerk.Book(ctx, d.db, id, d.count) // want "localcounter"
}

// BadAtomic counts in an atomic.
func (d *Desk) BadAtomic(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var kept atomic.Int64
	return d.write(ctx, id, kept.Add(1)) // want "localcounter"
}

// BadPointer points to nothing yet.
func (d *Desk) BadPointer(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var t int64
	job := struct{ fence *int64 }{&t}
	return d.write(ctx, id, *job.fence) // want "zerotoken"
}

// BadSlice takes the wrong one out of a list.
func (d *Desk) BadSlice(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	list := []int64{time.Now().Unix()}
	list = append(list, turn)
	return d.write(ctx, id, list[0]) // want "clocktoken"
}

// BadContext carries a time in a context.
func (d *Desk) BadContext(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	ctx = context.WithValue(ctx, epochKey{}, wire.Epoch(time.Now().UnixNano()))
	return d.fromContext(ctx, id) // want "clocktoken"
}

// BadWorker hands a time to a goroutine by a channel, and waits.
func (d *Desk) BadWorker(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	done := make(chan error, 1)
	jobs := make(chan wire.Job)
	go func() {
		job := <-jobs
		done <- d.write(ctx, job.ID, job.Epoch) // want "clocktoken"
	}()
	jobs <- wire.Job{ID: id, Epoch: wire.Epoch(time.Now().UnixNano())}
	return <-done
}

// BadBig goes through a floating number.
func (d *Desk) BadBig(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	f := float64(turn)
	return d.write(ctx, id, int64(f)) // want "fencecolumn"
}

// BadVolatile takes the header of an election, which moves.
func (d *Desk) BadVolatile(ctx context.Context, id int64) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.write(ctx, id, d.el.Header().Revision) // want "volatiletoken"
}

// BadLease takes the id of the lease.
func (d *Desk) BadLease(ctx context.Context, id int64, s *concurrency.Session) error {
	_, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return d.write(ctx, id, int64(s.Lease())) // want "opaquetoken"
}

// BadZero drops the error that leaves the token empty.
func (d *Desk) BadZero(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var t int64
	if turn > 5 {
		t = turn
	}
	return d.write(ctx, id, t) // want "zerotoken"
}

// BadMismatch compares one number and stores another.
func (d *Desk) BadMismatch(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return clerk.One(d.db.ExecContext(ctx, `UPDATE ledgers SET booked = true, fence = $3 WHERE id = $1 AND fence < $2`, id, turn, id)) // want "tokenmismatch"
}
