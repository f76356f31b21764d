package beside

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// badge is what a keeper shows of the lease.
type badge struct {
	who    string
	number int64
}

// Keeper keeps what it shows, and renews the lease.
type Keeper struct {
	db  *sql.DB
	cfg struct{ me string }

	mu    sync.Mutex
	leads bool
	badge badge
}

func (k *Keeper) set(b badge) {
	k.mu.Lock()
	k.leads, k.badge = true, b
	k.mu.Unlock()
}

func (k *Keeper) current() (badge, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.leads {
		return badge{}, false
	}
	return k.badge, true
}

// Run leads.
func (k *Keeper) Run(ctx context.Context) error {
	l, ok, err := take(ctx, k.db, k.cfg.me)
	if err != nil || !ok {
		return err
	}
	return k.lead(ctx, l)
}

func (k *Keeper) lead(ctx context.Context, l lease) error {
	k.set(badge{who: k.cfg.me, number: l.epoch})
	for range time.Tick(time.Second) {
		if err := k.renew(ctx, l); err != nil {
			return err
		}
		if err := k.work(ctx); err != nil {
			return err
		}
	}
	return nil
}

// renew names its holder, of which nothing is known, and its number.
func (k *Keeper) renew(ctx context.Context, l lease) error {
	return written(k.db.ExecContext(ctx, `UPDATE leases SET expires_at = now() + interval '10 s' WHERE name = 'runner' AND holder = $1 AND epoch = $2 AND expires_at > now()`, k.cfg.me, l.epoch))
}

func (k *Keeper) work(ctx context.Context) error {
	b, ok := k.current()
	if !ok {
		return nil
	}
	return written(k.db.ExecContext(ctx, `UPDATE intents SET state = $1, last_epoch = $2 WHERE id = $3 AND last_epoch < $2`, "done", b.number, 7))
}
