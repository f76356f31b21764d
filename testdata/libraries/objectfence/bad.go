package objectfence

import (
	"context"
	"encoding/json"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// BadReread compares a version that it has read once more.
func (s *Store) BadReread(ctx context.Context, v string) error {
	return s.with(ctx, "z", func(ctx context.Context, e int64) error {
		raw, st, err := s.z.Get("/z")
		if err != nil {
			return err
		}
		var d doc
		if err := json.Unmarshal(raw, &d); err != nil {
			return err
		}
		if d.Epoch > e {
			return errStale
		}
		d.Epoch, d.V = e, v
		out, err := json.Marshal(d)
		if err != nil {
			return err
		}
		_, st, err = s.z.Get("/z")
		if err != nil {
			return err
		}
		_, err = s.z.Set("/z", out, st.Version) // want "casnotfence"
		return err
	})
}

// BadUnstored keeps the epoch that it has read.
func (s *Store) BadUnstored(ctx context.Context, v string) error {
	return s.with(ctx, "z", func(ctx context.Context, e int64) error {
		raw, st, err := s.z.Get("/z")
		if err != nil {
			return err
		}
		var d doc
		if err := json.Unmarshal(raw, &d); err != nil {
			return err
		}
		if d.Epoch > e {
			return errStale
		}
		d.V = v
		out, err := json.Marshal(d)
		if err != nil {
			return err
		}
		_, err = s.z.Set("/z", out, st.Version) // want "casnotfence"
		return err
	})
}

// BadTurned stops the newer owner.
func (s *Store) BadTurned(ctx context.Context, v string) error {
	return s.with(ctx, "z", func(ctx context.Context, e int64) error {
		raw, st, err := s.z.Get("/z")
		if err != nil {
			return err
		}
		var d doc
		if err := json.Unmarshal(raw, &d); err != nil {
			return err
		}
		if d.Epoch < e {
			return errStale
		}
		d.Epoch, d.V = e, v
		out, err := json.Marshal(d)
		if err != nil {
			return err
		}
		_, err = s.z.Set("/z", out, st.Version) // want "staleadmitted"
		return err
	})
}

// BadAnnotation stores it in another one.
func (s *Store) BadAnnotation(ctx context.Context, v string) error {
	return s.with(ctx, "k", func(ctx context.Context, e int64) error {
		cms := s.k.CoreV1().ConfigMaps("ns")
		cm, err := cms.Get(ctx, "k", metav1.GetOptions{})
		if err != nil {
			return err
		}
		cur, err := strconv.ParseInt(cm.Annotations["epoch"], 10, 64)
		if err != nil {
			return err
		}
		if cur > e {
			return errStale
		}
		cm.Annotations["owner"] = strconv.FormatInt(e, 10)
		cm.Data["v"] = v
		_, err = cms.Update(ctx, cm, metav1.UpdateOptions{}) // want "casnotfence"
		return err
	})
}

// BadUncompared stores it and compares nothing.
func (s *Store) BadUncompared(ctx context.Context, v string) error {
	return s.with(ctx, "k", func(ctx context.Context, e int64) error {
		cms := s.k.CoreV1().ConfigMaps("ns")
		cm, err := cms.Get(ctx, "k", metav1.GetOptions{})
		if err != nil {
			return err
		}
		cm.Annotations["epoch"] = strconv.FormatInt(e, 10)
		cm.Data["v"] = v
		_, err = cms.Update(ctx, cm, metav1.UpdateOptions{}) // want "casnotfence"
		return err
	})
}
