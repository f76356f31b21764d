// Package wire has the messages and types by which a token goes from one place to another.
package wire

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Epoch is a token with a type of its own.
type Epoch int64

// String writes it in decimal digits.
func (e Epoch) String() string { return strconv.FormatInt(int64(e), 10) }

// Job is a message of the program's own.
type Job struct {
	ID    int64 `json:"id"`
	Epoch Epoch `json:"epoch"`
}

// Encode writes a job.
func Encode(j Job) ([]byte, error) { return json.Marshal(j) }

// Decode reads one.
func Decode(b []byte) (Job, error) {
	var j Job
	err := json.Unmarshal(b, &j)
	return j, err
}

// Won is the news of a won lock, in an error as some programs have it.
type Won struct{ Epoch int64 }

// Error says what happened.
func (w *Won) Error() string { return fmt.Sprintf("won with %d", w.Epoch) }

// Ticket has the shape of a generated message.
type Ticket struct {
	id    int64
	epoch int64
}

// GetEpoch is the getter of a generated message.
func (t *Ticket) GetEpoch() int64 {
	if t != nil {
		return t.epoch
	}
	return 0
}

// NewTicket makes one.
func NewTicket(id, epoch int64) *Ticket { return &Ticket{id: id, epoch: epoch} }
