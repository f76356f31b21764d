// Code generated from model/data by go generate. DO NOT EDIT.

package model

var builtinIndex = tableIndex{
	files: []string{
		"etcd",
		"sql",
	},
	paths: []indexEntry{
		{"database/sql", 1, Store},
		{"github.com/coreos/etcd/clientv3", 0, Locking},
		{"github.com/coreos/etcd/clientv3/clientv3util", 0, Quiet},
		{"github.com/coreos/etcd/clientv3/concurrency", 0, Locking},
		{"github.com/coreos/etcd/etcdserver/api/v3election/v3electionpb", 0, Locking},
		{"github.com/coreos/etcd/etcdserver/api/v3lock/v3lockpb", 0, Locking},
		{"github.com/coreos/etcd/mvcc/mvccpb", 0, Locking},
		{"go.etcd.io/etcd/api/v3/mvccpb", 0, Locking},
		{"go.etcd.io/etcd/client/v3", 0, Locking},
		{"go.etcd.io/etcd/client/v3/clientv3util", 0, Quiet},
		{"go.etcd.io/etcd/client/v3/concurrency", 0, Locking},
		{"go.etcd.io/etcd/clientv3", 0, Locking},
		{"go.etcd.io/etcd/clientv3/clientv3util", 0, Quiet},
		{"go.etcd.io/etcd/clientv3/concurrency", 0, Locking},
		{"go.etcd.io/etcd/etcdserver/api/v3election/v3electionpb", 0, Locking},
		{"go.etcd.io/etcd/etcdserver/api/v3lock/v3lockpb", 0, Locking},
		{"go.etcd.io/etcd/mvcc/mvccpb", 0, Locking},
		{"go.etcd.io/etcd/server/v3/etcdserver/api/v3election/v3electionpb", 0, Locking},
		{"go.etcd.io/etcd/server/v3/etcdserver/api/v3lock/v3lockpb", 0, Locking},
		{"go.etcd.io/etcd/v3/clientv3", 0, Locking},
		{"go.etcd.io/etcd/v3/clientv3/concurrency", 0, Locking},
	},
	patterns: []indexEntry{},
	modules: []string{
		"database/sql",
		"github.com/coreos/etcd",
		"go.etcd.io/etcd",
	},
	kinds: []kindEntry{
		{"sql", []uint8{1}},
	},
}
