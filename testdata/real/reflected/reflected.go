// Package reflected calls functions that it finds by reflection.
package reflected

import (
	"context"
	"database/sql"
	"log"
	"reflect"

	"go.etcd.io/etcd/client/v3/concurrency"
)

// H writes.
type H struct {
	s  *concurrency.Session
	db *sql.DB
}

// Write changes a row.
func Write(db *sql.DB, v string) error {
	_, err := db.Exec("UPDATE reflected SET v = $1 WHERE id = 1", v)
	return err
}

// Save does so.
func (h *H) Save(v string) error { return Write(h.db, v) }

// ReflectCall does so.
func (h *H) ReflectCall(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/reflected")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	reflect.ValueOf(Write).Call([]reflect.Value{reflect.ValueOf(h.db), reflect.ValueOf("x")}) // want "unprovedwrite|unfencedwrite"
	return nil
}

// ReflectMethod does so.
func (h *H) ReflectMethod(ctx context.Context, name string) error {
	m := concurrency.NewMutex(h.s, "/locks/reflected")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	out := reflect.ValueOf(h).MethodByName(name).Call([]reflect.Value{reflect.ValueOf("x")}) // want "unprovedwrite"
	if err, ok := out[0].Interface().(error); ok {
		return err
	}
	return nil
}

// ReflectNamed does so.
func (h *H) ReflectNamed(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/reflected")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	reflect.ValueOf(h).MethodByName("Save").Call([]reflect.Value{reflect.ValueOf("x")}) // want "unfencedwrite"
	return nil
}

// ReflectQuiet does so.
func (h *H) ReflectQuiet(ctx context.Context) error {
	m := concurrency.NewMutex(h.s, "/locks/reflected")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	reflect.ValueOf(h).MethodByName("Quiet").Call(nil)
	reflect.ValueOf(log.Println).Call(nil)
	return nil
}

// Quiet does so.
func (h *H) Quiet() { log.Println("quiet") }

// ReflectGiven does so.
func (h *H) ReflectGiven(ctx context.Context, f reflect.Value) error {
	m := concurrency.NewMutex(h.s, "/locks/reflected")
	//fencelint:lock correctness
	if err := m.Lock(ctx); err != nil {
		return err
	}
	defer m.Unlock(context.WithoutCancel(ctx))
	f.Call(nil) // want "unprovedwrite"
	return nil
}
