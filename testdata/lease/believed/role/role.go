// Package role keeps whether this process leads: one goroutine sets it, every other
// package asks.
package role

import (
	"context"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

var leading int64

const (
	follower int64 = iota
	leader
)

// Campaign leads until the session ends.
func Campaign(ctx context.Context, client *clientv3.Client, name string) error {
	session, err := concurrency.NewSession(client)
	if err != nil {
		return err
	}
	defer session.Close()
	election := concurrency.NewElection(session, "/role")
	//fencelint:lock correctness
	if err := election.Campaign(ctx, name); err != nil {
		return err
	}
	atomic.StoreInt64(&leading, leader)
	select {
	case <-ctx.Done():
	case <-session.Done():
	}
	atomic.StoreInt64(&leading, follower)
	return ctx.Err()
}

// IsLeader tells what this process believes.
func IsLeader() bool { return atomic.LoadInt64(&leading) == leader }

// Node keeps it in a field.
type Node struct {
	leads int32
	flag  atomic.Bool
}

// Lead is told by callbacks.
func (n *Node) Lead(ctx context.Context, cs kubernetes.Interface, id string) {
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Name: "depot", Namespace: "default"},
		Client:     cs.CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: id},
	}
	//fencelint:lock correctness
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:          lock,
		LeaseDuration: 15 * time.Second,
		RenewDeadline: 10 * time.Second,
		RetryPeriod:   2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				atomic.StoreInt32(&n.leads, 1)
				n.flag.Store(true)
				<-ctx.Done()
			},
			OnStoppedLeading: func() {
				atomic.StoreInt32(&n.leads, 0)
				n.flag.Store(false)
			},
		},
	})
}

// IsLeader tells what this process believes.
func (n *Node) IsLeader() bool { return atomic.LoadInt32(&n.leads) == 1 }

// Leads tells it from the other flag.
func (n *Node) Leads() bool { return n.flag.Load() }
