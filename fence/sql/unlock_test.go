package sql

import "testing"

// UNLOCK TABLES ends a lock, and takes none.
func TestUnlockIsNoLock(t *testing.T) {
	for text, want := range map[string]string{"LOCK TABLES a WRITE": "lock", "UNLOCK TABLES": "unlock"} {
		script := Parse(text, nil, MySQL)
		if len(script.Statements) != 1 || script.Statements[0].Kind != want {
			t.Errorf("%s: %+v, want %s", text, script.Statements, want)
		}
	}
}
