package httpmatch

import (
	"database/sql"
	"net/http"
	"strconv"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// trolleys answers those who send the version that they have seen.
type trolleys struct {
	m  *concurrency.Mutex
	db *sql.DB
}

func changed(w http.ResponseWriter, res sql.Result, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		http.Error(w, "changed in the meantime", http.StatusPreconditionFailed)
	}
}

// GoodAdd compares the version that the client has seen, and moves it.
func (t *trolleys) GoodAdd(w http.ResponseWriter, r *http.Request) {
	seen, err := strconv.ParseInt(r.Header.Get("If-Match"), 10, 64)
	if err != nil {
		http.Error(w, err.Error(), http.StatusPreconditionRequired)
		return
	}
	//fencelint:lock correctness
	if err := t.m.Lock(r.Context()); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	defer t.m.Unlock(r.Context())
	res, err := t.db.ExecContext(r.Context(), `UPDATE trolleys SET items = items + 1, version = version + 1 WHERE id = $1 AND version = $2`, r.PathValue("id"), seen)
	changed(w, res, err)
}

// BadKept compares the version and leaves it as it is.
func (t *trolleys) BadKept(w http.ResponseWriter, r *http.Request) {
	seen, err := strconv.ParseInt(r.Header.Get("If-Match"), 10, 64)
	if err != nil {
		http.Error(w, err.Error(), http.StatusPreconditionRequired)
		return
	}
	//fencelint:lock correctness
	if err := t.m.Lock(r.Context()); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	defer t.m.Unlock(r.Context())
	res, err := t.db.ExecContext(r.Context(), `UPDATE trolleys SET items = items + 1 WHERE id = $1 AND version = $2`, r.PathValue("id"), seen) // want "unfencedwrite"
	changed(w, res, err)
}

// BadFence wants more than a version can do.
func (t *trolleys) BadFence(w http.ResponseWriter, r *http.Request) {
	seen, err := strconv.ParseInt(r.Header.Get("If-Match"), 10, 64)
	if err != nil {
		http.Error(w, err.Error(), http.StatusPreconditionRequired)
		return
	}
	//fencelint:lock correctness contract=fence
	if err := t.m.Lock(r.Context()); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	defer t.m.Unlock(r.Context())
	res, err := t.db.ExecContext(r.Context(), `UPDATE trolleys SET items = items + 1, version = version + 1 WHERE id = $1 AND version = $2`, r.PathValue("id"), seen) // want "casnotfence"
	changed(w, res, err)
}
