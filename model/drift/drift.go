// Package drift resolves every row of the models against the libraries
// themselves: those that programs use most as compiled, in the versions of this
// module's go.mod, the others by the text of their declarations. It is a module
// of its own so that those libraries are no dependencies of fencelint.
package drift

import (
	_ "github.com/bsm/redislock"
	_ "github.com/go-redsync/redsync/v4"
	_ "github.com/go-zookeeper/zk"
	_ "github.com/hashicorp/consul/api"
	_ "github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jmoiron/sqlx"
	_ "github.com/redis/go-redis/v9"
	_ "github.com/stripe/stripe-go/v82/client"
	_ "github.com/stripe/stripe-go/v82/paymentintent"
	_ "go.etcd.io/etcd/client/v3/clientv3util"
	_ "go.etcd.io/etcd/client/v3/concurrency"
	_ "go.etcd.io/etcd/server/v3/etcdserver/api/v3election/v3electionpb"
	_ "go.etcd.io/etcd/server/v3/etcdserver/api/v3lock/v3lockpb"
	_ "k8s.io/client-go/tools/leaderelection"
)
