// Package spanner writes to Cloud Spanner, whose transactions keep what they have read
// from changing until they commit, and whose mutations have no condition.
package spanner

import (
	"context"
	"crypto/rand"
	"errors"

	"cloud.google.com/go/spanner"
	"cloud.google.com/go/spanner/apiv1/spannerpb"
	"go.etcd.io/etcd/client/v3/concurrency"
)

var errStale = errors.New("a newer owner was there")

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func(epoch int64) error) error {
	mu := concurrency.NewMutex(s, "/locks/kilns")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do(mu.Header().Revision)
}

// Fire compares in the statement.
func Fire(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			n, err := tx.Update(ctx, spanner.Statement{
				SQL:    "UPDATE `kilns` SET state = \"lit\", epoch = @epoch WHERE id = @id AND epoch < @epoch",
				Params: map[string]any{"epoch": epoch, "id": id},
			})
			return counted(n, err)
		})
		return err
	})
}

// Stepwise fills in the parameters one by one.
func Stepwise(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			stmt := spanner.NewStatement(`UPDATE stepwise SET epoch = @token WHERE id = @id AND epoch < @token`)
			stmt.Params["token"] = epoch
			stmt.Params["id"] = id
			return counted(tx.Update(ctx, stmt))
		})
		return err
	})
}

// Deaf does not look at the number of rows.
func Deaf(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			_, err := tx.Update(ctx, spanner.Statement{ // want "rejectionignored"
				SQL:    `UPDATE deaf SET epoch = @epoch WHERE id = @id AND epoch < @epoch`,
				Params: map[string]any{"epoch": epoch, "id": id},
			})
			return err
		})
		return err
	})
}

// Turned compares the wrong way round.
func Turned(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			return counted(tx.Update(ctx, spanner.Statement{ // want "staleadmitted"
				SQL:    `UPDATE turned SET epoch = @epoch WHERE id = @id AND epoch > @epoch`,
				Params: map[string]any{"epoch": epoch, "id": id},
			}))
		})
		return err
	})
}

// Bare has no condition beside the key.
func Bare(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			return counted(tx.Update(ctx, spanner.Statement{ // want "tokennotcompared"
				SQL:    `UPDATE bare SET epoch = @epoch WHERE id = @id`,
				Params: map[string]any{"epoch": epoch, "id": id},
			}))
		})
		return err
	})
}

// Upsert inserts over what is there, whoever owns it.
func Upsert(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			return counted(tx.Update(ctx, spanner.Statement{ // want "tokennotcompared"
				SQL:    `INSERT OR UPDATE INTO upserts (id, epoch) VALUES (@id, @epoch)`,
				Params: map[string]any{"epoch": epoch, "id": id},
			}))
		})
		return err
	})
}

// Postgres has the other dialect.
func Postgres(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			return counted(tx.Update(ctx, spanner.Statement{
				SQL:    `UPDATE postgres SET epoch = $1 WHERE id = $2 AND epoch < $1`,
				Params: map[string]any{"p1": epoch, "p2": id},
			}))
		})
		return err
	})
}

// Compares locks by reading: the transaction fails if the epoch changes before it commits.
func Compares(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			row, err := tx.ReadRow(ctx, "fences", spanner.Key{"kilns"}, []string{"epoch"})
			if err != nil {
				return err
			}
			var seen int64
			if err := row.Columns(&seen); err != nil {
				return err
			}
			if seen > epoch {
				return errStale
			}
			return tx.BufferWrite([]*spanner.Mutation{
				spanner.Update("fences", []string{"name", "epoch"}, []any{"kilns", epoch}),
				spanner.InsertOrUpdate("compares", []string{"id", "state"}, []any{id, "lit"}),
			})
		})
		return err
	})
}

// Blind reads nothing.
func Blind(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			return tx.BufferWrite([]*spanner.Mutation{ // want "tokennotcompared"
				spanner.InsertOrUpdate("blind", []string{"id", "epoch"}, []any{id, epoch}),
			})
		})
		return err
	})
}

// Applied has no transaction that could read.
func Applied(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.Apply(ctx, []*spanner.Mutation{ // want "unfencedwrite"
			spanner.UpdateMap("applied", map[string]any{"id": id, "state": "lit"}),
		})
		return err
	})
}

// Somewhere writes a table that its caller names: no mutation has a condition.
func Somewhere(ctx context.Context, s *concurrency.Session, db *spanner.Client, table func() string, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.Apply(ctx, []*spanner.Mutation{ // want "unfencedwrite"
			spanner.InsertOrUpdateMap(table(), map[string]any{"id": id, "state": "lit"}),
		})
		return err
	})
}

// Created is refused where the row exists.
func Created(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.Apply(ctx, []*spanner.Mutation{spanner.Insert("created", []string{"id"}, []any{id})})
		return err
	})
}

// Anew has another key for each attempt, so that nothing refuses the next one.
func Anew(ctx context.Context, s *concurrency.Session, db *spanner.Client) error {
	return held(ctx, s, func(epoch int64) error {
		if _, err := db.Apply(ctx, []*spanner.Mutation{spanner.Insert("anew", []string{"id"}, []any{rand.Text()})}); err != nil { // want "unfencedwrite"
			return err
		}
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			_, err := tx.Update(ctx, spanner.Statement{ // want "unfencedwrite"
				SQL:    `INSERT INTO anew (id, state) VALUES (@id, "lit")`,
				Params: map[string]any{"id": rand.Text()},
			})
			return err
		})
		return err
	})
}

// Outside reads by another transaction, and what it has read may have changed.
func Outside(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		row, err := db.Single().ReadRow(ctx, "outside", spanner.Key{id}, []string{"epoch"})
		if err != nil {
			return err
		}
		var seen int64
		if err := row.Column(0, &seen); err != nil {
			return err
		}
		if seen > epoch {
			return errStale
		}
		_, err = db.Apply(ctx, []*spanner.Mutation{ // want "checkthenact"
			spanner.Update("outside", []string{"id", "state"}, []any{id, "lit"}),
		})
		return err
	})
}

// Guarded is guarded by the statement before it.
func Guarded(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			if err := counted(tx.Update(ctx, spanner.Statement{
				SQL:    `UPDATE gates SET epoch = @epoch WHERE name = "kilns" AND epoch <= @epoch`,
				Params: map[string]any{"epoch": epoch},
			})); err != nil {
				return err
			}
			return tx.BufferWrite([]*spanner.Mutation{spanner.Update("guarded", []string{"id", "state"}, []any{id, "lit"})})
		})
		return err
	})
}

// Parts may run more than once, and tells of no refusal.
func Parts(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.PartitionedUpdate(ctx, spanner.Statement{ // want "rejectionignored"
			SQL:    `UPDATE parts SET epoch = @epoch WHERE kiln = @id AND epoch < @epoch`,
			Params: map[string]any{"epoch": epoch, "id": id},
		})
		return err
	})
}

// Batch counts the rows of each statement.
func Batch(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			params := map[string]any{"epoch": epoch, "id": id}
			counts, err := tx.BatchUpdate(ctx, []spanner.Statement{
				{SQL: `UPDATE batch_gates SET epoch = @epoch WHERE name = "kilns" AND epoch <= @epoch`, Params: params},
				{SQL: `UPDATE batch SET state = "lit" WHERE id = @id`, Params: params},
			})
			if err != nil {
				return err
			}
			for _, n := range counts {
				if n != 1 {
					return errStale
				}
			}
			return nil
		})
		return err
	})
}

// Miscounted looks at the number of another statement.
func Miscounted(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			params := map[string]any{"epoch": epoch, "id": id}
			counts, err := tx.BatchUpdate(ctx, []spanner.Statement{ // want "rejectionignored"
				{SQL: `UPDATE batch SET state = "lit" WHERE id = @id`, Params: params},
				{SQL: `UPDATE batch_gates SET epoch = @epoch WHERE name = "kilns" AND epoch <= @epoch`, Params: params},
			})
			if err != nil {
				return err
			}
			return counted(counts[0], nil)
		})
		return err
	})
}

// Uncounted has the same statements and counts nothing.
func Uncounted(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			params := map[string]any{"epoch": epoch, "id": id}
			_, err := tx.BatchUpdate(ctx, []spanner.Statement{ // want "rejectionignored"
				{SQL: `UPDATE batch_gates SET epoch = @epoch WHERE name = "kilns" AND epoch <= @epoch`, Params: params},
				{SQL: `UPDATE batch SET state = "lit" WHERE id = @id`, Params: params},
			})
			return err
		})
		return err
	})
}

// Stands writes without looking, and never stores the epoch that it compares.
func Stands(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			seen, err := epochOf(ctx, tx, "stood")
			if err != nil {
				return err
			}
			if seen > epoch {
				return errStale
			}
			return tx.BufferWrite([]*spanner.Mutation{spanner.Delete("stands", spanner.Key{id})}) // want "fencenotadvanced"
		})
		return err
	})
}

func epochOf(ctx context.Context, tx *spanner.ReadWriteTransaction, table string) (int64, error) {
	row, err := tx.ReadRow(ctx, table, spanner.Key{"kilns"}, []string{"epoch"})
	if err != nil {
		return 0, err
	}
	var seen int64
	if err := row.ColumnByName("epoch", &seen); err != nil {
		return 0, err
	}
	return seen, nil
}

// Backwards lets the older one through.
func Backwards(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			seen, err := epochOf(ctx, tx, "backwards")
			if err != nil {
				return err
			}
			if seen < epoch {
				return errStale
			}
			return tx.BufferWrite([]*spanner.Mutation{spanner.UpdateMap("backwards", map[string]any{"id": id, "state": "lit"})}) // want "staleadmitted"
		})
		return err
	})
}

// Loose asks for an isolation that keeps nothing as it was read.
func Loose(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransactionWithOptions(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			seen, err := epochOf(ctx, tx, "fences")
			if err != nil {
				return err
			}
			if seen > epoch {
				return errStale
			}
			return tx.BufferWrite([]*spanner.Mutation{spanner.Update("loose", []string{"id", "state"}, []any{id, "lit"})}) // want "unprovedwrite"
		}, spanner.TransactionOptions{IsolationLevel: spannerpb.TransactionOptions_REPEATABLE_READ})
		return err
	})
}

// Tagged has options that leave the isolation alone.
func Tagged(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransactionWithOptions(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			seen, err := epochOf(ctx, tx, "fences")
			if err != nil {
				return err
			}
			if seen > epoch {
				return errStale
			}
			return tx.BufferWrite([]*spanner.Mutation{spanner.Update("tagged", []string{"id", "state"}, []any{id, "lit"})})
		}, spanner.TransactionOptions{TransactionTag: "kilns"})
		return err
	})
}

// kiln is a row.
type kiln struct {
	ID    string `spanner:"id"`
	State string `spanner:"state"`
	Epoch int64  `spanner:"epoch"`
}

// Records reads and stores records.
func Records(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			stmt := spanner.NewStatement(`SELECT id, state, epoch FROM records WHERE id = @id`)
			stmt.Params["id"] = id
			it := tx.Query(ctx, stmt)
			defer it.Stop()
			row, err := it.Next()
			if err != nil {
				return err
			}
			var k kiln
			if err := row.ToStruct(&k); err != nil {
				return err
			}
			if epoch <= k.Epoch {
				return errStale
			}
			k.State, k.Epoch = "lit", epoch
			m, err := spanner.UpdateStruct("records", k)
			if err != nil {
				return err
			}
			return tx.BufferWrite([]*spanner.Mutation{m})
		})
		return err
	})
}

// Rises stores what it has read and changed: no update is lost.
func Rises(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := db.ReadWriteTransaction(ctx, func(ctx context.Context, tx *spanner.ReadWriteTransaction) error {
			row, err := tx.ReadRow(ctx, "rises", spanner.Key{id}, []string{"heat"})
			if err != nil {
				return err
			}
			var heat int64
			if err := row.Column(0, &heat); err != nil {
				return err
			}
			return tx.BufferWrite([]*spanner.Mutation{spanner.Update("rises", []string{"id", "heat"}, []any{id, heat + 1})})
		})
		return err
	})
}

// ByHand begins and commits by itself.
func ByHand(ctx context.Context, s *concurrency.Session, db *spanner.Client, id string) error {
	return held(ctx, s, func(epoch int64) error {
		tx, err := spanner.NewReadWriteStmtBasedTransaction(ctx, db)
		if err != nil {
			return err
		}
		defer tx.Rollback(ctx)
		row, err := tx.ReadRow(ctx, "fences", spanner.Key{"kilns"}, []string{"epoch"})
		if err != nil {
			return err
		}
		var seen int64
		if err := row.Columns(&seen); err != nil {
			return err
		}
		if seen > epoch {
			return errStale
		}
		if err := tx.BufferWrite([]*spanner.Mutation{spanner.Update("byhand", []string{"id", "state"}, []any{id, "lit"})}); err != nil {
			return err
		}
		_, err = tx.Commit(ctx)
		return err
	})
}

// Gathers appends its mutations.
func Gathers(ctx context.Context, s *concurrency.Session, db *spanner.Client, ids []string) error {
	return held(ctx, s, func(epoch int64) error {
		var ms []*spanner.Mutation
		for _, id := range ids {
			ms = append(ms, spanner.Update("gathers", []string{"id", "state"}, []any{id, "lit"}))
		}
		_, err := db.Apply(ctx, ms) // want "unfencedwrite"
		return err
	})
}

func counted(n int64, err error) error {
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	return nil
}
