package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// refined are calls about which the models say more than the catalogue, and why.
var refined = map[string]string{
	"database/sql.Tx.Stmt":                                      "has a kind of its own, since it rebinds a statement to a transaction",
	"github.com/redis/go-redis/v9.Client.Watch":                 "redis may be a cache here as elsewhere",
	"github.com/go-redis/redis/v8.Client.Watch":                 "redis may be a cache here as elsewhere",
	"go.mongodb.org/mongo-driver/v2/mongo.Collection.BulkWrite": "the filters are in the models",
	"go.mongodb.org/mongo-driver/mongo.Collection.BulkWrite":    "the filters are in the models",
	"github.com/redis/rueidis.CoreClient.Do":                    "the embedded CommandClient declares it",
	"github.com/redis/rueidis.CoreClient.DoMulti":               "the embedded CommandClient declares it",
	"github.com/go-co-op/gocron/v2.WithDistributedLocker":       "the tasks of a scheduler that is given a locker run under its lock",
	"github.com/go-co-op/gocron/v2.WithDistributedElector":      "the tasks of a scheduler that asks an elector run on its answer",
	"github.com/go-co-op/gocron/v2.WithDistributedJobLocker":    "the task that a locker is given with runs under its lock",
	"github.com/hibiken/asynq.Unique":                           "de-duplication is no lock",
	"github.com/nats-io/nats.go.KeyValue.Update":                "the revision of a renewal rises within one grant",
	"os.CreateTemp": "temporary files are never shared",
	"github.com/go-redis/redis/v7.cmdable.SetArgs":                                   "v7.4.1, the last release of v7, has no such method",
	"cloud.google.com/go/spanner.ReadWriteTransaction.Update":                        "the statement is a structure: text and arguments are its fields",
	"cloud.google.com/go/spanner.ReadWriteTransaction.BatchUpdate":                   "the statements are structures: text and arguments are their fields",
	"cloud.google.com/go/spanner.Client.ReadWriteTransaction":                        "the writes in the closure are the boundaries",
	"cloud.google.com/go/spanner.Client.ReadWriteTransactionWithOptions":             "the writes in the closure are the boundaries",
	"github.com/gocql/gocql.Batch.Query":                                             "a statement is a boundary where it is queued",
	"github.com/apache/cassandra-gocql-driver/v2.Batch.Query":                        "a statement is a boundary where it is queued",
	"github.com/IBM/sarama.SyncProducer.CommitTxn":                                   "the messages leave with the commit",
	"github.com/confluentinc/confluent-kafka-go/v2/kafka.Producer.CommitTransaction": "the messages leave with the commit",
	"github.com/twmb/franz-go/pkg/kgo.Client.EndTransaction":                         "the messages leave with the commit",
	"github.com/stripe/stripe-go/v82.Backend.Call":                                   "the method is an argument",
	"github.com/stripe/stripe-go/v82.Backend.CallRaw":                                "the method is an argument",
	"github.com/stripe/stripe-go/v82.Backend.CallMultipart":                          "the method is an argument",
}

// Where a library is modelled, the models agree with the catalogue about each of
// its calls: role, class of token, kind, place of statement and arguments.
func TestModelsAgreeWithCatalogue(t *testing.T) {
	table := Builtin()
	doc := catalogue(t, "locks.yaml")
	compared := 0
	for _, e := range at(doc, "entries").Content {
		m := at(e, "match")
		if at(m, "kind").Value != "call" || at(m, "pkg").Kind != 0 {
			continue
		}
		for _, p := range at(doc, "libs", at(e, "lib").Value, "paths").Content {
			if table.Weight(p.Value) == Unmodelled {
				continue
			}
			key := joinKey(p.Value, strings.TrimPrefix(at(m, "recv").Value, "*"), at(m, "name").Value)
			compared++
			if msg := agrees(table.FuncKey(key), e); msg != "" && refined[key] == "" {
				t.Errorf("%s (%s): %s", key, at(e, "id").Value, msg)
			}
		}
	}
	for _, s := range at(catalogue(t, "writes.yaml"), "sinks").Content {
		pkg := at(s, "package").Value
		if table.Weight(pkg) <= Quiet {
			continue
		}
		key := joinKey(pkg, strings.TrimPrefix(at(s, "receiver").Value, "*"), at(s, "method").Value)
		call := table.FuncKey(key)
		if d := at(s, "declared_on"); d.Kind != 0 {
			call = table.FuncKey(joinKey(pkg, d.Content[0].Value, at(s, "method").Value))
		}
		compared++
		if call == nil || call.Sink == nil {
			if refined[key] == "" {
				t.Errorf("%s: no row", key)
			}
			continue
		}
		got := fmt.Sprint(call.Sink.Kind, call.Sink.Boundary, call.Sink.Stmt, call.Sink.Args)
		want := fmt.Sprint(at(s, "kind").Value, at(s, "boundary").Value, number(at(s, "stmt_arg")), number(at(s, "args_start")))
		if got != want && refined[key] == "" {
			t.Errorf("%s: %s, catalogue %s", key, got, want)
		}
	}
	t.Logf("%d calls compared", compared)
}

func number(n *yaml.Node) int {
	if i, err := strconv.Atoi(n.Value); err == nil {
		return i
	}
	return -1
}

func agrees(call *Call, e *yaml.Node) string {
	if call == nil {
		return "no entry"
	}
	for _, l := range slices.Concat(call.Locks, call.Depends) {
		if string(l.Role) == at(e, "role").Value {
			if got, want := string(l.Token.Class), at(e, "token", "cls").Value; got != want {
				return fmt.Sprintf("token class %q, catalogue %q", got, want)
			}
			return ""
		}
	}
	return "no entry with role " + at(e, "role").Value
}
