package listen

import (
	"context"
	"database/sql"
	"log"
	"net/http"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// GoodAnswer tells the peer that nothing was taken.
func GoodAnswer(s *concurrency.Session, db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m := concurrency.NewMutex(s, "/answer")
		//fencelint:lock correctness
		if err := m.Lock(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		defer m.Unlock(context.WithoutCancel(r.Context()))
		if err := take(r.Context(), db, 1, m.Header().Revision); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// BadAnswer tells the peer that all is well.
func BadAnswer(s *concurrency.Session, db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m := concurrency.NewMutex(s, "/answer")
		//fencelint:lock correctness
		if err := m.Lock(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		defer m.Unlock(context.WithoutCancel(r.Context()))
		if err := take(r.Context(), db, 1, m.Header().Revision); err != nil { // want "rejectionignored"
			log.Println(err)
		}
		w.WriteHeader(http.StatusNoContent)
	}
}
