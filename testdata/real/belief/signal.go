package belief

import (
	"context"
	"database/sql"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Yard is told of its leadership by channels.
type Yard struct {
	DB      *sql.DB
	Client  *clientv3.Client
	elected chan bool
}

// NewYard starts what waits for the leadership.
func NewYard(ctx context.Context, db *sql.DB, client *clientv3.Client) *Yard {
	y := &Yard{DB: db, Client: client, elected: make(chan bool)}
	go y.work(ctx)
	return y
}

// Elected is what others wait for.
func (y *Yard) Elected() <-chan bool { return y.elected }

// Run leads again and again.
func (y *Yard) Run(ctx context.Context) error {
	defer close(y.elected)
	for {
		y.elected <- false
		session, err := concurrency.NewSession(y.Client)
		if err != nil {
			return err
		}
		//fencelint:lock correctness
		if err := concurrency.NewElection(session, "/yard").Campaign(ctx, "b"); err != nil {
			return err
		}
		y.elected <- true
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-session.Done():
		}
	}
}

func (y *Yard) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			_, _ = y.DB.ExecContext(ctx, `UPDATE hosts SET seen = now() WHERE name = 'b'`)
			return
		case leads := <-y.Elected():
			if leads {
				y.move(ctx) // want "checknotfence"
			} else {
				y.rest(ctx)
			}
		}
	}
}

func (y *Yard) move(ctx context.Context) {
	_, _ = y.DB.ExecContext(ctx, `UPDATE trucks SET place = 'gate' WHERE id = 1`)
}

func (y *Yard) rest(ctx context.Context) {
	_, _ = y.DB.ExecContext(ctx, `UPDATE hosts SET state = 'idle' WHERE name = 'b'`)
}
