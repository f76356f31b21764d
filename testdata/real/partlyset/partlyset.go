// Package partlyset keeps tokens and claims in records that are set in several steps, and in
// maps that a function completes.
package partlyset

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/google/uuid"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

var errLost = errors.New("lost")

// Claim is a job in work.
type Claim struct {
	ID    int64
	Token string
}

func changed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		err = errLost
	}
	return err
}

func claim(ctx context.Context, db *sql.DB) (Claim, error) {
	c := Claim{Token: uuid.NewString()}
	//fencelint:lock correctness contract=owner
	err := db.QueryRowContext(ctx, `UPDATE jobs SET claim = $1 WHERE id = (SELECT id FROM jobs WHERE until < now() LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`, c.Token).Scan(&c.ID)
	return c, err
}

// Work names the claim that was written.
func Work(ctx context.Context, db *sql.DB) error {
	c, err := claim(ctx, db)
	if err != nil {
		return err
	}
	return changed(db.ExecContext(ctx, `UPDATE jobs SET done = true WHERE id = $1 AND claim = $2`, c.ID, c.Token))
}

func claimAsHost(ctx context.Context, db *sql.DB) (Claim, error) {
	host, err := os.Hostname()
	if err != nil {
		return Claim{}, err
	}
	c := Claim{Token: host}
	//fencelint:lock correctness contract=owner
	err = db.QueryRowContext(ctx, `UPDATE chores SET claim = $1 WHERE id = (SELECT id FROM chores WHERE until < now() LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`, c.Token).Scan(&c.ID)
	return c, err
}

// WorkAsHost names the host.
func WorkAsHost(ctx context.Context, db *sql.DB) error {
	c, err := claimAsHost(ctx, db)
	if err != nil {
		return err
	}
	return changed(db.ExecContext(ctx, `UPDATE chores SET done = true WHERE id = $1 AND claim = $2`, c.ID, c.Token)) // want "identityreused"
}

// Node keeps its term behind a mutex.
type Node struct {
	e    *concurrency.Election
	db   *sql.DB
	mu   sync.Mutex
	term int64
}

func (n *Node) become(term int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.term = term
}

func (n *Node) becomeOnce(term int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.term == 0 {
		n.term = term
	}
}

// Lead uses the term that it has set.
func (n *Node) Lead(ctx context.Context) error {
	//fencelint:lock correctness
	if err := n.e.Campaign(ctx, "n"); err != nil {
		return err
	}
	defer n.e.Resign(context.WithoutCancel(ctx))
	n.become(n.e.Rev())
	return changed(n.db.ExecContext(ctx, `UPDATE led SET n = n + 1, term = $1 WHERE term < $1`, n.term))
}

// LeadOnce may use an older one.
func (n *Node) LeadOnce(ctx context.Context) error {
	//fencelint:lock correctness
	if err := n.e.Campaign(ctx, "n"); err != nil {
		return err
	}
	defer n.e.Resign(context.WithoutCancel(ctx))
	n.becomeOnce(n.e.Rev())
	return changed(n.db.ExecContext(ctx, `UPDATE ledonce SET n = n + 1, term = $1 WHERE term < $1`, n.term)) // want "unprovedwrite"
}

func older(epoch int64) bson.M { return bson.M{"_id": 1, "epoch": bson.M{"$lt": epoch}} }

func set(epoch int64, fields bson.M) bson.M {
	fields["epoch"] = epoch
	return bson.M{"$set": fields}
}

func setSome(epoch int64, fields bson.M, all bool) bson.M {
	if all {
		fields["epoch"] = epoch
	}
	return bson.M{"$set": fields}
}

func matched(res *mongo.UpdateResult, err error) error {
	if err == nil && res.MatchedCount == 0 {
		err = errLost
	}
	return err
}

// Rename has the epoch put into what it sets.
func Rename(ctx context.Context, db *mongo.Database, m *concurrency.Mutex, name string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	return matched(db.Collection("names").UpdateOne(ctx, older(epoch), set(epoch, bson.M{"name": name})))
}

// RenameSome has it put there on one way.
func RenameSome(ctx context.Context, db *mongo.Database, m *concurrency.Mutex, name string, all bool) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	return matched(db.Collection("somenames").UpdateOne(ctx, older(epoch), setSome(epoch, bson.M{"name": name}, all))) // want "unprovedwrite"
}

// RenameAnew changes what was put there.
func RenameAnew(ctx context.Context, db *mongo.Database, m *concurrency.Mutex, name string) error {
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	epoch := m.Header().Revision
	fields := bson.M{"name": name}
	update := set(epoch, fields)
	fields["epoch"] = fmt.Sprint(name)
	return matched(db.Collection("anew").UpdateOne(ctx, older(epoch), update)) // want "unprovedwrite|fencenotadvanced|tokenmismatch"
}
