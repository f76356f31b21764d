package prove

import "testing"

func TestKeepsByName(t *testing.T) {
	for name, want := range map[string]bool{
		"RenewLease": true, "renewLock": true, "ExtendLeadership": true, "KeepAliveLease": true,
		"RenewOrAcquireLease": false, "RefreshToken": false, "RefreshCounts": false, "AcquireLease": false, "TryLock": false,
	} {
		if got := keepsByName(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestClaiming(t *testing.T) {
	for name, want := range map[string]bool{"ClaimPartition": true, "tryOnce": true, "runOnce": false, "processEvent": false} {
		if got := claiming.MatchString(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
