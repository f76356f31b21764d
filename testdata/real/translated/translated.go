// Package translated passes the text of its statements through functions that rewrite it.
package translated

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("stale")

type app struct {
	db *sql.DB
	x  *sqlx.DB
	m  *concurrency.Mutex
	pg bool
}

func done(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errStale, err)
	}
	return nil
}

func (a *app) lock(ctx context.Context) (int64, error) {
	//fencelint:lock correctness
	if err := a.m.Lock(ctx); err != nil {
		return 0, err
	}
	return a.m.Header().Revision, nil
}

const good = "UPDATE t1 SET f = ?, v = 1 WHERE id = ? AND f < ?"
const bad = "UPDATE t2 SET f = ?, v = 1 WHERE id = ? AND f <> ?"

func (a *app) goodSqlx(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.x.ExecContext(ctx, a.x.Rebind(good), n, 1, n))
}

func (a *app) goodSqlx2(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, sqlx.Rebind(sqlx.DOLLAR, good), n, 1, n))
}

func (a *app) badSqlx(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.x.ExecContext(ctx, a.x.Rebind(bad), n, 1, n)) // want "staleadmitted"
}

// the project's own
func rebind(q string) string {
	var b strings.Builder
	n := 1
	for i := 0; i < len(q); i++ {
		if q[i] == '?' {
			b.WriteByte('$')
			b.WriteString(strconv.Itoa(n))
			n++
		} else {
			b.WriteByte(q[i])
		}
	}
	return b.String()
}

func (a *app) goodOwn(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, rebind("UPDATE t3 SET f = ?, v = 1 WHERE id = ? AND f < ?"), n, 1, n))
}

func (a *app) badOwn(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, rebind("UPDATE t4 SET f = ?, v = 1 WHERE id = ?"), n, 1)) // want "tokennotcompared|unprovedwrite"
}

var question = regexp.MustCompile(`\?`)

func rebindRe(q string) string {
	n := 0
	return question.ReplaceAllStringFunc(q, func(string) string {
		n++
		return fmt.Sprintf("$%d", n)
	})
}

func (a *app) goodRe(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, rebindRe("UPDATE t5 SET f = ?, v = 1 WHERE id = ? AND f < ?"), n, 1, n))
}

var dollar = regexp.MustCompile(`\$[0-9]+`)

func (a *app) goodDollar(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	q := dollar.ReplaceAllString("UPDATE t6 SET f = $1, v = 1 WHERE id = $2 AND f < $3", "?")
	return done(a.db.ExecContext(ctx, q, n, 1, n))
}

func (a *app) badDollar(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	q := dollar.ReplaceAllString("UPDATE t7 SET f = $1, v = 1 WHERE id = $2 AND f <> $3", "?")
	return done(a.db.ExecContext(ctx, q, n, 1, n)) // want "staleadmitted"
}

var names = strings.NewReplacer("{table}", "t8", "{fence}", "f")

func (a *app) goodReplacer(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	q := names.Replace("UPDATE {table} SET {fence} = $1, v = 1 WHERE id = $2 AND {fence} < $1")
	return done(a.db.ExecContext(ctx, q, n, 1))
}

func (a *app) goodReplacerLocal(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	q := strings.NewReplacer("$1", "?", "$2", "?", "$3", "?").Replace("UPDATE t9 SET f = $1, v = 1 WHERE id = $2 AND f < $3")
	return done(a.db.ExecContext(ctx, q, n, 1, n))
}

func (a *app) badReplacer(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	q := strings.NewReplacer("{op}", "<>").Replace("UPDATE t10 SET f = $1, v = 1 WHERE id = $2 AND f {op} $1")
	return done(a.db.ExecContext(ctx, q, n, 1)) // want "staleadmitted"
}

// a hole: the pattern is not known
func (a *app) unknownRe(ctx context.Context, pat string) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	q := regexp.MustCompile(pat).ReplaceAllString("UPDATE t11 SET f = $1, v = 1 WHERE id = $2 AND f < $1", "")
	return done(a.db.ExecContext(ctx, q, n, 1)) // want "unprovedwrite"
}

// mapped: the project's dialect
func (a *app) sqlText(q string) string {
	if a.pg {
		return q
	}
	return dollar.ReplaceAllString(q, "?")
}

func (a *app) goodDialect(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, a.sqlText("UPDATE t12 SET f = $1, v = 1 WHERE id = $2 AND f < $3"), n, 1, n))
}

func (a *app) badDialect(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, a.sqlText("UPDATE t13 SET f = $1, v = 1 WHERE id = $2 AND f <> $3"), n, 1, n)) // want "staleadmitted"
}

func (a *app) exec(ctx context.Context, q string, args ...any) error {
	return done(a.db.ExecContext(ctx, rebind(q), args...))
}

func (a *app) goodWrapped(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return a.exec(ctx, "UPDATE t16 SET f = ?, v = 1 WHERE id = ? AND f < ?", n, 1, n)
}

func (a *app) badWrapped(ctx context.Context) error {
	if _, err := a.lock(ctx); err != nil {
		return err
	}
	return a.exec(ctx, "UPDATE t17 SET v = 1 WHERE id = ?", 1) // want "unfencedwrite"
}

func (a *app) goodReplaceAll(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	q := strings.ReplaceAll("UPDATE {prefix}t18 SET f = $1, v = 1 WHERE id = $2 AND f < $1", "{prefix}", "app_")
	return done(a.db.ExecContext(ctx, q, n, 1))
}

var spaces = regexp.MustCompile(`\s+`)

func (a *app) goodSpaces(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	q := strings.TrimSpace(spaces.ReplaceAllString(`
		UPDATE t19 SET f = $1, v = 1
		WHERE id = $2 AND f < $1`, " "))
	return done(a.db.ExecContext(ctx, q, n, 1))
}

// a claim by hand whose text is rebound
func (a *app) goodClaim(ctx context.Context, id string) (bool, error) {
	//fencelint:lock correctness
	res, err := a.db.ExecContext(ctx, rebind(`INSERT INTO locks (name, owner) VALUES (?, ?) ON CONFLICT DO NOTHING`), "job", id)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

func (a *app) goodClaimed(ctx context.Context, id string) error {
	ok, err := a.goodClaim(ctx, id)
	if err != nil || !ok {
		return err
	}
	_, err = a.db.ExecContext(ctx, "INSERT INTO days (day) VALUES (current_date) ON CONFLICT DO NOTHING")
	return err
}

func (a *app) goodClaimRe(ctx context.Context, id string) error {
	//fencelint:lock correctness
	_, err := a.db.ExecContext(ctx, rebindRe(`INSERT INTO locks (name, owner) VALUES (?, ?)`), "job", id)
	if err != nil {
		return err
	}
	_, err = a.db.ExecContext(ctx, "INSERT INTO days (day) VALUES (current_date) ON CONFLICT DO NOTHING")
	return err
}

// bare takes the quotes off, byte by byte.
func bare(q string) string {
	b := make([]byte, 0, len(q))
	for i := 0; i < len(q); i++ {
		switch c := q[i]; {
		case c != '"':
			b = append(b, c)
		default:
		}
	}
	return string(b)
}

func (a *app) goodBare(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, bare(`UPDATE "t20" SET f = $1, v = 1 WHERE id = $2 AND f < $1`), n, 1))
}

// swapped writes the places in the order of their numbers from the back.
func swapped(q string) string {
	parts := strings.Split(q, "?")
	out := parts[0]
	for i, p := range parts[1:] {
		out += fmt.Sprintf("$%d", len(parts)-1-i) + p
	}
	return out
}

func (a *app) badSwapped(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, swapped("UPDATE t21 SET f = ?, v = 1 WHERE id = 7 AND f < ?"), 5, n)) // want "tokennotcompared"
}

// guardless takes the condition out.
func guardless(q string) string {
	i := strings.Index(q, " AND f")
	if i < 0 {
		return q
	}
	return q[:i]
}

func (a *app) badGuardless(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, guardless("UPDATE t22 SET f = $1, v = 1 WHERE id = $2 AND f < $1"), n, 1)) // want "tokennotcompared"
}

func (a *app) goodName(ctx context.Context, table string) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, rebind("UPDATE "+table+" SET f = ?, v = 1 WHERE id = ? AND f < ?"), n, 1, n))
}

// reader asks its own settings.
type dialect struct{ dollar bool }

func (d dialect) places(q string) string {
	if !d.dollar {
		return q
	}
	return rebind(q)
}

func (a *app) unknownDialect(ctx context.Context, d dialect) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, d.places("UPDATE t23 SET f = ?, v = 1 WHERE id = ? AND f < ?"), n, 1, n))
}

func (a *app) badDialectPlaces(ctx context.Context, d dialect) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, d.places("UPDATE t24 SET f = ?, v = 1 WHERE id = ? AND f <> ?"), n, 1, n)) // want "staleadmitted"
}

func endless(q string) string {
	for i := 0; ; i++ {
		q += strconv.Itoa(i)
		if len(q) < 0 {
			return q
		}
	}
}

func (a *app) unknownEndless(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, endless("UPDATE t25 SET f = $1, v = 1 WHERE id = 1 AND f < $1"), n)) // want "unprovedwrite"
}

type cutter struct{ n int }

func (c *cutter) cut(q string) string { return q[:c.n] }

func (a *app) unknownCut(ctx context.Context, c *cutter) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return done(a.db.ExecContext(ctx, c.cut("UPDATE t26 SET f = $1, v = 1 WHERE id = 1 AND f < $1"), n)) // want "unprovedwrite"
}

func (a *app) rest(ctx context.Context, q string, args ...any) error {
	return done(a.db.ExecContext(ctx, q, args[1:]...))
}

func (a *app) badRest(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return a.rest(ctx, "UPDATE t27 SET f = $2, v = 1 WHERE id = 1 AND f < $1", n, 7, n) // want "tokennotcompared|unprovedwrite"
}

func (a *app) goodRest(ctx context.Context) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	return a.rest(ctx, "UPDATE t28 SET f = $1, v = 1 WHERE id = $2 AND f < $1", 9, n, 7)
}

var guarded = regexp.MustCompile(`UPDATE (.*) AND f < \$1`)

// badAcross cuts the guard off by a pattern that matches across the name of the table.
func (a *app) badAcross(ctx context.Context, table string) error {
	n, err := a.lock(ctx)
	if err != nil {
		return err
	}
	q := guarded.ReplaceAllString("UPDATE "+table+" SET f = $1, v = 1 WHERE id = $2 AND f < $1", "UPDATE $1")
	return done(a.db.ExecContext(ctx, q, n, 1)) // want "unprovedwrite"
}
