package prove

import "testing"

func TestPatchCompares(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{`{"metadata": {"resourceVersion": "7"}, "data": {}}`, true},
		{`{"metadata": {"resourceVersion": ""}}`, false},
		{`{"metadata": {"labels": {"resourceVersion": "7"}}}`, false},
		{`{"resourceVersion": "7"}`, false},
		{`[{"op": "test", "path": "/metadata/resourceVersion", "value": "7"}, {"op": "remove", "path": "/data"}]`, true},
		{`[{"op": "replace", "path": "/metadata/resourceVersion", "value": "7"}]`, false},
		{`[{"op": "test", "path": "/metadata/name", "value": "7"}]`, false},
		{`[{"op": "test", "path": "/metadata/resourceVersion"}]`, false},
		{`metadata: {resourceVersion: "7"}`, false},
		{``, false},
	} {
		if got := patchCompares(c.text); got != c.want {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
}
