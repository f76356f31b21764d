package port

import "context"

// Depot keeps a lock beside its data: not all that is closed or deleted is the lock.
type Depot interface {
	AcquireLease(ctx context.Context, key string) error
	ReleaseLease(ctx context.Context, key string) error
	DeleteParcel(ctx context.Context, id int64) error
}

// Bills closes bills, which is a write.
type Bills interface {
	CloseBill(ctx context.Context, id, token int64) error
}
