package harness

import (
	"testing"

	"github.com/fencelint/fencelint/internal/harness/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
