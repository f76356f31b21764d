// Package cqlclaim claims rows of Cassandra by values that the driver draws.
package cqlclaim

import (
	"context"
	"errors"
	"os"

	"github.com/gocql/gocql"
)

var errTaken = errors.New("slot was taken")

// Drawn claims with a value that is new each time.
func Drawn(ctx context.Context, cs *gocql.Session, slot string, sum int64) error {
	claim := gocql.TimeUUID()
	//fencelint:lock correctness
	applied, err := cs.Query(`UPDATE slots SET claim = ? WHERE slot = ? IF claim = null`, claim, slot).WithContext(ctx).MapScanCAS(map[string]any{})
	if err != nil {
		return err
	}
	if !applied {
		return errTaken
	}
	applied, err = cs.Query(`UPDATE slots SET sum = ?, claim = null WHERE slot = ? IF claim = ?`, sum, slot, claim).WithContext(ctx).MapScanCAS(map[string]any{})
	if err != nil {
		return err
	}
	if !applied {
		return errTaken
	}
	return nil
}

// Named claims with the name of its host, which comes back with it.
func Named(ctx context.Context, cs *gocql.Session, slot string, sum int64) error {
	claim := os.Getenv("HOSTNAME")
	//fencelint:lock correctness
	applied, err := cs.Query(`UPDATE places SET claim = ? WHERE slot = ? IF claim = null`, claim, slot).WithContext(ctx).MapScanCAS(map[string]any{})
	if err != nil {
		return err
	}
	if !applied {
		return errTaken
	}
	applied, err = cs.Query(`UPDATE places SET sum = ?, claim = null WHERE slot = ? IF claim = ?`, sum, slot, claim).WithContext(ctx).MapScanCAS(map[string]any{}) // want "identityreused"
	if err != nil {
		return err
	}
	if !applied {
		return errTaken
	}
	return nil
}
