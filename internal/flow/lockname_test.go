package flow

import "testing"

func TestSpeaksOfLock(t *testing.T) {
	for _, name := range []string{"task_lock", "LockRoom", "redisLock", "DBLock", "LOCK_UNTIL", "room-lock:", "tryLease", "lease_owner", "river_leader", "electedAt", "Mutex", "lockID"} {
		if !SpeaksOfLock(name) {
			t.Errorf("%s speaks of a lock", name)
		}
	}
	for _, name := range []string{"block", "Blocks", "BLOCK", "clock", "wallClock", "released_at", "Release", "please", "selected", "RELEASE", "account"} {
		if SpeaksOfLock(name) {
			t.Errorf("%s does not speak of a lock", name)
		}
	}
}
