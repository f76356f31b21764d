package flow

import (
	"go/types"
	"strings"

	"github.com/fencelint/fencelint/model"
)

// readers gives the results of asking a refused or granted result object.
var readers = map[string]func(a abs, call *model.Call, sig *types.Signature) []abs{
	"rows_affected": func(a abs, _ *model.Call, sig *types.Signature) []abs {
		n := abs{k: isInt}.signal()
		if a.k == granted {
			n = abs{k: positive}
		}
		if sig.Results().Len() == 1 {
			return []abs{n}
		}
		return []abs{n, {k: isNil}}
	},
	"scan": func(a abs, call *model.Call, sig *types.Signature) []abs {
		if a.k == granted {
			return lastOf(sig, abs{k: isNil})
		}
		name := "database/sql.ErrNoRows"
		if p := call.Sink.Profile; p != nil && p.Rejection.Symbol != "" && !strings.Contains(p.Rejection.Symbol, " ") {
			name = p.Rejection.Symbol
		}
		return lastOf(sig, abs{k: nonNil, sig: true, name: name})
	},
	"rows_next": func(a abs, _ *model.Call, _ *types.Signature) []abs {
		if a.k == granted {
			return []abs{{}}
		}
		return []abs{boolean(false).signal()}
	},
	"status": func(a abs, _ *model.Call, _ *types.Signature) []abs {
		if a.k == granted {
			return []abs{{}} // which of those for success is the peer's choice
		}
		return []abs{{k: isInt, n: statusPrecondition, sig: true}}
	},
	"says_no":  func(a abs, _ *model.Call, _ *types.Signature) []abs { return []abs{boolean(a.k == refused).signal()} },
	"rows_err": func(a abs, _ *model.Call, _ *types.Signature) []abs { return []abs{{k: isNil}} },
}

// lastOf are the results of a call of which the last is known: the error, behind what was read.
func lastOf(sig *types.Signature, a abs) []abs {
	r := make([]abs, max(sig.Results().Len(), 1))
	r[len(r)-1] = a
	return r
}
