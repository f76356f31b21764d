// Package k8s writes objects of Kubernetes.
package k8s

import (
	"context"
	"fmt"

	"go.etcd.io/etcd/client/v3/concurrency"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"
)

//fencelint:lock correctness
func held(ctx context.Context, s *concurrency.Session, do func() error) error {
	mu := concurrency.NewMutex(s, "/locks/maps")
	if err := mu.Lock(ctx); err != nil {
		return err
	}
	defer mu.Unlock(context.WithoutCancel(ctx))
	return do()
}

// Kept writes the object that it has read, with its version: no update is lost.
func Kept(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface) error {
	return held(ctx, s, func() error {
		m, err := c.Get(ctx, "kept", metav1.GetOptions{})
		if err != nil {
			return err
		}
		m.Data = map[string]string{"a": "b"}
		_, err = c.Update(ctx, m, metav1.UpdateOptions{})
		return err
	})
}

// Copied writes a copy, which keeps the version.
func Copied(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface) error {
	return held(ctx, s, func() error {
		m, err := c.Get(ctx, "copied", metav1.GetOptions{})
		if err != nil {
			return err
		}
		n := m.DeepCopy()
		n.Data = map[string]string{"a": "b"}
		_, err = c.Update(ctx, n, metav1.UpdateOptions{})
		return err
	})
}

// Emptied takes the version out.
func Emptied(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface) error {
	return held(ctx, s, func() error {
		m, err := c.Get(ctx, "emptied", metav1.GetOptions{})
		if err != nil {
			return err
		}
		m.ResourceVersion = ""
		_, err = c.Update(ctx, m, metav1.UpdateOptions{}) // want "unfencedwrite"
		return err
	})
}

// EmptiedBySetter takes it out by a method.
func EmptiedBySetter(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface) error {
	return held(ctx, s, func() error {
		m, err := c.Get(ctx, "setter", metav1.GetOptions{})
		if err != nil {
			return err
		}
		m.SetResourceVersion("")
		_, err = c.Update(ctx, m, metav1.UpdateOptions{}) // want "unfencedwrite"
		return err
	})
}

// Whole replaces what the server told of the object.
func Whole(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface) error {
	return held(ctx, s, func() error {
		m, err := c.Get(ctx, "whole", metav1.GetOptions{})
		if err != nil {
			return err
		}
		m.ObjectMeta = metav1.ObjectMeta{Name: "whole"}
		_, err = c.Update(ctx, m, metav1.UpdateOptions{}) // want "unfencedwrite"
		return err
	})
}

// New makes the object here.
func New(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface) error {
	return held(ctx, s, func() error {
		_, err := c.Update(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "new"}}, metav1.UpdateOptions{}) // want "unfencedwrite"
		return err
	})
}

// Taken makes it here with the version that was read.
func Taken(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface) error {
	return held(ctx, s, func() error {
		m, err := c.Get(ctx, "taken", metav1.GetOptions{})
		if err != nil {
			return err
		}
		n := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "taken", ResourceVersion: m.ResourceVersion}}
		_, err = c.Update(ctx, n, metav1.UpdateOptions{})
		return err
	})
}

// Patched has no version in its patch.
func Patched(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface) error {
	return held(ctx, s, func() error {
		_, err := c.Patch(ctx, "patched", types.MergePatchType, []byte(`{"data":{"a":"b"}}`), metav1.PatchOptions{}) // want "unfencedwrite"
		return err
	})
}

// PatchedWith writes the version into it.
func PatchedWith(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface) error {
	return held(ctx, s, func() error {
		m, err := c.Get(ctx, "patchedwith", metav1.GetOptions{})
		if err != nil {
			return err
		}
		patch := fmt.Sprintf(`{"metadata":{"resourceVersion":"%s"},"data":{"a":"b"}}`, m.ResourceVersion)
		_, err = c.Patch(ctx, "patchedwith", types.MergePatchType, []byte(patch), metav1.PatchOptions{}) // want "unprovedwrite"
		return err
	})
}

// Deaf throws the conflict away.
func Deaf(ctx context.Context, s *concurrency.Session, c typed.ConfigMapInterface) error {
	return held(ctx, s, func() error {
		m, err := c.Get(ctx, "deaf", metav1.GetOptions{})
		if err != nil {
			return err
		}
		_, _ = c.Update(ctx, m, metav1.UpdateOptions{}) // want "rejectionignored"
		return nil
	})
}
