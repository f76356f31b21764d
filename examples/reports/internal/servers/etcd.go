//go:build unix

package servers

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
)

// Etcd is a running cluster, all of it in this process.
type Etcd struct {
	dir     string
	members []*member
	made    int // members ever made
	closing sync.WaitGroup
}

type member struct {
	config *embed.Config
	server *embed.Etcd
}

// StartEtcd makes an empty cluster and waits until it answers.
func StartEtcd(ctx context.Context, size int) (*Etcd, error) {
	dir, err := os.MkdirTemp("", "reports-etcd-")
	if err != nil {
		return nil, err
	}
	c := &Etcd{dir: dir}
	if err := c.start(ctx, size); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

func (c *Etcd) start(ctx context.Context, size int) error {
	for range size {
		m, err := c.newMember()
		if err != nil {
			return err
		}
		c.members = append(c.members, m)
	}
	for _, m := range c.members {
		if err := c.run(m, embed.ClusterStateFlagNew); err != nil {
			return err
		}
	}
	for _, m := range c.members {
		if err := m.ready(ctx); err != nil {
			return err
		}
	}
	return nil
}

// newMember describes a member that is not running yet.
func (c *Etcd) newMember() (*member, error) {
	peer, err := freeURL()
	if err != nil {
		return nil, err
	}
	client, err := freeURL()
	if err != nil {
		return nil, err
	}
	c.made++
	cfg := embed.NewConfig()
	cfg.Name = fmt.Sprintf("member%d", c.made)
	cfg.Dir = filepath.Join(c.dir, cfg.Name)
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	cfg.TickMs, cfg.ElectionMs = 50, 500 // leases of one second become possible
	cfg.StrictReconfigCheck = false      // else a new member has to wait for seconds
	cfg.UnsafeNoFsync = true
	cfg.ZapLoggerBuilder = embed.NewZapLoggerBuilder(zap.NewNop())
	return &member{config: cfg}, nil
}

// run starts a member among those that the cluster has.
func (c *Etcd) run(m *member, state string) (err error) {
	var peers []string
	for _, m := range c.members {
		peers = append(peers, m.config.Name+"="+m.config.AdvertisePeerUrls[0].String())
	}
	m.config.InitialCluster = strings.Join(peers, ",")
	m.config.ClusterState = state
	m.server, err = embed.StartEtcd(m.config)
	return err
}

func (m *member) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	select {
	case <-m.server.Server.ReadyNotify():
		return nil
	case err := <-m.server.Err():
		return fmt.Errorf("etcd: %w", err)
	case <-ctx.Done():
		return fmt.Errorf("etcd does not answer: %w", ctx.Err())
	}
}

// Endpoints says where the members listen for clients.
func (c *Etcd) Endpoints() []string {
	var all []string
	for _, m := range c.members {
		all = append(all, m.config.AdvertiseClientUrls[0].String())
	}
	return all
}

// Dial connects to the members at endpoints.
func Dial(endpoints ...string) (*clientv3.Client, error) {
	return clientv3.New(clientv3.Config{Endpoints: endpoints, DialTimeout: 10 * time.Second, Logger: zap.NewNop()})
}

// ReplaceLeader kills the leading member, as a power cut would, and puts a new and
// empty one in its place.
func (c *Etcd) ReplaceLeader(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	dead, err := c.leader(ctx)
	if err != nil {
		return err
	}
	id := c.members[dead].server.Server.MemberID()
	c.kill(c.members[dead])
	c.members = slices.Delete(c.members, dead, dead+1)
	// What is asked before there is a new leader may be lost with the old one.
	if _, err := c.leader(ctx); err != nil {
		return err
	}

	cli, err := Dial(c.Endpoints()...)
	if err != nil {
		return err
	}
	defer cli.Close()
	if _, err := cli.MemberRemove(ctx, uint64(id)); err != nil {
		return err
	}
	m, err := c.newMember()
	if err != nil {
		return err
	}
	if _, err := cli.MemberAdd(ctx, []string{m.config.AdvertisePeerUrls[0].String()}); err != nil {
		return err
	}
	c.members = append(c.members, m)
	if err := c.run(m, embed.ClusterStateFlagExisting); err != nil {
		return err
	}
	return m.ready(ctx)
}

// leader waits until a member leads and returns its place in c.members.
func (c *Etcd) leader(ctx context.Context) (int, error) {
	for {
		i := slices.IndexFunc(c.members, func(m *member) bool { return m.server.Server.Leader() == m.server.Server.MemberID() })
		if i >= 0 {
			return i, nil
		}
		select {
		case <-ctx.Done():
			return 0, errors.New("etcd elects no leader")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop ends all members and removes their files. It is fast if all clients are closed.
func (c *Etcd) Stop() {
	for _, m := range c.members {
		if m.server != nil {
			c.kill(m)
		}
	}
	c.closing.Wait()
	os.RemoveAll(c.dir)
}

// kill ends a member at once. Its connections are closed later, since that waits for
// clients, which a power cut does not.
func (c *Etcd) kill(m *member) {
	m.server.Server.HardStop()
	c.closing.Go(m.server.Close)
}

func freeURL() (url.URL, error) {
	port, err := freePort()
	return url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", port)}, err
}
