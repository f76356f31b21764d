// Package lockobject keeps a lock in an object of a bucket, or in a row, which is made only
// where there is none.
package lockobject

import (
	"bytes"
	"context"
	"errors"

	"github.com/aliyun/aliyun-oss-go-sdk/oss"
	"github.com/aliyun/aliyun-tablestore-go-sdk/tablestore"
	"github.com/tencentyun/cos-go-sdk-v5"
)

// ErrTaken says that another has the lock.
var ErrTaken = errors.New("the lock is taken")

// Bucket keeps a state, and a lock beside it.
type Bucket struct {
	b        *oss.Bucket
	lockFile string
	state    string
}

// Lock makes the lock file.
//
//fencelint:lock correctness
func (b *Bucket) Lock(owner string) error {
	return b.b.PutObject(b.lockFile, bytes.NewReader([]byte(owner)), oss.ContentType("text/plain"), oss.ForbidOverWrite(true))
}

// Unlock removes it.
func (b *Bucket) Unlock() error { return b.b.DeleteObject(b.lockFile) }

// Write replaces the state.
func (b *Bucket) Write(owner string, state []byte) error {
	if err := b.Lock(owner); err != nil {
		return err
	}
	defer b.Unlock()
	opts := []oss.Option{oss.ContentType("application/json")}
	if len(state) > 0 {
		opts = append(opts, oss.ContentLength(int64(len(state))))
	}
	return b.b.PutObject(b.state, bytes.NewReader(state), opts...) // want "unfencedwrite"
}

// First makes a state that must not be there.
func (b *Bucket) First(owner string, name string, state []byte) error {
	if err := b.Lock(owner); err != nil {
		return err
	}
	defer b.Unlock()
	return b.b.PutObject("first/"+name, bytes.NewReader(state), oss.ForbidOverWrite(true))
}

// Rows keeps a lock in a row.
type Rows struct {
	t   *tablestore.TableStoreClient
	cos *cos.Client
}

func key(name string) *tablestore.PrimaryKey {
	return &tablestore.PrimaryKey{PrimaryKeys: []*tablestore.PrimaryKeyColumn{{ColumnName: "LockID", Value: name}}}
}

//fencelint:lock correctness
func (r *Rows) lock(name, info string) error {
	_, err := r.t.PutRow(&tablestore.PutRowRequest{PutRowChange: &tablestore.PutRowChange{
		TableName:  "locks",
		PrimaryKey: key(name),
		Columns:    []tablestore.AttributeColumn{{ColumnName: "Info", Value: info}},
		Condition:  &tablestore.RowCondition{RowExistenceExpectation: tablestore.RowExistenceExpectation_EXPECT_NOT_EXIST},
	}})
	return err
}

func (r *Rows) unlock(name string) error {
	_, err := r.t.DeleteRow(&tablestore.DeleteRowRequest{DeleteRowChange: &tablestore.DeleteRowChange{
		TableName:  "locks",
		PrimaryKey: key(name),
		Condition:  &tablestore.RowCondition{RowExistenceExpectation: tablestore.RowExistenceExpectation_IGNORE},
	}})
	return err
}

// Upload writes an object while the row is there.
func (r *Rows) Upload(ctx context.Context, name, info string, state []byte) error {
	if err := r.lock(name, info); err != nil {
		return err
	}
	defer r.unlock(name)
	_, err := r.cos.Object.Put(ctx, name, bytes.NewReader(state), nil) // want "unfencedwrite"
	return err
}

// Mark makes an object that says that something was done: that is no lock.
func Mark(b *oss.Bucket, name string) error {
	return b.PutObject("done/"+name, bytes.NewReader(nil), oss.ForbidOverWrite(true))
}
