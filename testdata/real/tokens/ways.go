package tokens

import (
	"context"
	"os"

	"fencelint.example/real/tokens/wire"
)

type epochKey struct{}

func (d *Desk) fromContext(ctx context.Context, id int64) error {
	e, _ := ctx.Value(epochKey{}).(wire.Epoch)
	return d.write(ctx, id, int64(e))
}

func (d *Desk) current(context.Context) (int64, error) { return d.epoch, nil }

func (d *Desk) count(context.Context) (int64, error) {
	d.tries++
	return d.tries, nil
}

// Name gives the desk its name.
func (d *Desk) Name() error {
	host, err := os.Hostname()
	d.host = host
	return err
}
