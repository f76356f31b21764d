// Package nodes lets one node at a time be drained: who that is stands among the
// annotations of an object that all of them share. Other notes are no locks.
package nodes

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// Turn is what the nodes take one after another.
type Turn interface {
	Acquire(ctx context.Context) (bool, error)
	Release(ctx context.Context) error
}

// SharedLock is a note on a DaemonSet.
type SharedLock struct {
	client     kubernetes.Interface
	node, note string
}

// New is a lock under a name.
func New(client kubernetes.Interface, node, note string) Turn {
	return &SharedLock{client: client, node: node, note: note}
}

// Acquire notes the node while there is no note. What was changed meanwhile is refused.
func (l *SharedLock) Acquire(ctx context.Context) (bool, error) {
	for {
		ds, err := l.client.AppsV1().DaemonSets("system").Get(ctx, "drainer", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		if who, ok := ds.Annotations[l.note]; ok {
			return who == l.node, nil
		}
		if ds.Annotations == nil {
			ds.Annotations = make(map[string]string)
		}
		ds.Annotations[l.note] = l.node
		_, err = l.client.AppsV1().DaemonSets("system").Update(ctx, ds, metav1.UpdateOptions{}) // lock
		if apierrors.IsConflict(err) {
			time.Sleep(time.Second)
			continue
		}
		return err == nil, err
	}
}

// Release takes the note away.
func (l *SharedLock) Release(ctx context.Context) error {
	ds, err := l.client.AppsV1().DaemonSets("system").Get(ctx, "drainer", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if ds.Annotations[l.note] != l.node {
		return fmt.Errorf("%s has the turn", ds.Annotations[l.note])
	}
	delete(ds.Annotations, l.note)
	_, err = l.client.AppsV1().DaemonSets("system").Update(ctx, ds, metav1.UpdateOptions{})
	return err
}

// Drain works while the node has its turn.
func Drain(ctx context.Context, client kubernetes.Interface, node string, labels map[string]string) error {
	turn := New(client, node, "drain/turn")
	ok, err := turn.Acquire(ctx) // lock
	if err != nil || !ok {
		return err
	}
	defer turn.Release(ctx)
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": labels}})
	if err != nil {
		return err
	}
	if _, err := client.CoreV1().Nodes().Patch(ctx, node, types.StrategicMergePatchType, patch, metav1.PatchOptions{}); err != nil { // none
		return err
	}
	text := fmt.Sprintf(`{"metadata": {"annotations": {"drained": %q}}}`, node)
	if _, err := client.CoreV1().Nodes().Patch(ctx, node, types.MergePatchType, []byte(text), metav1.PatchOptions{}); err != nil { // none
		return err
	}
	whole, err := json.Marshal(state(labels))
	if err != nil {
		return err
	}
	if _, err := client.CoreV1().Nodes().Patch(ctx, node, types.MergePatchType, whole, metav1.PatchOptions{}); err != nil { // unknown
		return err
	}
	return exec.CommandContext(ctx, "reboot", node).Run() // none
}

var states []any

func state(labels map[string]string) any { return states[len(labels)] }

// Mark notes when a node was looked at.
func Mark(ctx context.Context, client kubernetes.Interface, name string) error {
	n, err := client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	n.Annotations["seen"] = time.Now().Format(time.RFC3339)
	if _, err = client.CoreV1().Nodes().Update(ctx, n, metav1.UpdateOptions{}); err != nil {
		return err
	}
	delete(n.Annotations, "seen")
	_, err = client.CoreV1().Nodes().Update(ctx, n, metav1.UpdateOptions{})
	return err
}
