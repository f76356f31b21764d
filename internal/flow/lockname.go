package flow

import (
	"strings"

	"github.com/fencelint/fencelint/internal/pattern"
)

// lockName finds a word for a lock in a name that may be written in any way:
// task_lock, LockRoom, redisLock. It passes over block, clock, release and please.
var lockName = pattern.New(`(?:^|[^bBcC])lock|Lock|(?:^|[^BC])LOCK|[mM]utex|MUTEX|(?:^|[^eEpP])lease|Lease|(?:^|[^EP])LEASE|[lL]eader|LEADER|(?:^|[^sS])elect(?:ed|ion)|Elect(?:ed|ion)`)

// SpeaksOfLock reports whether a name speaks of a lock, a lease or a leader.
func SpeaksOfLock(name string) bool { return lockName.MatchString(name) }

func lastDot(s string) int { return strings.LastIndexByte(s, '.') + 1 }
