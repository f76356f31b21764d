package main

import (
	"context"
	"database/sql"

	clientv3 "go.etcd.io/etcd/client/v3"

	"fencelint.example/real/portlock/deco"
	"fencelint.example/real/portlock/etcdlock"
	"fencelint.example/real/portlock/pay"
	"fencelint.example/real/portlock/shop"
)

func run(ctx context.Context, c *clientv3.Client, db *sql.DB) error {
	if err := pay.New(etcdlock.New(c), shop.NewFenced(db)).Ship(ctx, 1); err != nil {
		return err
	}
	if err := pay.New(deco.NewLogged(etcdlock.New(c)), shop.NewFenced(db)).Ship(ctx, 2); err != nil {
		return err
	}
	if err := pay.NewBilling(etcdlock.New(c), shop.NewFencedBills(db)).Close(ctx, 4); err != nil {
		return err
	}
	if err := pay.NewBilling(deco.NewLogged(etcdlock.New(c)), shop.NewFencedBills(db)).Close(ctx, 5); err != nil {
		return err
	}
	return pay.NewWithin(etcdlock.NewRunner(c), shop.NewFenced(db)).Ship(ctx, 3)
}

func main() {
	if err := run(context.Background(), nil, nil); err != nil {
		panic(err)
	}
}
