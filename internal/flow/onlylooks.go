package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// printers are the packages whose functions write nothing through what they are given,
// except those whose names begin with one of the words.
var printers = map[string][]string{
	"fmt":                        {"Scan", "Sscan", "Fscan"},
	"log":                        nil,
	"log/slog":                   {"New", "Set"},
	"github.com/sirupsen/logrus": {"New", "Set", "Parse"},
	"go.uber.org/zap":            {"New", "Replace", "Parse"},
	"github.com/rs/zerolog":      {"New", "Set", "Parse"},
}

// lookers are other functions that only look at what an address leads to.
var lookers = set("reflect.TypeOf", "reflect.DeepEqual", "encoding/json.Marshal", "encoding/json.MarshalIndent", "errors.Is",
	"runtime.KeepAlive", "runtime.SetFinalizer")

// onlyLooks reports whether a call writes nothing through the addresses that it is given.
func onlyLooks(c *ssa.CallCommon) bool {
	callee := c.StaticCallee()
	if callee == nil {
		return false
	}
	callee = origin(callee)
	if callee.Pkg == nil {
		return false
	}
	path := callee.Pkg.Pkg.Path()
	words, prints := printers[path]
	if !prints {
		return lookers[path+"."+callee.Name()]
	}
	for _, w := range words {
		if strings.HasPrefix(callee.Name(), w) {
			return false
		}
	}
	return true
}

// keepsAddresses reports whether a method puts the addresses that it is given into what it
// is called on, and writes nothing through them: that of an atomic pointer, of a map.
func keepsAddresses(c *ssa.CallCommon) bool {
	callee := c.StaticCallee()
	if callee == nil || callee.Signature.Recv() == nil {
		return false
	}
	pkg := origin(callee).Pkg
	return pkg != nil && (pkg.Pkg.Path() == "sync/atomic" || pkg.Pkg.Path() == "sync")
}
