package triedout

import (
	"context"
	"testing"
	"time"
)

func TestSeat(t *testing.T) {
	s, err := NewSeat(nil, "/seat", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Take(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := s.Leave(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestStool(t *testing.T) {
	s := new(Stool)
	if err := s.Take(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := s.Leave(context.Background()); err != nil {
		t.Fatal(err)
	}
}
