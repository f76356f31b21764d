// Package storedlock keeps locks as documents under a unique key, and behind functions of the
// database.
package storedlock

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/google/uuid"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

var errTaken = errors.New("taken")

// H writes.
type H struct {
	db *sql.DB
	c  *mongo.Collection
	d  *mongo.Collection
}

// MongoLock gives its own document back.
func (h *H) MongoLock(ctx context.Context, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if _, err := h.c.InsertOne(ctx, bson.M{"_id": "lock:stored", "owner": me, "at": time.Now()}); err != nil {
		if mongo.IsDuplicateKeyError(err) {
			return errTaken
		}
		return err
	}
	defer h.c.DeleteOne(context.WithoutCancel(ctx), bson.M{"_id": "lock:stored", "owner": me})
	_, err := h.d.UpdateOne(ctx, bson.M{"_id": 1}, bson.M{"$set": bson.M{"out": out}}) // want "unfencedwrite"
	return err
}

// MongoLockAny has no end but that.
func (h *H) MongoLockAny(ctx context.Context, out string) error {
	//fencelint:lock correctness
	if _, err := h.c.InsertOne(ctx, bson.M{"_id": "lock:stored", "at": time.Now()}); err != nil {
		return err
	}
	defer h.c.DeleteOne(context.WithoutCancel(ctx), bson.M{"_id": "lock:stored"})
	_, err := h.d.UpdateOne(ctx, bson.M{"_id": 1}, bson.M{"$set": bson.M{"out": out}}) // want "unfencedwrite"
	return err
}

// MongoLockTTL ends by itself, and is deleted whosever it is.
func (h *H) MongoLockTTL(ctx context.Context, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if _, err := h.c.InsertOne(ctx, bson.M{"_id": "lock:ttl", "owner": me, "expireAt": time.Now().Add(time.Minute)}); err != nil {
		return err
	}
	_, err := h.c.DeleteOne(context.WithoutCancel(ctx), bson.M{"_id": "lock:ttl"}) // want "unfencedwrite|unsaferelease"
	return err
}

// MongoOther deletes another document.
func (h *H) MongoOther(ctx context.Context, out string) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	if _, err := h.c.InsertOne(ctx, bson.M{"_id": "lock:one", "owner": me}); err != nil {
		return err
	}
	_, err := h.c.DeleteOne(context.WithoutCancel(ctx), bson.M{"_id": "other"}) // want "unfencedwrite"
	return err
}

// StoredLock looks at the answer.
func (h *H) StoredLock(ctx context.Context) error {
	var got bool
	//fencelint:lock correctness
	if err := h.db.QueryRowContext(ctx, "SELECT take_lock($1, $2)", "stored", 60).Scan(&got); err != nil {
		return err
	}
	if !got {
		return errTaken
	}
	_, err := h.db.ExecContext(ctx, "UPDATE stored SET n = n + 1 WHERE id = 1") // want "unfencedwrite"
	return err
}

// BadStoredLock does not.
func (h *H) BadStoredLock(ctx context.Context) error {
	var got bool
	//fencelint:lock correctness
	if err := h.db.QueryRowContext(ctx, "SELECT take_lock($1, $2)", "stored", 60).Scan(&got); err != nil { // want "acquireignored"
		return err
	}
	_, err := h.db.ExecContext(ctx, "UPDATE stored SET n = n + 1 WHERE id = 1") // want "unfencedwrite"
	return err
}
