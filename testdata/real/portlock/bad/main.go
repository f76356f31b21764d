package main

import (
	"context"
	"database/sql"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"

	"fencelint.example/real/portlock/etcdlock"
	"fencelint.example/real/portlock/hasty"
	"fencelint.example/real/portlock/pay"
	"fencelint.example/real/portlock/shop"
	"fencelint.example/real/portlock/swap"
)

func run(ctx context.Context, c *clientv3.Client, ses *concurrency.Session, db *sql.DB) error {
	if err := hasty.New(etcdlock.New(c), shop.NewFenced(db)).Ship(ctx, 1); err != nil { // want "unprovedwrite"
		return err
	}
	if err := pay.NewWithin(etcdlock.NewRunner(c), shop.NewPlain(db)).Ship(ctx, 2); err != nil { // want "unfencedwrite"
		return err
	}
	if err := pay.NewBilling(etcdlock.New(c), shop.NewPlainBills(db)).Close(ctx, 4); err != nil { // want "unfencedwrite"
		return err
	}
	if err := pay.NewClearing(etcdlock.NewDepot(ses, db)).Clear(ctx, 5); err != nil { // want "unfencedwrite"
		return err
	}
	s := swap.New(etcdlock.New(c), db)
	s.Degrade(db)
	return s.Ship(ctx, 3)
}

func main() {
	if err := run(context.Background(), nil, nil, nil); err != nil {
		panic(err)
	}
}
