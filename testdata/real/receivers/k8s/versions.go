package k8s

import (
	"context"
	"encoding/json"
	"maps"

	"go.etcd.io/etcd/client/v3/concurrency"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"
)

//fencelint:lock correctness contract=cas
func heldForVersion(ctx context.Context, s *concurrency.Session, do func() error) error {
	mu := concurrency.NewMutex(s, "/locks/versions")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do()
}

// Overwritten reads the object only to put into it what was decided before.
func Overwritten(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface, data map[string]string) error {
	return heldForVersion(ctx, s, func() error {
		m, err := c.Get(ctx, "overwritten", metav1.GetOptions{})
		if err != nil {
			return err
		}
		n := m.DeepCopy()
		if n.Data == nil {
			n.Data = map[string]string{}
		}
		n.Data["state"] = data["state"]
		_, err = c.Update(ctx, n, metav1.UpdateOptions{}) // want "casnotfence"
		return err
	})
}

// Continued computes what it writes from what it has read.
func Continued(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface, data map[string]string) error {
	return heldForVersion(ctx, s, func() error {
		m, err := c.Get(ctx, "continued", metav1.GetOptions{})
		if err != nil {
			return err
		}
		m.Data["both"] = m.Data["both"] + data["more"]
		_, err = c.Update(ctx, m, metav1.UpdateOptions{})
		return err
	})
}

// Decided writes only where what it has read allows it.
func Decided(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface, data map[string]string) error {
	return heldForVersion(ctx, s, func() error {
		m, err := c.Get(ctx, "decided", metav1.GetOptions{})
		if err != nil {
			return err
		}
		if m.Data["state"] != "open" {
			return nil
		}
		m.Data["state"] = data["state"]
		_, err = c.Update(ctx, m, metav1.UpdateOptions{})
		return err
	})
}

// Saved puts in what was decided before, and leaves it where it is there already.
func Saved(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface, data map[string]string) error {
	return heldForVersion(ctx, s, func() error {
		m, err := c.Get(ctx, "saved", metav1.GetOptions{})
		if err != nil {
			return err
		}
		state := data["state"]
		if m.Data["state"] == state {
			return nil
		}
		m.Data["state"] = state
		_, err = c.Update(ctx, m, metav1.UpdateOptions{}) // want "casnotfence"
		return err
	})
}

// Elsewhere looks at another part than it puts the value into.
func Elsewhere(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface, data map[string]string) error {
	return heldForVersion(ctx, s, func() error {
		m, err := c.Get(ctx, "elsewhere", metav1.GetOptions{})
		if err != nil {
			return err
		}
		state := data["state"]
		if m.Data["previous"] == state {
			return nil
		}
		m.Data["state"] = state
		_, err = c.Update(ctx, m, metav1.UpdateOptions{})
		return err
	})
}

// Merged hands the object to a function that is not told what was read.
func Merged(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface, data map[string]string) error {
	return heldForVersion(ctx, s, func() error {
		m, err := c.Get(ctx, "merged", metav1.GetOptions{})
		if err != nil {
			return err
		}
		maps.Copy(m.Data, data)
		_, err = c.Update(ctx, m, metav1.UpdateOptions{}) // want "casnotfence"
		return err
	})
}

type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// Tested puts a patch together that begins with a test of the version.
func Tested(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface, more []operation) error {
	return held(ctx, s, func() error {
		m, err := c.Get(ctx, "tested", metav1.GetOptions{})
		if err != nil {
			return err
		}
		steps := []operation{{Op: "test", Path: "/metadata/resourceVersion", Value: m.ResourceVersion}}
		for _, o := range more {
			if o.Op == "add" {
				steps = append(steps, operation{Op: "test", Path: o.Path})
			}
		}
		patch, err := json.Marshal(append(steps, more...))
		if err != nil {
			return err
		}
		_, err = c.Patch(ctx, "tested", types.JSONPatchType, patch, metav1.PatchOptions{})
		return err
	})
}

// Untested has such a patch without that test.
func Untested(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface, more []operation) error {
	return held(ctx, s, func() error {
		steps := []operation{{Op: "test", Path: "/metadata/name", Value: "untested"}}
		patch, err := json.Marshal(append(steps, more...))
		if err != nil {
			return err
		}
		_, err = c.Patch(ctx, "untested", types.JSONPatchType, patch, metav1.PatchOptions{}) // want "unprovedwrite"
		return err
	})
}
