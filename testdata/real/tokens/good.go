package tokens

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync/atomic"

	"fencelint.example/real/tokens/clerk"
	"fencelint.example/real/tokens/wire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// GoodConvert converts between whole numbers of 64 bits.
func (d *Desk) GoodConvert(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	u := uint64(turn)
	e := wire.Epoch(u)
	return d.write(ctx, id, int64(e))
}

// GoodDigits writes digits and reads them again.
func (d *Desk) GoodDigits(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	text := strconv.FormatInt(turn, 10)
	back, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return err
	}
	return d.write(ctx, id, back)
}

// GoodFormat formats and parses.
func (d *Desk) GoodFormat(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	text := fmt.Sprintf("%d", turn)
	back, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return err
	}
	return d.write(ctx, id, int64(back))
}

// GoodScan scans what it printed.
func (d *Desk) GoodScan(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var back int64
	if _, err := fmt.Sscan(fmt.Sprint(turn), &back); err != nil {
		return err
	}
	return d.write(ctx, id, back)
}

// GoodScanf scans with a format.
func (d *Desk) GoodScanf(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var back int64
	if _, err := fmt.Sscanf(fmt.Sprintf("epoch=%d", turn), "epoch=%d", &back); err != nil {
		return err
	}
	return d.write(ctx, id, back)
}

// GoodArith adds a constant, and takes the greater of the epoch and nothing.
func (d *Desk) GoodArith(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	next := max(turn, 0) + 1
	return d.write(ctx, id, next)
}

// GoodScaled shifts it to make room for steps.
func (d *Desk) GoodScaled(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	base := turn << 8
	return d.write(ctx, id, base)
}

// GoodMap keeps it in a map.
func (d *Desk) GoodMap(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	vals := map[string]int64{"id": id}
	vals["epoch"] = turn
	return d.write(ctx, id, vals["epoch"])
}

// GoodChannel sends it to itself.
func (d *Desk) GoodChannel(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	c := make(chan int64, 1)
	c <- turn
	return d.write(ctx, id, <-c)
}

// GoodSelect selects what it sends to itself.
func (d *Desk) GoodSelect(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	c := make(chan int64, 1)
	c <- turn
	select {
	case t := <-c:
		return d.write(ctx, id, t)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// GoodClosure has it from a literal.
func (d *Desk) GoodClosure(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	token := func() int64 { return turn }
	return d.write(ctx, id, token())
}

// GoodNamed has it in a type of its own, and writes digits that the database reads.
func (d *Desk) GoodNamed(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	e := wire.Epoch(turn)
	return clerk.One(d.db.ExecContext(ctx, `UPDATE ledgers SET booked = true, fence = $2::bigint WHERE id = $1 AND fence < $2::bigint`, id, e.String()))
}

// GoodError carries it in an error.
func (d *Desk) GoodError(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	err = fmt.Errorf("elected: %w", &wire.Won{Epoch: turn})
	var won *wire.Won
	if !errors.As(err, &won) {
		return err
	}
	return d.write(ctx, id, won.Epoch)
}

// GoodJSON encodes a message and decodes it.
func (d *Desk) GoodJSON(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	b, err := json.Marshal(wire.Job{ID: id, Epoch: wire.Epoch(turn)})
	if err != nil {
		return err
	}
	var job wire.Job
	if err := json.Unmarshal(b, &job); err != nil {
		return err
	}
	return d.write(ctx, id, job.Epoch)
}

// GoodCodec lets another package encode and decode.
func (d *Desk) GoodCodec(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	b, err := wire.Encode(wire.Job{ID: id, Epoch: wire.Epoch(turn)})
	if err != nil {
		return err
	}
	job, err := wire.Decode(b)
	if err != nil {
		return err
	}
	return d.write(ctx, id, int64(job.Epoch))
}

// GoodGetter asks a message by its getter.
func (d *Desk) GoodGetter(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	t := wire.NewTicket(id, turn)
	return d.write(ctx, id, t.GetEpoch())
}

// GoodProto encodes a message of protocol buffers and decodes it.
func (d *Desk) GoodProto(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	b, err := proto.Marshal(wrapperspb.Int64(turn))
	if err != nil {
		return err
	}
	var v wrapperspb.Int64Value
	if err := proto.Unmarshal(b, &v); err != nil {
		return err
	}
	return d.write(ctx, id, v.GetValue())
}

// GoodStored stores it first and takes what the database gives back.
func (d *Desk) GoodStored(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var back int64
	err = d.db.QueryRowContext(ctx, `UPDATE offices SET epoch = $2 WHERE id = $1 AND epoch < $2 RETURNING epoch`, id, turn).Scan(&back)
	if err != nil {
		return err
	}
	return d.write(ctx, id, back)
}

// GoodYielded passes a function that yields it.
func (d *Desk) GoodYielded(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return clerk.Book(ctx, d.db, id, func(context.Context) (int64, error) { return turn, nil })
}

// GoodSource makes a clerk with a source.
func (d *Desk) GoodSource(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	c := &clerk.Clerk{DB: d.db, Token: func(context.Context) (int64, error) { return turn, nil }}
	return c.Post(ctx, id)
}

// GoodMethod passes its own method.
func (d *Desk) GoodMethod(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	d.epoch = turn
	return clerk.Book(ctx, d.db, id, d.current)
}

// GoodAtomic keeps it in an atomic.
func (d *Desk) GoodAtomic(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var kept atomic.Int64
	kept.Store(turn)
	return d.write(ctx, id, kept.Load())
}

// GoodPointer points to it.
func (d *Desk) GoodPointer(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	p := &turn
	job := struct{ fence *int64 }{p}
	return d.write(ctx, id, *job.fence)
}

// GoodSlice has it in a list.
func (d *Desk) GoodSlice(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	list := []int64{id}
	list = append(list, turn)
	return d.write(ctx, id, list[1])
}

// GoodContext carries it in a context under a typed key.
func (d *Desk) GoodContext(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	ctx = context.WithValue(ctx, epochKey{}, wire.Epoch(turn))
	return d.fromContext(ctx, id)
}

// GoodWorker hands it to a goroutine by a channel, and waits.
func (d *Desk) GoodWorker(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	done := make(chan error, 1)
	jobs := make(chan wire.Job)
	go func() {
		job := <-jobs
		done <- d.write(ctx, job.ID, job.Epoch)
	}()
	jobs <- wire.Job{ID: id, Epoch: wire.Epoch(turn)}
	return <-done
}

// GoodBig goes through a number without bounds.
func (d *Desk) GoodBig(ctx context.Context, id int64) error {
	turn, release, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	n := new(big.Int).SetInt64(turn)
	return d.write(ctx, id, n.Int64())
}
