package valkeys

import (
	"context"
	"database/sql"
	"errors"

	"github.com/google/uuid"
	"github.com/valkey-io/valkey-go"
)

var (
	errTaken = errors.New("taken, or overtaken")

	number = valkey.NewLuaScript(`if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', 60000) then return redis.call('INCR', KEYS[2]) end return 0`)
	draw   = valkey.NewLuaScript(`return redis.call('INCR', KEYS[1])`)
)

// Numbered presents the number that came with the grant.
func Numbered(ctx context.Context, c valkey.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	n, err := number.Exec(ctx, c, []string{"{barn}:lock", "{barn}:n"}, []string{me}).AsInt64()
	if err != nil {
		return err
	}
	if n == 0 {
		return errTaken
	}
	defer free.Exec(context.WithoutCancel(ctx), c, []string{"{barn}:lock"}, []string{me})
	return passed(db.ExecContext(ctx, `UPDATE barns SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, n))
}

// Drawn presents one that anybody may draw at any time.
func Drawn(ctx context.Context, c valkey.Client, db *sql.DB) error {
	me := uuid.NewString()
	//fencelint:lock correctness
	got, err := take.Exec(ctx, c, []string{"lock:shed"}, []string{me}).AsInt64()
	if err != nil {
		return err
	}
	if got == 0 {
		return errTaken
	}
	defer free.Exec(context.WithoutCancel(ctx), c, []string{"lock:shed"}, []string{me})
	n, err := draw.Exec(ctx, c, []string{"shed:n"}, nil).ToInt64()
	if err != nil {
		return err
	}
	return passed(db.ExecContext(ctx, `UPDATE sheds SET open = true, fence = $1 WHERE id = 1 AND fence < $1`, n)) // want "unboundcounter"
}

func passed(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errTaken, err)
	}
	return nil
}
