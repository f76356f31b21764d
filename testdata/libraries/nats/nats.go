// Package nats locks by creating a key, by the client's older interface.
package nats

import (
	"database/sql"
	"errors"

	"github.com/nats-io/nats.go"
)

const (
	open   = `UPDATE stalls SET open = true WHERE id = 1`
	fenced = `UPDATE stalls SET open = true, fence = $1 WHERE id = 1 AND fence < $1`
)

func admit(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errors.New("another owner came after"), err)
	}
	return nil
}

// Fenced presents the revision of the creation.
func Fenced(kv nats.KeyValue, db *sql.DB) error {
	//fencelint:lock correctness
	rev, err := kv.Create("lock.stall", []byte("me"))
	if err != nil {
		return err
	}
	defer kv.Delete("lock.stall", nats.LastRevision(rev))
	return admit(db.Exec(fenced, int64(rev)))
}

// OtherGrant presents the number of another key.
func OtherGrant(kv nats.KeyValue, db *sql.DB) error {
	//fencelint:lock efficiency
	other, err := kv.Create("lock.gate", []byte("me"))
	if err != nil {
		return err
	}
	//fencelint:lock correctness
	rev, err := kv.Create("lock.barn", []byte("me"))
	if err != nil {
		return err
	}
	defer kv.Delete("lock.barn", nats.LastRevision(rev))
	return admit(db.Exec(`UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, int64(other))) // want "unprovedwrite"
}

// Deaf drops the failure of its renewal.
func Deaf(kv nats.KeyValue, db *sql.DB) error {
	//fencelint:lock correctness
	rev, err := kv.Create("lock.shed", []byte("me"))
	if err != nil {
		return err
	}
	kv.Update("lock.shed", []byte("me"), rev) // want "renewalerror"
	_, err = db.Exec(open)                    // want "unfencedwrite"
	return err
}

// Blind deletes whatever is there.
func Blind(kv nats.KeyValue, db *sql.DB) error {
	//fencelint:lock correctness
	if _, err := kv.Create("lock.mill", []byte("me")); err != nil {
		return err
	}
	defer kv.Purge("lock.mill") // want "unsaferelease"
	_, err := db.Exec(open)     // want "unfencedwrite"
	return err
}
