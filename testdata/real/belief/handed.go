package belief

import (
	"context"
	"database/sql"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Club tells its members when it leads.
type Club struct {
	Client  *clientv3.Client
	members []chan bool
	byName  map[string]chan bool
	leading bool
}

// Join returns a channel that tells of the leadership.
func (c *Club) Join(name string) <-chan bool {
	ch := make(chan bool, 1)
	c.members = append(c.members, ch)
	c.byName[name] = ch
	return ch
}

// Leads tells what this process believes.
func (c *Club) Leads() bool { return c.leading }

// Lead leads until the session ends.
func (c *Club) Lead(ctx context.Context) error {
	session, err := concurrency.NewSession(c.Client)
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	if err := concurrency.NewElection(session, "/club").Campaign(ctx, "c"); err != nil {
		return err
	}
	c.leading = true
	for _, ch := range c.members {
		ch <- true
	}
	<-session.Done()
	c.leading = false
	for _, ch := range c.byName {
		ch <- false
	}
	return nil
}

// Member works while its club leads.
type Member struct {
	DB     *sql.DB
	leads  func() bool
	active <-chan bool
}

// NewMember joins a club.
func NewMember(c *Club, db *sql.DB) *Member {
	return &Member{DB: db, leads: c.Leads, active: c.Join("m")}
}

// Ask calls the function that the member was given.
func (m *Member) Ask(ctx context.Context) error {
	if !m.leads() {
		return ErrNotLeader
	}
	_, err := m.DB.ExecContext(ctx, `UPDATE dues SET paid = true WHERE id = 1`) // want "checknotfence"
	return err
}

// Wait reads the channel that the member was given.
func (m *Member) Wait(ctx context.Context) error {
	for leads := range m.active {
		if !leads {
			continue
		}
		if _, err := m.DB.ExecContext(ctx, `UPDATE dues SET paid = true WHERE id = 2`); err != nil { // want "checknotfence"
			return err
		}
	}
	return nil
}

// Job is work that somebody guards.
type Job interface {
	Run(ctx context.Context) error
}

// Guarded runs a job under a lock.
func (c *Club) Guarded(ctx context.Context, job Job) error {
	session, err := concurrency.NewSession(c.Client)
	if err != nil {
		return err
	}
	defer session.Close()
	m := concurrency.NewMutex(session, "/job")
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(ctx)
	return job.Run(ctx)
}

// Run writes without a guard.
func (m *Member) Run(ctx context.Context) error {
	_, err := m.DB.ExecContext(ctx, `UPDATE dues SET paid = true WHERE id = 3`)
	return err
}

// Guard gives the lock's user its object.
func (m *Member) Guard(ctx context.Context, c *Club) error {
	//fencelint:lock correctness
	return c.Guarded(ctx, m) // want "unfencedwrite"
}
