// Package drift resolves every row of the models against the libraries
// themselves, in the versions of this module's go.mod. It is a module of its own
// so that those libraries are no dependencies of fencelint.
package drift

import (
	_ "go.etcd.io/etcd/client/v3/clientv3util"
	_ "go.etcd.io/etcd/client/v3/concurrency"
	_ "go.etcd.io/etcd/server/v3/etcdserver/api/v3election/v3electionpb"
	_ "go.etcd.io/etcd/server/v3/etcdserver/api/v3lock/v3lockpb"
)
