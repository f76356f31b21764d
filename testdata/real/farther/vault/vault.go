// Package vault says what can be kept.
package vault

import "context"

// Vault keeps bodies by name.
type Vault interface {
	Keep(ctx context.Context, name string, body []byte) error
}

// Fenced keeps them for who has the newest epoch.
type Fenced interface {
	KeepAs(ctx context.Context, name string, body []byte, epoch int64) error
}
