// Package clientgo writes objects of Kubernetes.
package clientgo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bsm/redislock"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
)

func lock(ctx context.Context, lc *redislock.Client) (*redislock.Lock, error) {
	//fencelint:lock correctness
	return lc.Obtain(ctx, "lock:plan", time.Minute, nil)
}

// GoodUpdate sends the object back with the resourceVersion that it was read with.
func GoodUpdate(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	cm, err := cs.CoreV1().ConfigMaps("ns").Get(ctx, "plan", metav1.GetOptions{})
	if err != nil {
		return err
	}
	cm.Labels = map[string]string{"state": "planned"}
	_, err = cs.CoreV1().ConfigMaps("ns").Update(ctx, cm, metav1.UpdateOptions{})
	return err
}

// BadUpdate sends an object that carries no resourceVersion.
func BadUpdate(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "plan", Namespace: "ns"}, Data: map[string]string{"state": "planned"}}
	_, err = cs.CoreV1().ConfigMaps("ns").Update(ctx, cm, metav1.UpdateOptions{}) // want "unfencedwrite"
	return err
}

// GoodPatch names the resourceVersion that it changes.
func GoodPatch(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = cs.CoreV1().ConfigMaps("ns").Patch(ctx, "plan", types.MergePatchType,
		[]byte(`{"metadata": {"resourceVersion": "7"}, "data": {"state": "planned"}}`), metav1.PatchOptions{})
	return err
}

// GoodJSONPatch tests the resourceVersion first.
func GoodJSONPatch(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = cs.CoreV1().ConfigMaps("ns").Patch(ctx, "plan", types.JSONPatchType, []byte(`[
		{"op": "test", "path": "/metadata/resourceVersion", "value": "7"},
		{"op": "replace", "path": "/data/state", "value": "planned"}]`), metav1.PatchOptions{})
	return err
}

// BadPatch names no resourceVersion.
func BadPatch(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = cs.CoreV1().ConfigMaps("ns").Patch(ctx, "plan", types.MergePatchType, []byte(`{"data": {"state": "planned"}}`), metav1.PatchOptions{}) // want "unfencedwrite"
	return err
}

// BadAnnotation has the word in the data, where nobody compares it.
func BadAnnotation(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = cs.CoreV1().ConfigMaps("ns").Patch(ctx, "plan", types.MergePatchType, []byte(`{"data": {"resourceVersion": "7"}}`), metav1.PatchOptions{}) // want "unfencedwrite"
	return err
}

// BadBuilt puts the patch together when it runs.
func BadBuilt(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface, state string) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	patch := fmt.Appendf(nil, `{"data": {"state": %q}}`, state)
	_, err = cs.CoreV1().ConfigMaps("ns").Patch(ctx, "plan", types.MergePatchType, patch, metav1.PatchOptions{}) // want "unprovedwrite"
	return err
}

// GoodDelete deletes the object that it has read and no other one.
func GoodDelete(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	cm, err := cs.CoreV1().ConfigMaps("ns").Get(ctx, "plan", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return cs.CoreV1().ConfigMaps("ns").Delete(ctx, "plan", metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &cm.UID, ResourceVersion: &cm.ResourceVersion},
	})
}

// BadDelete deletes whatever has the name.
func BadDelete(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return cs.CoreV1().ConfigMaps("ns").Delete(ctx, "plan", metav1.DeleteOptions{}) // want "unfencedwrite"
}

// GoodCreate is refused if the object is there.
func GoodCreate(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = cs.CoreV1().ConfigMaps("ns").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "first"}}, metav1.CreateOptions{})
	return err
}

// BadApply takes the fields over from whoever owns them.
func BadApply(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	cm := applycorev1.ConfigMap("plan", "ns").WithData(map[string]string{"state": "planned"})
	_, err = cs.CoreV1().ConfigMaps("ns").Apply(ctx, cm, metav1.ApplyOptions{FieldManager: "planner", Force: true}) // want "unfencedwrite"
	return err
}

// patch sends what it is handed.
func patch(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface, p []byte) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = cs.CoreV1().ConfigMaps("ns").Patch(ctx, "plan", types.MergePatchType, p, metav1.PatchOptions{})
	return err
}

// BadHanded hands it a patch without a resourceVersion.
func BadHanded(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	return patch(ctx, lc, cs, []byte(`{"data":{"a":"b"}}`)) // want "unfencedwrite"
}

// GoodHanded hands it one with a resourceVersion.
func GoodHanded(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	return patch(ctx, lc, cs, []byte(`{"metadata": {"resourceVersion": "7"}, "data": {"a": "b"}}`))
}

// BadMarshal puts the patch together from a map.
func BadMarshal(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface, st string) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	b, err := json.Marshal(map[string]any{"data": map[string]string{"state": st}})
	if err != nil {
		return err
	}
	_, err = cs.CoreV1().ConfigMaps("ns").Patch(ctx, "plan", types.MergePatchType, b, metav1.PatchOptions{}) // want "unprovedwrite"
	return err
}

// GoodDeleteUID names the UID with the help of the library.
func GoodDeleteUID(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface, cm *corev1.ConfigMap) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return cs.CoreV1().ConfigMaps("ns").Delete(ctx, "plan", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(cm.UID))})
}

// GoodDeleteOptions has all of the options made by the library.
func GoodDeleteOptions(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface, cm *corev1.ConfigMap) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return cs.CoreV1().ConfigMaps("ns").Delete(ctx, "plan", *metav1.NewPreconditionDeleteOptions(string(cm.UID)))
}

// GoodDeleteSteps puts the options together in steps.
func GoodDeleteSteps(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface, cm *corev1.ConfigMap) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	var o metav1.DeleteOptions
	o.Preconditions = &metav1.Preconditions{UID: &cm.UID}
	return cs.CoreV1().ConfigMaps("ns").Delete(ctx, "plan", o)
}

// BadDeleteSometimes has the preconditions on some paths only.
func BadDeleteSometimes(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface, cm *corev1.ConfigMap, force bool) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	var o metav1.DeleteOptions
	if !force {
		o.Preconditions = &metav1.Preconditions{UID: &cm.UID}
	}
	return cs.CoreV1().ConfigMaps("ns").Delete(ctx, "plan", o) // want "unfencedwrite"
}

// BadDeleteEmpty has preconditions that demand nothing.
func BadDeleteEmpty(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface, cm *corev1.ConfigMap) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return cs.CoreV1().ConfigMaps("ns").Delete(ctx, "plan", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{}}) // want "unfencedwrite"
}

// BadDeleteMany deletes whatever has the label.
func BadDeleteMany(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return cs.CoreV1().ConfigMaps("ns").DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "a=b"}) // want "unfencedwrite"
}

// BadCreate lets the server make a new name for each call.
func BadCreate(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = cs.CoreV1().ConfigMaps("ns").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "first-"}}, metav1.CreateOptions{}) // want "unfencedwrite"
	return err
}

// BadDynamic deletes whatever has the name, by a client that knows no types.
func BadDynamic(ctx context.Context, lc *redislock.Client, cs dynamic.ResourceInterface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	return cs.Delete(ctx, "plan", metav1.DeleteOptions{}) // want "unfencedwrite"
}

// GoodDynamic sends back what it has read, by a client that knows no types.
func GoodDynamic(ctx context.Context, lc *redislock.Client, cs dynamic.ResourceInterface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	u, err := cs.Get(ctx, "plan", metav1.GetOptions{})
	if err != nil {
		return err
	}
	u.SetLabels(map[string]string{"a": "b"})
	_, err = cs.Update(ctx, u, metav1.UpdateOptions{})
	return err
}

// object is made out of sight of the call that sends it.
func object(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// GoodCreateMade is refused if the object is there, whoever made it.
func GoodCreateMade(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = cs.CoreV1().ConfigMaps("ns").Create(ctx, object("a"), metav1.CreateOptions{})
	return err
}

// BadDeleteGrace has options, and none of them is a condition.
func BadDeleteGrace(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	g := int64(0)
	return cs.CoreV1().Pods("ns").Delete(ctx, "plan", metav1.DeleteOptions{GracePeriodSeconds: &g}) // want "unfencedwrite"
}

// GoodStatus sends a copy of what it is handed.
func GoodStatus(ctx context.Context, lc *redislock.Client, cs kubernetes.Interface, d *corev1.Node) error {
	l, err := lock(ctx, lc)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = cs.CoreV1().Nodes().UpdateStatus(ctx, d.DeepCopy(), metav1.UpdateOptions{})
	return err
}
