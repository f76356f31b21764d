// Package onestep lets one statement, one request or one transaction decide, in stores
// of several kinds.
package onestep

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

var errStale = errors.New("a newer owner was there")

// count throws away how many rows it changed.
func count(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/one/count")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var n int
	return db.QueryRowContext(ctx, // want "rejectionignored"
		`WITH u AS (UPDATE counted SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2 RETURNING 1) SELECT count(*) FROM u`,
		id, m.Header().Revision).Scan(&n)
}

// counts looks at it.
func counts(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64) error {
	m := concurrency.NewMutex(s, "/one/counts")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	var n int
	err := db.QueryRowContext(ctx,
		`WITH u AS (UPDATE counts SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2 RETURNING 1) SELECT count(*) FROM u`,
		id, m.Header().Revision).Scan(&n)
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}

// inTx takes the lock of a transaction in a transaction of gorm.
func inTx(ctx context.Context, db *gorm.DB, key int64) error {
	return db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		//fencelint:lock correctness
		if err := tx.Exec("SELECT pg_advisory_xact_lock(?)", key).Error; err != nil {
			return err
		}
		return tx.Exec("UPDATE drawers SET shut = true WHERE id = ?", key).Error
	})
}

// outside takes it without one.
func outside(ctx context.Context, db *gorm.DB, key int64) error {
	//fencelint:lock correctness
	if err := db.WithContext(ctx).Exec("SELECT pg_advisory_xact_lock(?)", key).Error; err != nil { // want "txlock"
		return err
	}
	return db.WithContext(ctx).Exec("UPDATE drawers SET shut = true WHERE id = ?", key).Error
}

// batch sends what it queued through the transaction that holds the lock.
func batch(ctx context.Context, pool *pgxpool.Pool, key int64) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		ok, err := enter(ctx, tx, key)
		if err != nil || !ok {
			return err
		}
		b := &pgx.Batch{}
		b.Queue(`UPDATE vaults SET shut = true WHERE id = $1`, key)
		b.Queue(`INSERT INTO vault_log (vault) VALUES ($1)`, key)
		return tx.SendBatch(ctx, b).Close()
	})
}

//fencelint:lock correctness
func enter(ctx context.Context, tx pgx.Tx, key int64) (ok bool, err error) {
	err = tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock($1)`, key).Scan(&ok)
	return ok, err
}

// replies reads the answer of its batch, which is closed in a literal.
func replies(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool, id int64) (err error) {
	m := concurrency.NewMutex(s, "/one/replies")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := &pgx.Batch{}
	b.Queue(`UPDATE replies SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2`, id, m.Header().Revision)
	br := pool.SendBatch(ctx, b)
	defer func() { err = errors.Join(err, br.Close()) }()
	tag, err := br.Exec()
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errStale
	}
	return nil
}

// unread closes its batch, and no answer was read.
func unread(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool, id int64) error {
	m := concurrency.NewMutex(s, "/one/unread")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	b := &pgx.Batch{}
	b.Queue(`UPDATE unread SET n = n + 1, fence = $2 WHERE id = $1 AND fence < $2`, id, m.Header().Revision) // want "rejectionignored"
	return pool.SendBatch(ctx, b).Close()
}

// once creates an item that nobody makes twice.
func once(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, order string) error {
	m := concurrency.NewMutex(s, "/one/once")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:           aws.String("receipts"),
		Item:                map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "receipt#" + order}},
		ConditionExpression: aws.String("attribute_not_exists(id)"),
	})
	return err
}

// anew creates an item of a name that is drawn for it.
func anew(ctx context.Context, s *concurrency.Session, db *dynamodb.Client) error {
	m := concurrency.NewMutex(s, "/one/anew")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := db.PutItem(ctx, &dynamodb.PutItemInput{ // want "unfencedwrite"
		TableName:           aws.String("slips"),
		Item:                map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: rand.Text()}},
		ConditionExpression: aws.String("attribute_not_exists(id)"),
	})
	return err
}

// medal compares in the item.
func medal(ctx context.Context, s *concurrency.Session, db *dynamodb.Client, id string) error {
	m := concurrency.NewMutex(s, "/one/medal")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := &types.AttributeValueMemberN{Value: strconv.FormatInt(m.Header().Revision, 10)}
	_, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                 aws.String("medals"),
		Key:                       map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
		UpdateExpression:          aws.String("SET worn = :f, fence = :f"),
		ConditionExpression:       aws.String("fence < :f"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":f": f},
	})
	return err
}

// melt removes the item, and the fence in it, past the lock.
func melt(ctx context.Context, db *dynamodb.Client, id string) error {
	_, err := db.DeleteItem(ctx, &dynamodb.DeleteItemInput{ // want "bypasswrite"
		TableName: aws.String("medals"),
		Key:       map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
	})
	return err
}

// Cellar is a row with a fence.
type Cellar struct {
	ID    int64
	Guest string
	Fence int64 `gorm:"not null;default:0"`
}

// upsert fills in the number of a row that it was handed.
func upsert(ctx context.Context, s *concurrency.Session, db *gorm.DB, r Cellar) error {
	m := concurrency.NewMutex(s, "/one/upsert")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	r.Fence = m.Header().Revision
	res := db.WithContext(ctx).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "id"}},
		DoUpdates: clause.AssignmentColumns([]string{"guest", "fence"}),
		Where:     clause.Where{Exprs: []clause.Expression{gorm.Expr("cellars.fence < excluded.fence")}},
	}).Create(&r)
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return errStale
	}
	return nil
}

// raised raises the number, and sets the body whatever the number was.
func raised(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, body string) error {
	m := concurrency.NewMutex(s, "/one/raised")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := c.UpdateByID(ctx, id, bson.M{"$set": bson.M{"body": body}, "$max": bson.M{"fence": m.Header().Revision}}) // want "tokennotcompared"
	return err
}

// second takes the refusal of its upsert for a job that is done.
func second(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, body string) error {
	m := concurrency.NewMutex(s, "/one/second")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := c.UpdateOne(ctx, // want "rejectionignored"
		bson.M{"_id": id, "fence": bson.M{"$lt": m.Header().Revision}},
		bson.M{"$set": bson.M{"body": body, "fence": m.Header().Revision}},
		options.UpdateOne().SetUpsert(true))
	if mongo.IsDuplicateKeyError(err) {
		return nil
	}
	return err
}

// refused tells of it.
func refused(ctx context.Context, s *concurrency.Session, c *mongo.Collection, id, body string) error {
	m := concurrency.NewMutex(s, "/one/refused")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := c.UpdateOne(ctx,
		bson.M{"_id": id, "fence": bson.M{"$lt": m.Header().Revision}},
		bson.M{"$set": bson.M{"body": body, "fence": m.Header().Revision}},
		options.UpdateOne().SetUpsert(true))
	if mongo.IsDuplicateKeyError(err) {
		return errStale
	}
	return err
}

// copied copies rows in behind the fence, in one transaction.
func copied(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool, rows [][]any) error {
	m := concurrency.NewMutex(s, "/one/copied")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE fences SET epoch = $1 WHERE name = 'facts' AND epoch < $1`, m.Header().Revision)
		if err != nil {
			return err
		}
		if tag.RowsAffected() != 1 {
			return errStale
		}
		_, err = tx.CopyFrom(ctx, pgx.Identifier{"facts"}, []string{"a"}, pgx.CopyFromRows(rows))
		return err
	})
}

// strewn copies them in without.
func strewn(ctx context.Context, s *concurrency.Session, pool *pgxpool.Pool, rows [][]any) error {
	m := concurrency.NewMutex(s, "/one/strewn")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	_, err := pool.CopyFrom(ctx, pgx.Identifier{"grains"}, []string{"a"}, pgx.CopyFromRows(rows)) // want "unfencedwrite"
	return err
}
