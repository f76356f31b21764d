package keys

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"sync/atomic"
)

type keyOf struct{}

var attempts atomic.Int64

// NewDesk names its worker after the host.
func NewDesk() (*Desk, error) {
	host, err := os.Hostname()
	return &Desk{worker: host}, err
}

func (d *Desk) with(ctx context.Context, c Charge, key func(Charge) string) error {
	return d.send(ctx, key(c), c)
}

func uuid5(space, name string) string {
	sum := sha256.Sum256([]byte(space + "/" + name))
	return hex.EncodeToString(sum[:16])
}
