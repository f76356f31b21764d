// Package once creates what exists once. Where another function deletes it, an obsolete owner
// creates it anew.
package once

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/redis/go-redis/v9"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

var errTaken = errors.New("already there")

type Archive struct {
	sess *concurrency.Session
	cli  *clientv3.Client
	db   *sql.DB
	rdb  *redis.Client
	s3   *s3.Client
	dyn  *dynamodb.Client
	mg   *mongo.Database
}

func (a *Archive) with(ctx context.Context, name string, f func(context.Context) error) error {
	m := concurrency.NewMutex(a.sess, "/archive/"+name)
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return f(ctx)
}

// GoodReceipt creates what nobody deletes.
func (a *Archive) GoodReceipt(ctx context.Context, id string, body []byte) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.db.ExecContext(ctx, `INSERT INTO receipts (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, id, body)
		return err
	})
}

// GoodSlip creates what is deleted when it is old.
func (a *Archive) GoodSlip(ctx context.Context, id string, body []byte) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.db.ExecContext(ctx, `INSERT INTO slips (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, id, body)
		return err
	})
}

// BadScrap creates what can be created anew.
func (a *Archive) BadScrap(ctx context.Context, id string, body []byte) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.db.ExecContext(ctx, `INSERT INTO scraps (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, id, body) // want "unfencedwrite"
		return err
	})
}

func (a *Archive) DropScrap(ctx context.Context, id string) error {
	return a.with(ctx, "purge", func(ctx context.Context) error {
		_, err := a.db.ExecContext(ctx, `DELETE FROM scraps WHERE id = $1`, id) // want "unfencedwrite"
		return err
	})
}

func (a *Archive) PurgeSlips(ctx context.Context, days int) error {
	return a.with(ctx, "purge", func(ctx context.Context) error {
		_, err := a.db.ExecContext(ctx, `DELETE FROM slips WHERE made_at < now() - make_interval(days => $1)`, days) // want "unfencedwrite"
		return err
	})
}

// GoodObject creates what nobody deletes.
func (a *Archive) GoodObject(ctx context.Context, id string, body []byte) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.s3.PutObject(ctx, &s3.PutObjectInput{
			Bucket: aws.String("ledger"), Key: aws.String("once/" + id), Body: bytes.NewReader(body), IfNoneMatch: aws.String("*"),
		})
		return err
	})
}

// BadObject creates what can be created anew.
func (a *Archive) BadObject(ctx context.Context, id string, body []byte) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.s3.PutObject(ctx, &s3.PutObjectInput{ // want "unfencedwrite"
			Bucket: aws.String("drafts"), Key: aws.String("draft/" + id), Body: bytes.NewReader(body), IfNoneMatch: aws.String("*"),
		})
		return err
	})
}

func (a *Archive) DropDraft(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.s3.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String("drafts"), Key: aws.String("draft/" + id)}) // want "unfencedwrite"
		return err
	})
}

// GoodItem creates what nobody deletes.
func (a *Archive) GoodItem(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.dyn.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: aws.String("stamps"), Item: map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: id}},
			ConditionExpression: aws.String("attribute_not_exists(pk)"),
		})
		return err
	})
}

// BadItem creates what can be created anew.
func (a *Archive) BadItem(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.dyn.PutItem(ctx, &dynamodb.PutItemInput{ // want "unfencedwrite"
			TableName: aws.String("tickets"), Item: map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: id}},
			ConditionExpression: aws.String("attribute_not_exists(pk)"),
		})
		return err
	})
}

func (a *Archive) TearTicket(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.dyn.DeleteItem(ctx, &dynamodb.DeleteItemInput{ // want "unfencedwrite"
			TableName: aws.String("tickets"), Key: map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: id}},
		})
		return err
	})
}

// GoodDoc creates what nobody deletes.
func (a *Archive) GoodDoc(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.mg.Collection("acts").InsertOne(ctx, bson.M{"_id": id, "state": "signed"})
		return err
	})
}

// BadDoc creates what can be created anew.
func (a *Archive) BadDoc(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.mg.Collection("notes").InsertOne(ctx, bson.M{"_id": id, "state": "signed"}) // want "unfencedwrite"
		return err
	})
}

func (a *Archive) EraseNote(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.mg.Collection("notes").DeleteOne(ctx, bson.M{"_id": id}) // want "unfencedwrite"
		return err
	})
}

// GoodKey creates what nobody deletes.
func (a *Archive) GoodKey(ctx context.Context, id, v string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		ok, err := a.rdb.SetNX(ctx, "seal:"+id, v, 0).Result()
		if err != nil {
			return err
		}
		if !ok {
			return errTaken
		}
		return nil
	})
}

// BadKey creates what can be created anew.
func (a *Archive) BadKey(ctx context.Context, id, v string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		ok, err := a.rdb.SetNX(ctx, "wax:"+id, v, 0).Result() // want "unfencedwrite"
		if err != nil {
			return err
		}
		if !ok {
			return errTaken
		}
		return nil
	})
}

func (a *Archive) Melt(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		return a.rdb.Del(ctx, "wax:"+id).Err() // want "unfencedwrite"
	})
}

// GoodEtcd creates what nobody deletes.
func (a *Archive) GoodEtcd(ctx context.Context, id, v string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		k := "/deeds/" + id
		r, err := a.cli.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(k), "=", 0)).Then(clientv3.OpPut(k, v)).Commit()
		if err != nil {
			return err
		}
		if !r.Succeeded {
			return errTaken
		}
		return nil
	})
}

// BadEtcd creates what can be created anew.
func (a *Archive) BadEtcd(ctx context.Context, id, v string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		k := "/bids/" + id
		r, err := a.cli.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(k), "=", 0)).Then(clientv3.OpPut(k, v)).Commit() // want "unfencedwrite"
		if err != nil {
			return err
		}
		if !r.Succeeded {
			return errTaken
		}
		return nil
	})
}

func (a *Archive) Withdraw(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.cli.Delete(ctx, "/bids/"+id) // want "unfencedwrite"
		return err
	})
}

// GoodUpsert compares where there is one.
func (a *Archive) GoodUpsert(ctx context.Context, id string, rev int64, body []byte) error {
	m := concurrency.NewMutex(a.sess, "/archive/up")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	res, err := a.db.ExecContext(ctx, `INSERT INTO bills (id, body, rev) VALUES ($1, $2, $3)
		ON CONFLICT (id) DO UPDATE SET body = EXCLUDED.body, rev = EXCLUDED.rev WHERE bills.rev < EXCLUDED.rev`, id, body, m.Header().Revision)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil {
		return err
	} else if n == 0 {
		return fmt.Errorf("bill %s: %w", id, errTaken)
	}
	return nil
}

// BadDocNoID leaves the id to the driver.
func (a *Archive) BadDocNoID(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.mg.Collection("acts").InsertOne(ctx, bson.D{{Key: "state", Value: "signed"}, {Key: "act", Value: id}}) // want "unfencedwrite"
		return err
	})
}

type act struct {
	ID    string `bson:"_id"`
	State string `bson:"state"`
}

// GoodDocStruct creates what nobody deletes.
func (a *Archive) GoodDocStruct(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.mg.Collection("acts").InsertOne(ctx, act{ID: id, State: "signed"})
		return err
	})
}

// BadDocRandom draws the id.
func (a *Archive) BadDocRandom(ctx context.Context, id string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		_, err := a.mg.Collection("acts").InsertOne(ctx, act{ID: bson.NewObjectID().Hex(), State: id}) // want "unfencedwrite"
		return err
	})
}

// BadKeyExpires creates what goes by itself.
func (a *Archive) BadKeyExpires(ctx context.Context, id, v string) error {
	return a.with(ctx, id, func(ctx context.Context) error {
		return a.rdb.SetNX(ctx, "stamp:"+id, v, 24*time.Hour).Err() // want "unfencedwrite"
	})
}
