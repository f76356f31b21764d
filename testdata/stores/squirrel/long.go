package squirrel

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// guest has much to be stored, none of which is a condition.
type guest struct {
	first, last, title, street, town, land, mail, phone, firm, note string
	seats                                                           int
}

// plain is a text without what is around it.
func plain(s string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(strings.TrimPrefix(s, "-"))), "  ", " ")
}

// full sets all of it.
func full(b sq.UpdateBuilder, g *guest) sq.UpdateBuilder {
	name := plain(g.title) + " " + plain(g.first) + " " + plain(g.last)
	return b.Set("name", name).Set("short", plain(name)).Set("address", plain(g.street)+", "+plain(g.town)+", "+plain(g.land)).
		Set("letter", name+", "+plain(g.street)+", "+plain(g.town)).Set("mail", plain(g.mail)).Set("phone", plain(g.phone)).
		Set("firm", plain(g.firm)+" ("+name+")").Set("note", plain(g.note)+strconv.Itoa(g.seats)).Set("seats", g.seats)
}

// GoodLong compares the epoch after all that.
func GoodLong(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, g *guest) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(full(sq.Update("seats"), g).Set("fence", f).Where(sq.And{sq.Eq{"id": id}, sq.Lt{"fence": f}}).RunWith(db).Exec())
}

// BadLong lets the same epoch and older ones through.
func BadLong(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, g *guest) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	return done(full(sq.Update("seats"), g).Set("fence", f).Where(sq.And{sq.Eq{"id": id}, sq.NotEq{"fence": f}}).RunWith(db).Exec()) // want "staleadmitted"
}

// GoodEither compares the epoch, whatever else is stored.
func GoodEither(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, g *guest, more bool) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	b := full(sq.Update("seats"), g).Set("fence", f)
	if more {
		b = b.Set("extra", plain(g.note)+plain(g.firm))
	}
	return done(b.Where(sq.And{sq.Eq{"id": id}, sq.Lt{"fence": f}}).RunWith(db).Exec())
}

// BadEither is open on one side of its condition, whatever else is stored.
func BadEither(ctx context.Context, s *concurrency.Session, db *sql.DB, id int64, g *guest, more bool) error {
	m, err := lock(ctx, s)
	if err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f := m.Header().Revision
	b := full(sq.Update("seats"), g).Set("fence", f)
	if more {
		b = b.Set("extra", plain(g.note)+plain(g.firm))
	}
	return done(b.Where(sq.Or{sq.Eq{"id": id}, sq.Lt{"fence": f}}).RunWith(db).Exec()) // want "staleadmitted"
}
