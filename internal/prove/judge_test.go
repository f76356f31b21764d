package prove

import "testing"

func TestShortKey(t *testing.T) {
	for key, want := range map[string]string{
		"go.etcd.io/etcd/client/v3.Txn.Commit":    "client.Txn.Commit",
		"github.com/redis/go-redis/v9.Client.Set": "redis.Client.Set",
		"github.com/jackc/pgx/v5.Tx.Exec":         "pgx.Tx.Exec",
		"database/sql.DB.ExecContext":             "sql.DB.ExecContext",
		"example.com/v2/store.Save":               "store.Save",
		"example.com/app.vault.Open":              "app.vault.Open",
		"main.run":                                "main.run",
	} {
		if got := shortKey(key); got != want {
			t.Errorf("shortKey(%q) = %q, want %q", key, got, want)
		}
	}
}
