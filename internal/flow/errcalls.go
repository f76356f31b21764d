package flow

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/internal/pattern"
)

// exits reports whether a function never returns. Names carry it for the loggers
// and test helpers of third parties.
func exits(key string) bool {
	name := key[strings.LastIndexByte(key, '.')+1:]
	switch name {
	case "Fatal", "Fatalf", "Fatalln", "FatalContext", "FailNow", "Goexit", "Panic", "Panicf", "Panicln":
		return true
	}
	return key == "os.Exit" || key == "syscall.Exit"
}

// answers lists the calls that tell a peer no.
var answers = set("net/http.Error", "net/http.ResponseWriter.WriteHeader", "net/http.NotFound",
	"github.com/gin-gonic/gin.Context.AbortWithStatus", "github.com/gin-gonic/gin.Context.AbortWithStatusJSON",
	"github.com/gin-gonic/gin.Context.AbortWithError", "github.com/gin-gonic/gin.Context.JSON",
	"github.com/labstack/echo/v4.Context.JSON", "github.com/labstack/echo/v4.Context.NoContent")

// agrees reports whether an answer carries a constant status below 400.
func agrees(c *ssa.CallCommon) bool {
	for _, a := range c.Args {
		k, ok := a.(*ssa.Const)
		if ok && k.Value != nil && k.Value.Kind() == constant.Int && k.Int64() >= 100 && k.Int64() < 400 {
			return true
		}
	}
	return false
}

// errorsCall knows the functions that make, wrap and examine errors.
func errorsCall(key string, c *ssa.CallCommon, s *state) *abs {
	if list := appended(c, s); list != nil {
		return list
	}
	switch key {
	case "errors.New", "fmt.Errorf", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf":
		made := madeError(c, s)
		return &made
	case "google.golang.org/grpc/status.Error", "google.golang.org/grpc/status.Errorf":
		return &abs{k: nonNil, sig: anySignal(c, s), name: wrappedName(c, s)}
	case "errors.Join", "github.com/pkg/errors.Wrap", "github.com/pkg/errors.Wrapf", "github.com/pkg/errors.WithStack",
		"github.com/pkg/errors.WithMessage", "go.uber.org/multierr.Append", "go.uber.org/multierr.Combine":
		return joined(c, s)
	case "errors.Is", "github.com/pkg/errors.Is":
		return isSentinel(s.of(c.Args[0]), s.of(c.Args[1]))
	case "errors.As", "github.com/pkg/errors.As":
		if a := s.of(c.Args[0]); a.k == isNil {
			b := boolean(false)
			return &b
		} else if (a.name == timeOut || a.name == fault) && !mayBeTimeOut(c.Args[1]) {
			b := boolean(false).signal()
			return &b
		} else if b := foundWorded(a, c.Args[1]); b != nil {
			return b
		} else if b := isTyped(a, c.Args[1]); b != nil {
			return b
		} else if b := isTarget(a, c.Args[1]); b != nil {
			return b
		} else if a.sig {
			return &abs{sig: true}
		}
	case "go.mongodb.org/mongo-driver/v2/mongo.IsDuplicateKeyError", "go.mongodb.org/mongo-driver/mongo.IsDuplicateKeyError":
		if a := s.of(c.Args[0]); a.name == duplicateKey {
			b := boolean(true).signal()
			return &b
		}
		return asksKind("IsDuplicateKeyError", c, s)
	case "github.com/olivere/elastic/v7.IsConflict", "github.com/olivere/elastic.IsConflict":
		if a := s.of(c.Args[0]); a.k == nonNil && a.sig { // what refuses is a conflict of versions
			b := boolean(true).signal()
			return &b
		}
		return asksKind("IsConflict", c, s)
	default:
		return asksKind(key[strings.LastIndexByte(key, '.')+1:], c, s)
	}
	return nil
}

// asksKind answers a function that tells of what kind an error is, where there is
// none: no error is of no kind.
func asksKind(name string, c *ssa.CallCommon, s *state) *abs {
	r := c.Signature().Results()
	if !strings.HasPrefix(name, "Is") || r.Len() != 1 || !isBoolean(r.At(0).Type()) || asksForNone.MatchString(name) {
		return nil
	}
	none := false
	for _, v := range c.Args {
		if isError(v.Type()) {
			if s.of(v).k != isNil {
				return nil
			}
			none = true
		}
	}
	if !none {
		return nil
	}
	b := boolean(false)
	return &b
}

// asksForNone finds the predicates that hold where there is no error.
var asksForNone = pattern.New(`Nil|O[kK]|Succe|NoE|Empty|Done|Valid`)

func anySignal(c *ssa.CallCommon, s *state) bool {
	for _, a := range arguments(c) {
		if s.of(a).sig {
			return true
		}
	}
	return false
}

// isErrors reports whether a type is a list of errors. One that is not nil stands for a list
// with an error in it.
func isErrors(t types.Type) bool {
	l, ok := t.Underlying().(*types.Slice)
	return ok && isError(l.Elem())
}

// appended is a list of errors with more of them; nil for other calls.
func appended(c *ssa.CallCommon, s *state) *abs {
	b, ok := c.Value.(*ssa.Builtin)
	if !ok || b.Name() != "append" || !isErrors(c.Args[0].Type()) {
		return nil
	}
	list := s.of(c.Args[0])
	for _, v := range arguments(c)[1:] {
		if a := s.of(v); a.k == nonNil && a.sig {
			return &a
		}
	}
	return &list
}

// joined is not nil if one part is not, and nil if all are.
func joined(c *ssa.CallCommon, s *state) *abs {
	all, sig := true, false
	for _, v := range arguments(c) {
		if !isError(v.Type()) && !isErrors(v.Type()) {
			continue
		}
		a := s.of(v)
		sig = sig || a.sig
		if a.k == nonNil {
			return &abs{k: nonNil, sig: a.sig, name: wrappedName(c, s)}
		}
		all = all && a.k == isNil
	}
	if all {
		return &abs{k: isNil, sig: sig}
	}
	return &abs{sig: sig}
}

// wrappedName is the package variable that is among the wrapped errors.
func wrappedName(c *ssa.CallCommon, s *state) string {
	for _, v := range arguments(c) {
		if a := s.of(v); a.name != "" {
			return a.name
		}
	}
	return ""
}

func isSentinel(err, target abs) *abs {
	var b abs
	switch {
	case err.k == isNil:
		b = boolean(false)
	case err.name != "" && target.name != "":
		b = boolean(sameSentinel(err.name, target.name))
	}
	b.sig = err.sig
	return &b
}

// sameSentinel compares the names of two package variables. A model may name the
// package as code does: pgx.ErrNoRows, which also is database/sql's.
func sameSentinel(a, b string) bool {
	x, y := a[strings.LastIndexByte(a, '.')+1:], b[strings.LastIndexByte(b, '.')+1:]
	if strings.Contains(a, "/") && strings.Contains(b, "/") && x != "ErrNoRows" {
		return a == b
	}
	return x == y
}
