package gcs

import (
	"context"
	"io"
	"time"

	"cloud.google.com/go/storage"
	"github.com/bsm/redislock"
	"github.com/google/uuid"
)

func held(ctx context.Context, lc *redislock.Client, do func() error) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:objects", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return do()
}

// Read demands the generation that was read.
func Read(ctx context.Context, lc *redislock.Client, b *storage.BucketHandle) error {
	return held(ctx, lc, func() error {
		obj := b.Object("a")
		r, err := obj.NewReader(ctx)
		if err != nil {
			return err
		}
		defer r.Close()
		w := obj.If(storage.Conditions{GenerationMatch: r.Attrs.Generation}).NewWriter(ctx)
		if _, err := io.Copy(w, r); err != nil {
			return err
		}
		return w.Close()
	})
}

// Any overwrites what is there.
func Any(ctx context.Context, lc *redislock.Client, b *storage.BucketHandle) error {
	return held(ctx, lc, func() error {
		w := b.Object("b").NewWriter(ctx)
		if _, err := w.Write([]byte("x")); err != nil {
			return err
		}
		return w.Close() // want "unfencedwrite"
	})
}

// Lost makes a handle with a condition, and writes by the other one.
func Lost(ctx context.Context, lc *redislock.Client, b *storage.BucketHandle, generation int64) error {
	return held(ctx, lc, func() error {
		obj := b.Object("c")
		obj.If(storage.Conditions{GenerationMatch: generation})
		w := obj.NewWriter(ctx)
		if _, err := w.Write([]byte("x")); err != nil {
			return err
		}
		return w.Close() // want "unfencedwrite"
	})
}

// Deaf throws the refusal away: it comes when the writer is closed.
func Deaf(ctx context.Context, lc *redislock.Client, b *storage.BucketHandle, generation int64) error {
	return held(ctx, lc, func() error {
		w := b.Object("d").If(storage.Conditions{GenerationMatch: generation}).NewWriter(ctx)
		defer w.Close() // want "rejectionignored"
		_, err := w.Write([]byte("x"))
		return err
	})
}

// Random is refused by nobody.
func Random(ctx context.Context, lc *redislock.Client, b *storage.BucketHandle) error {
	return held(ctx, lc, func() error {
		w := b.Object("runs/" + uuid.NewString()).If(storage.Conditions{DoesNotExist: true}).NewWriter(ctx)
		if _, err := w.Write([]byte("x")); err != nil {
			return err
		}
		return w.Close() // want "unfencedwrite"
	})
}

// Removed deletes the generation that was read; RemovedAny whatever there is.
func Removed(ctx context.Context, lc *redislock.Client, b *storage.BucketHandle) error {
	return held(ctx, lc, func() error {
		obj := b.Object("e")
		attrs, err := obj.Attrs(ctx)
		if err != nil {
			return err
		}
		return obj.If(storage.Conditions{GenerationMatch: attrs.Generation}).Delete(ctx)
	})
}

func RemovedAny(ctx context.Context, lc *redislock.Client, b *storage.BucketHandle) error {
	return held(ctx, lc, func() error {
		return b.Object("f").Delete(ctx) // want "unfencedwrite"
	})
}
