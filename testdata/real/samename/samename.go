// Package samename names its owner by a text that each of them writes.
package samename

import (
	"context"
	"database/sql"
	"errors"
	"os"

	"github.com/google/uuid"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

var errLost = errors.New("lost")

const me = "importer"

func got(r *mongo.UpdateResult, err error) error {
	if err != nil {
		return err
	}
	if r.MatchedCount == 0 {
		return errLost
	}
	return nil
}

func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errLost, err)
	}
	return nil
}

// BadPlain compares a constant.
func BadPlain(ctx context.Context, c *mongo.Collection, id, out string, now int64) error {
	//fencelint:lock correctness
	if err := got(c.UpdateOne(ctx, bson.M{"_id": id, "until": bson.M{"$lt": now}}, bson.M{"$set": bson.M{"by": me, "until": now + 60}})); err != nil {
		return err
	}
	return got(c.UpdateOne(ctx, bson.M{"_id": id, "by": me}, bson.M{"$set": bson.M{"out": out}})) // want "identityreused"
}

// BadHost compares the host.
func BadHost(ctx context.Context, c *mongo.Collection, id, out string, now int64) error {
	host, _ := os.Hostname()
	//fencelint:lock correctness
	if err := got(c.UpdateOne(ctx, bson.M{"_id": id, "until": bson.M{"$lt": now}}, bson.M{"$set": bson.M{"by": host, "until": now + 60}})); err != nil {
		return err
	}
	return got(c.UpdateOne(ctx, bson.M{"_id": id, "by": host}, bson.M{"$set": bson.M{"out": out}})) // want "identityreused"
}

// BadPipeHost claims by a pipeline.
func BadPipeHost(ctx context.Context, c *mongo.Collection, id, out string) error {
	host, _ := os.Hostname()
	//fencelint:lock correctness
	if err := got(c.UpdateOne(ctx, bson.M{"_id": id, "$expr": bson.M{"$lt": bson.A{"$until", "$$NOW"}}},
		bson.A{bson.M{"$set": bson.M{"by": host, "until": bson.M{"$add": bson.A{"$$NOW", 60000}}}}})); err != nil {
		return err
	}
	return got(c.UpdateOne(ctx, bson.M{"_id": id, "by": host}, bson.M{"$set": bson.M{"out": out}})) // want "identityreused"
}

// BadPipe does so with a constant.
func BadPipe(ctx context.Context, c *mongo.Collection, id, out string) error {
	//fencelint:lock correctness
	if err := got(c.UpdateOne(ctx, bson.D{{Key: "_id", Value: id}, {Key: "$expr", Value: bson.D{{Key: "$lt", Value: bson.A{"$until", "$$NOW"}}}}},
		mongo.Pipeline{{{Key: "$set", Value: bson.D{{Key: "by", Value: me}, {Key: "until", Value: bson.D{{Key: "$add", Value: bson.A{"$$NOW", 60000}}}}}}}})); err != nil {
		return err
	}
	return got(c.UpdateOne(ctx, bson.D{{Key: "_id", Value: id}, {Key: "by", Value: me}}, bson.D{{Key: "$set", Value: bson.D{{Key: "out", Value: out}}}})) // want "identityreused"
}

// GoodPipe has a name of its own.
func GoodPipe(ctx context.Context, c *mongo.Collection, id, out string) error {
	claim := uuid.NewString()
	//fencelint:lock correctness
	if err := got(c.UpdateOne(ctx, bson.M{"_id": id, "$expr": bson.M{"$lt": bson.A{"$until", "$$NOW"}}},
		bson.A{bson.M{"$set": bson.M{"by": claim, "until": bson.M{"$add": bson.A{"$$NOW", 60000}}}}})); err != nil {
		return err
	}
	return got(c.UpdateOne(ctx, bson.M{"_id": id, "by": claim}, bson.M{"$set": bson.M{"out": out}}))
}

// BadState compares no name.
func BadState(ctx context.Context, c *mongo.Collection, id, out string, now int64) error {
	claim := uuid.NewString()
	//fencelint:lock correctness
	if err := got(c.UpdateOne(ctx, bson.M{"_id": id, "until": bson.M{"$lt": now}}, bson.M{"$set": bson.M{"by": claim, "state": "running", "until": now + 60}})); err != nil {
		return err
	}
	return got(c.UpdateOne(ctx, bson.M{"_id": id, "state": "running"}, bson.M{"$set": bson.M{"out": out}})) // want "unfencedwrite"
}

// GoodBoth compares a name beside a state.
func GoodBoth(ctx context.Context, c *mongo.Collection, id, out string, now int64) error {
	claim := uuid.NewString()
	//fencelint:lock correctness
	if err := got(c.UpdateOne(ctx, bson.M{"_id": id, "until": bson.M{"$lt": now}}, bson.M{"$set": bson.M{"by": claim, "state": "running", "until": now + 60}})); err != nil {
		return err
	}
	return got(c.UpdateOne(ctx, bson.M{"_id": id, "by": claim, "state": "running"}, bson.M{"$set": bson.M{"out": out}}))
}

// BadSQL compares a constant of the statement.
func BadSQL(ctx context.Context, db *sql.DB, id int64, out string) error {
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `UPDATE same_a SET worker = 'importer', until = now() + interval '1 minute' WHERE id = $1 AND until < now()`, id)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE same_a SET out = $2 WHERE id = $1 AND worker = 'importer'`, id, out)) // want "identityreused"
}

// BadArg is given one.
func BadArg(ctx context.Context, db *sql.DB, id int64, out string) error {
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `UPDATE same_b SET worker = $2, until = now() + interval '1 minute' WHERE id = $1 AND until < now()`, id, me)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE same_b SET out = $2 WHERE id = $1 AND worker = $3`, id, out, me)) // want "identityreused"
}

// BadSQLState compares no name.
func BadSQLState(ctx context.Context, db *sql.DB, id int64, out string) error {
	claim := uuid.NewString()
	//fencelint:lock correctness
	if err := one(db.ExecContext(ctx, `UPDATE same_c SET worker = $2, state = 'running', until = now() + interval '1 minute' WHERE id = $1 AND until < now()`, id, claim)); err != nil {
		return err
	}
	return one(db.ExecContext(ctx, `UPDATE same_c SET out = $2 WHERE id = $1 AND state = 'running'`, id, out)) // want "unfencedwrite"
}
