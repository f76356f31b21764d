//go:build unix

// Command reports tells what happens to a writer of reports that is stopped past the end
// of its lease and then wakes up: without a fence, and with one. It starts an etcd, a
// PostgreSQL and a bank of its own; writers are processes, and the stop is SIGSTOP.
//
//	go run ./cmd/reports
package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"

	"fencelint.example/reports"
	"fencelint.example/reports/fenced"
	"fencelint.example/reports/internal/servers"
	"fencelint.example/reports/payment"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if len(os.Args) == 5 && os.Args[1] == "writer" {
		err = writer(ctx, os.Args[2], os.Args[3], os.Args[4])
	} else {
		err = run(ctx, os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run starts the servers and tells the story.
func run(ctx context.Context, out io.Writer) error {
	pg, err := servers.StartPostgres(ctx)
	if err != nil {
		return err
	}
	defer pg.Stop()
	etcd, err := servers.StartEtcd(ctx, 1)
	if err != nil {
		return err
	}
	defer etcd.Stop()
	bank, err := servers.StartBank()
	if err != nil {
		return err
	}
	defer bank.Stop()
	db, err := sql.Open("pgx", pg.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	if err := reports.Create(ctx, db, 1, 2); err != nil {
		return err
	}
	s := &story{out: out, db: db, bank: bank, env: environment(pg, etcd, bank)}
	s.race(ctx, "unfenced", 1)
	s.paid("  ", 0, 0)
	s.race(ctx, "fenced", 2)
	s.payments(ctx)
	s.bypass(ctx, 2)
	return s.err
}

// story is told up to the first error.
type story struct {
	out  io.Writer
	db   *sql.DB
	bank *servers.Bank
	env  []string
	err  error
}

func (s *story) say(format string, args ...any) {
	if s.err == nil {
		fmt.Fprintf(s.out, format+"\n", args...)
	}
}

// race lets A be stopped in the middle of its work until B is done.
func (s *story) race(ctx context.Context, kind string, id int64) {
	if s.err != nil {
		return
	}
	s.say("%s: two writers of report %d", kind, id)
	a := s.start(ctx, kind, id, "A")
	defer a.end()
	s.hear(a) // that it has the lock
	a.freeze()
	s.say("  A is stopped, and its lease runs out")
	b := s.start(ctx, kind, id, "B")
	defer b.end()
	s.hear(b)
	b.proceed()
	s.hear(b) // how it went
	a.thaw()
	s.say("  A goes on")
	a.proceed()
	s.hear(a)
	s.body(ctx, id)
}

// payments pays for the fenced report, and loses the first answer.
func (s *story) payments(ctx context.Context) {
	asked, paid := s.bank.Counts()
	s.say("payment: the author of the fenced report")
	s.bank.LoseAnswers(1)
	for range 2 {
		result := "settled"
		if err := payment.Settle(ctx, s.db, payment.Bank{URL: s.bank.URL, Client: http.DefaultClient}); err != nil {
			result = "no answer, the payment stays pending"
		}
		s.paid("  "+result+": ", asked, paid)
	}
}

// paid says what the bank did since it was asked and had paid so often.
func (s *story) paid(words string, asked, paid int) {
	nowAsked, nowPaid := s.bank.Counts()
	s.say("%sasked to pay %d×, paid %d×", words, nowAsked-asked, nowPaid-paid)
}

// bypass goes around the guard.
func (s *story) bypass(ctx context.Context, id int64) {
	if s.err != nil {
		return
	}
	s.say("repair: a statement that knows no fence, on the fenced report")
	if s.err = (fenced.Store{DB: s.db}).Replace(ctx, id, "by hand"); s.err == nil {
		s.body(ctx, id)
	}
}

func (s *story) body(ctx context.Context, id int64) {
	body, err := reports.Body(ctx, s.db, id)
	if s.err == nil {
		s.err = err
	}
	s.say("  report %d now reads: %s", id, body)
}
