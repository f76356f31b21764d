//go:build unix

package claims

import (
	"errors"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// refusedBehind reports whether a message was refused because another came before it.
func refusedBehind(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}

func stream(t *testing.T) (jetstream.JetStream, jetstream.Stream) {
	t.Helper()
	js := jetStream(t)
	s, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "ORDERS", Subjects: []string{"orders.>"}, Storage: jetstream.MemoryStorage})
	must(t, err)
	return js, s
}

// A message that is expected behind another is refused once a newer owner has sent one,
// and taken from the obsolete owner if it looks again: an equality, no order.
func TestNatsExpectedBehind(t *testing.T) {
	signal(t, "github.com/nats-io/nats.go/jetstream.Publisher.Publish", "error")
	js, s := stream(t)
	ctx := t.Context()
	first, err := js.Publish(ctx, "orders.1", []byte("a"), jetstream.WithExpectLastSequencePerSubject(0))
	must(t, err)
	if _, err := js.Publish(ctx, "orders.1", []byte("b"), jetstream.WithExpectLastSequencePerSubject(0)); !refusedBehind(err) {
		t.Errorf("a second first message: %v", err)
	}
	_, err = js.Publish(ctx, "orders.1", []byte("newer"), jetstream.WithExpectLastSequencePerSubject(first.Sequence))
	must(t, err)
	_, err = js.Publish(ctx, "orders.1", []byte("obsolete"), jetstream.WithExpectLastSequencePerSubject(first.Sequence))
	if !refusedBehind(err) {
		t.Errorf("the obsolete owner: %v", err)
	}
	last, err := s.GetLastMsgForSubject(ctx, "orders.1")
	must(t, err)
	if string(last.Data) != "newer" {
		t.Errorf("the last message is %q", last.Data)
	}
	if _, err = js.Publish(ctx, "orders.1", []byte("obsolete"), jetstream.WithExpectLastSequencePerSubject(last.Sequence)); err != nil {
		t.Errorf("the obsolete owner, after it has looked: %v", err)
	}
	if _, err = js.Publish(ctx, "orders.2", []byte("c"), jetstream.WithExpectLastSequence(last.Sequence)); !refusedBehind(err) {
		t.Errorf("behind the last message but one of the stream: %v", err)
	}
}

// A message that the stream knows by its id is dropped without an error.
func TestNatsMessageID(t *testing.T) {
	js, s := stream(t)
	ctx := t.Context()
	for i, body := range []string{"first", "second"} {
		ack, err := js.Publish(ctx, "orders.3", []byte(body), jetstream.WithMsgID("order-3"))
		must(t, err)
		if ack.Duplicate != (i == 1) {
			t.Errorf("%s: duplicate is %v", body, ack.Duplicate)
		}
	}
	last, err := s.GetLastMsgForSubject(ctx, "orders.3")
	must(t, err)
	if string(last.Data) != "first" {
		t.Errorf("the message is %q", last.Data)
	}
}

// What is sent later tells of its refusal later: the call itself has no error.
func TestNatsFuture(t *testing.T) {
	js, _ := stream(t)
	_, err := js.Publish(t.Context(), "orders.4", []byte("a"))
	must(t, err)
	future, err := js.PublishAsync("orders.4", []byte("b"), jetstream.WithExpectLastSequencePerSubject(0))
	if err != nil {
		t.Fatalf("the call: %v", err)
	}
	select {
	case err := <-future.Err():
		if !refusedBehind(err) {
			t.Errorf("the future: %v", err)
		}
	case <-future.Ok():
		t.Error("it is taken")
	case <-t.Context().Done():
	}
}
