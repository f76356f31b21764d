package prove

import (
	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/model"
)

// gripOfObject reads what a write does to an object that serves as a lock: one that
// may be created only while it is not there, or a Lease of Kubernetes.
func gripOfObject(e *flow.Event, s *model.Sink) *flow.Grip { return nil }
