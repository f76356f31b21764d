// Package sessionkept keeps sessions, and the elections made of them, in fields.
package sessionkept

import (
	"context"
	"database/sql"
	"errors"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errDeposed = errors.New("the session is over")

const write = `UPDATE beacons SET lit = NOT lit WHERE id = 1`

// Deaf never asks its session.
type Deaf struct {
	cli      *clientv3.Client
	db       *sql.DB
	session  *concurrency.Session
	election *concurrency.Election
}

func (d *Deaf) stand(ctx context.Context) (err error) {
	if d.session, err = concurrency.NewSession(d.cli); err != nil {
		return err
	}
	d.election = concurrency.NewElection(d.session, "/deaf")
	//fencelint:lock correctness
	return d.election.Campaign(ctx, "deaf")
}

// Run works for ever.
func (d *Deaf) Run(ctx context.Context) error {
	if err := d.stand(ctx); err != nil { // want "losssignal"
		return err
	}
	for {
		if _, err := d.db.ExecContext(ctx, write); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Second)
	}
}

// Keen asks it in another function.
type Keen struct {
	cli      *clientv3.Client
	db       *sql.DB
	session  *concurrency.Session
	election *concurrency.Election
}

func (k *Keen) stand(ctx context.Context) error {
	session, err := concurrency.NewSession(k.cli)
	if err != nil {
		return err
	}
	k.session, k.election = session, concurrency.NewElection(session, "/keen")
	//fencelint:lock correctness
	return k.election.Campaign(ctx, "keen")
}

func (k *Keen) over() error {
	select {
	case <-k.session.Done():
		return errDeposed
	case <-time.After(time.Second):
		return nil
	}
}

// Run works until its session is over.
func (k *Keen) Run(ctx context.Context) error {
	if err := k.stand(ctx); err != nil {
		return err
	}
	for {
		if _, err := k.db.ExecContext(ctx, write); err != nil { // want "unfencedwrite"
			return err
		}
		if err := k.over(); err != nil {
			return err
		}
	}
}

// Given has a session that somebody else asks.
type Given struct {
	db       *sql.DB
	election *concurrency.Election
}

// NewGiven is given it.
func NewGiven(s *concurrency.Session, db *sql.DB) *Given {
	return &Given{db: db, election: concurrency.NewElection(s, "/given")}
}

// Run works for ever.
func (g *Given) Run(ctx context.Context) error {
	//fencelint:lock correctness
	if err := g.election.Campaign(ctx, "given"); err != nil {
		return err
	}
	for {
		if _, err := g.db.ExecContext(ctx, write); err != nil { // want "unfencedwrite"
			return err
		}
		time.Sleep(time.Second)
	}
}
