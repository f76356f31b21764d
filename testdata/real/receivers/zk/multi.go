package zk

import (
	"context"

	"github.com/go-zookeeper/zk"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Own checks in the same request that its own node still exists.
func Own(c *zk.Conn, data []byte) error {
	//fencelint:lock correctness
	node, err := c.CreateProtectedEphemeralSequential("/locks/own/n-", nil, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	_, err = c.Multi(
		&zk.CheckVersionRequest{Path: node, Version: 0},
		&zk.SetDataRequest{Path: "/state/own", Data: data, Version: -1},
	)
	return err
}

// OwnDeaf throws the refusal away.
func OwnDeaf(c *zk.Conn, data []byte) {
	//fencelint:lock correctness
	node, err := c.CreateProtectedEphemeralSequential("/locks/deaf/n-", nil, zk.WorldACL(zk.PermAll))
	if err != nil {
		return
	}
	c.Multi( // want "rejectionignored"
		&zk.CheckVersionRequest{Path: node, Version: 0},
		&zk.SetDataRequest{Path: "/state/deaf", Data: data, Version: -1},
	)
}

// OwnList builds the list of operations in steps.
func OwnList(c *zk.Conn, parts map[string][]byte) error {
	//fencelint:lock correctness
	node, err := c.Create("/locks/list/n-", nil, zk.FlagEphemeral|zk.FlagSequence, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	ops := []any{&zk.CheckVersionRequest{Path: node, Version: -1}}
	for name, part := range parts {
		ops = append(ops, &zk.SetDataRequest{Path: "/state/list/" + name, Data: part, Version: -1})
	}
	_, err = c.Multi(ops...)
	return err
}

// Aside does not check in the same request.
func Aside(c *zk.Conn, data []byte) error {
	//fencelint:lock correctness
	node, err := c.CreateProtectedEphemeralSequential("/locks/aside/n-", nil, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	ok, _, err := c.Exists(node)
	if err != nil || !ok {
		return err
	}
	_, err = c.Multi(&zk.SetDataRequest{Path: "/state/aside", Data: data, Version: -1}) // want "checkthenact"
	return err
}

// Fixed checks a node that the next owner has too, in the same version.
func Fixed(c *zk.Conn, data []byte) error {
	//fencelint:lock correctness
	_, err := c.Create("/locks/fixed", nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	_, err = c.Multi( // want "identityreused"
		&zk.CheckVersionRequest{Path: "/locks/fixed", Version: 0},
		&zk.SetDataRequest{Path: "/state/fixed", Data: data, Version: -1},
	)
	return err
}

// FixedResult checks it by the name that it has got back.
func FixedResult(c *zk.Conn, data []byte) error {
	//fencelint:lock correctness
	node, err := c.Create("/locks/result", nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	_, err = c.Multi( // want "identityreused"
		&zk.CheckVersionRequest{Path: node, Version: 0},
		&zk.SetDataRequest{Path: "/state/result", Data: data, Version: -1},
	)
	return err
}

// Versioned compares the version of one of the nodes that it writes.
func Versioned(ctx context.Context, s *concurrency.Session, c *zk.Conn) error {
	return held(ctx, s, func() error {
		data, st, err := c.Get("/state/versioned")
		if err != nil {
			return err
		}
		_, err = c.Multi(
			&zk.SetDataRequest{Path: "/state/versioned", Data: append(data, 'x'), Version: st.Version},
			&zk.DeleteRequest{Path: "/state/old", Version: -1},
		)
		return err
	})
}

// OnceAndMore makes a node of which there is only one, and overwrites another.
func OnceAndMore(ctx context.Context, s *concurrency.Session, c *zk.Conn, order string) error {
	return held(ctx, s, func() error {
		_, err := c.Multi( // want "unfencedwrite"
			&zk.CreateRequest{Path: "/orders/" + order, Acl: zk.WorldACL(zk.PermAll)},
			&zk.SetDataRequest{Path: "/state/last", Data: []byte(order), Version: -1},
		)
		return err
	})
}

// Once makes two of them.
func Once(ctx context.Context, s *concurrency.Session, c *zk.Conn, order string) error {
	return held(ctx, s, func() error {
		_, err := c.Multi(
			&zk.CreateRequest{Path: "/orders/" + order, Acl: zk.WorldACL(zk.PermAll)},
			&zk.CreateRequest{Path: "/orders/" + order + "/items", Acl: zk.WorldACL(zk.PermAll)},
		)
		return err
	})
}

// OwnInLoop checks in the rounds of a loop, of which there may be none.
func OwnInLoop(c *zk.Conn, parts map[string][]byte) error {
	//fencelint:lock correctness
	node, err := c.CreateProtectedEphemeralSequential("/locks/loop/n-", nil, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	ops := []any{&zk.SetDataRequest{Path: "/state/loop", Version: -1}}
	for name, part := range parts {
		ops = append(ops, &zk.CheckVersionRequest{Path: node}, &zk.SetDataRequest{Path: "/state/loop/" + name, Data: part, Version: -1})
	}
	_, err = c.Multi(ops...) // want "unfencedwrite"
	return err
}

// HandedIn leaves the operations to its caller.
func HandedIn(c *zk.Conn, ops []any) error {
	//fencelint:lock correctness
	if _, err := c.CreateProtectedEphemeralSequential("/locks/handed/n-", nil, zk.WorldACL(zk.PermAll)); err != nil {
		return err
	}
	_, err := c.Multi(ops...) // want "unprovedwrite"
	return err
}

// OwnKept asks for a node of its own that outlives the session.
func OwnKept(c *zk.Conn, data []byte) error {
	//fencelint:lock correctness
	node, err := c.Create("/locks/kept/n-", nil, zk.FlagSequence, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	_, err = c.Multi( // want "unfencedwrite"
		&zk.CheckVersionRequest{Path: node, Version: -1},
		&zk.SetDataRequest{Path: "/state/kept", Data: data, Version: -1},
	)
	return err
}
