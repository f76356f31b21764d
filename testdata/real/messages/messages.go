// Package messages carries tokens in messages as they are generated, in metadata, and in
// texts that are taken apart again.
package messages

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"
	"google.golang.org/grpc/metadata"

	"fencelint.example/real/messages/wire"
)

var (
	errStale = errors.New("a newer owner was there")
	errBare  = errors.New("no epoch")
)

// Post sorts parcels.
type Post struct {
	mu *concurrency.Mutex
	db *sql.DB
}

//fencelint:lock correctness
func (p *Post) take(ctx context.Context) (int64, func(), error) {
	if err := p.mu.Lock(ctx); err != nil {
		return 0, nil, err
	}
	return p.mu.Header().Revision, func() { p.mu.Unlock(context.WithoutCancel(ctx)) }, nil
}

func (p *Post) sort(ctx context.Context, id, epoch int64) error {
	res, err := p.db.ExecContext(ctx, `UPDATE parcels SET sorted = true, epoch = $2 WHERE id = $1 AND epoch < $2`, id, epoch)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

// GoodOptional has the number in a field that may be left out.
func (p *Post) GoodOptional(ctx context.Context, id int64) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	job := &wire.Job{Id: id, Meta: &wire.Meta{Fence: wire.Int64(epoch)}}
	return p.sort(ctx, job.GetId(), job.GetMeta().GetFence())
}

// BadOptional has a time there.
func (p *Post) BadOptional(ctx context.Context, id int64) error {
	_, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	job := &wire.Job{Id: id, Meta: &wire.Meta{Fence: wire.Int64(time.Now().UnixMilli())}}
	return p.sort(ctx, job.GetId(), job.GetMeta().GetFence()) // want "clocktoken"
}

// BadLeftOut leaves it out.
func (p *Post) BadLeftOut(ctx context.Context, id int64) error {
	_, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	job := &wire.Job{Id: id, Meta: &wire.Meta{}}
	return p.sort(ctx, job.GetId(), job.GetMeta().GetFence()) // want "zerotoken"
}

// GoodOneOf has it as one of several things.
func (p *Post) GoodOneOf(ctx context.Context, id int64) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	job := &wire.Job{Id: id, Body: &wire.Job_Turn{Turn: epoch}}
	return p.sort(ctx, job.GetId(), job.GetTurn())
}

// BadOneOf has another thing there.
func (p *Post) BadOneOf(ctx context.Context, id int64) error {
	_, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	job := &wire.Job{Id: id, Body: &wire.Job_Note{Note: "fragile"}}
	return p.sort(ctx, job.GetId(), job.GetTurn()) // want "zerotoken"
}

// GoodMetadata sends it beside a call and reads what is sent.
func (p *Post) GoodMetadata(ctx context.Context, id int64) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	return p.sent(metadata.AppendToOutgoingContext(ctx, "X-Epoch", strconv.FormatInt(epoch, 10)), id)
}

func (p *Post) sent(ctx context.Context, id int64) error {
	md, ok := metadata.FromOutgoingContext(ctx)
	if !ok || len(md.Get("x-epoch")) == 0 {
		return errBare
	}
	epoch, err := strconv.ParseInt(md.Get("x-epoch")[0], 10, 64)
	if err != nil {
		return err
	}
	return p.sort(ctx, id, epoch)
}

// BadMetadata reads what came with a call.
func (p *Post) BadMetadata(ctx context.Context, id int64) error {
	_, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	md, _ := metadata.FromIncomingContext(ctx)
	if len(md.Get("x-epoch")) == 0 {
		return errBare
	}
	epoch, err := strconv.ParseInt(md.Get("x-epoch")[0], 10, 64)
	if err != nil {
		return err
	}
	return p.sort(ctx, id, epoch) // want "untrustedtoken"
}

// GoodCut takes a text apart that it put together.
func (p *Post) GoodCut(ctx context.Context, id int64) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	token := fmt.Sprintf("%d:%d", id, epoch)
	_, last, ok := strings.Cut(token, ":")
	if !ok {
		return errBare
	}
	n, err := strconv.ParseInt(last, 10, 64)
	if err != nil {
		return err
	}
	return p.sort(ctx, id, n)
}

// BadCut takes the wrong part of it.
func (p *Post) BadCut(ctx context.Context, id int64) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	parts := strings.Split(fmt.Sprintf("%d:%d", time.Now().Unix(), epoch), ":")
	n, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil {
		return err
	}
	return p.sort(ctx, id, n) // want "clocktoken"
}

// GoodBytes writes it as bytes, and those as text.
func (p *Post) GoodBytes(ctx context.Context, id int64) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	text := base64.StdEncoding.EncodeToString(binary.BigEndian.AppendUint64(nil, uint64(epoch)))
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return err
	}
	return p.sort(ctx, id, int64(binary.BigEndian.Uint64(raw)))
}

// BadFloat reads it as a number that loses digits.
func (p *Post) BadFloat(ctx context.Context, id int64) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	f, err := strconv.ParseFloat(strconv.FormatInt(epoch, 10), 64)
	if err != nil {
		return err
	}
	return p.sort(ctx, id, int64(f)) // want "fencecolumn"
}

// parcel has a field that is not written out.
type parcel struct {
	ID    int64 `json:"id"`
	Epoch int64 `json:"epoch"`
	Turn  int64 `json:"-"`
}

// GoodWritten goes through the fields that are.
func (p *Post) GoodWritten(ctx context.Context, id int64) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	raw, err := json.Marshal(parcel{ID: id, Epoch: epoch})
	if err != nil {
		return err
	}
	var got parcel
	if err := json.Unmarshal(raw, &got); err != nil {
		return err
	}
	return p.sort(ctx, got.ID, got.Epoch)
}

// GoodKept sets the other one before: what is read leaves it as it is.
func (p *Post) GoodKept(ctx context.Context, raw []byte) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	got := parcel{Turn: epoch}
	if err := json.Unmarshal(raw, &got); err != nil {
		return err
	}
	return p.sort(ctx, got.ID, got.Turn)
}

// BadNotWritten expects the other one to come through.
func (p *Post) BadNotWritten(ctx context.Context, id int64) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	raw, err := json.Marshal(parcel{ID: id, Turn: epoch})
	if err != nil {
		return err
	}
	var got parcel
	if err := json.Unmarshal(raw, &got); err != nil {
		return err
	}
	return p.sort(ctx, got.ID, got.Turn) // want "zerotoken"
}

// BadReadBack reads other bytes into those to which it wrote.
func (p *Post) BadReadBack(ctx context.Context, id int64, peer io.ReadWriter) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	var buf [8]byte
	binary.BigEndian.PutUint64(buf[:], uint64(epoch))
	if _, err := peer.Write(buf[:]); err != nil {
		return err
	}
	if _, err := io.ReadFull(peer, buf[:]); err != nil {
		return err
	}
	return p.sort(ctx, id, int64(binary.BigEndian.Uint64(buf[:]))) // want "unprovedwrite"
}

// BadReflected sets the number by reflection.
func (p *Post) BadReflected(ctx context.Context, id int64) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	got := &parcel{Epoch: epoch}
	reflect.ValueOf(got).Elem().FieldByName("Epoch").SetInt(id)
	return p.sort(ctx, id, got.Epoch) // want "unprovedwrite"
}

// BadCopied copies other bytes over those that it wrote.
func (p *Post) BadCopied(ctx context.Context, id int64, other []byte) error {
	epoch, release, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	raw := binary.BigEndian.AppendUint64(nil, uint64(epoch))
	copy(raw, other)
	return p.sort(ctx, id, int64(binary.BigEndian.Uint64(raw))) // want "unprovedwrite"
}
