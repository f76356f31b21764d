package flow

import (
	"go/types"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/model"
)

// A program often has an interface of its own with the few methods of a client that it
// calls, so that tests can do without the client. Such a method is told by its signature,
// in which the client's library occurs: it is that of the client's own method.

// restatedLibs begin the paths of the libraries whose methods are known so. Those whose
// statements run on a connection or a transaction are told in another way, see shapes.
var restatedLibs = []string{
	"github.com/redis/go-redis/", "github.com/go-redis/redis", "github.com/bsm/redislock", "github.com/go-redsync/redsync",
	"go.etcd.io/etcd/client", "github.com/coreos/etcd/client", "github.com/hashicorp/consul/api",
	"github.com/go-zookeeper/zk", "github.com/samuel/go-zookeeper/zk", "go.mongodb.org/mongo-driver", "github.com/nats-io/nats.go",
	"github.com/bradfitz/gomemcache/memcache", "github.com/IBM/sarama", "github.com/Shopify/sarama", "github.com/segmentio/kafka-go",
}

// restated finds the model of the client's method that a method of the project's own
// interface restates, and its key. One without a model only reads.
func (f *fn) restated(m *types.Func) (*model.Call, string) {
	n, ok := f.a.restated[m]
	if !ok {
		if recv := m.Signature().Recv(); recv != nil {
			if name := ifaceName(recv.Type()); Unnamed(name) || f.a.own(name) {
				n = f.a.restatedBy(m)
			}
		}
		f.a.restated[m] = n
	}
	return n.call, n.key
}

func (a *Analysis) restatedBy(m *types.Func) named {
	if packages := namedPackages(m.Signature()); len(packages) > 0 {
		return a.methodOf(packages, m, m)
	}
	iface, ok := m.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return named{}
	}
	for i := range iface.NumMethods() { // its neighbours tell which client it is
		if o := iface.Method(i); o != m {
			if n := a.methodOf(namedPackages(o.Signature()), m, o); n.key != "" {
				return n
			}
		}
	}
	return named{}
}

// methodOf finds the method m of a client in one of some packages that has a method o, too.
func (a *Analysis) methodOf(packages []*types.Package, m, o *types.Func) named {
	var found named
	for _, pkg := range packages {
		scope := pkg.Scope()
		names := scope.Names()
		slices.SortStableFunc(names, func(x, y string) int { return clientRank(x) - clientRank(y) })
		for _, name := range names {
			t, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || !t.Exported() || t.IsAlias() || types.IsInterface(t.Type()) {
				continue
			}
			of := sameMethod(t, m)
			if of == nil || o != m && sameMethod(t, o) == nil {
				continue
			}
			if n := a.known.of(of); n.call != nil {
				return n
			} else if found.key == "" {
				found = n
			}
		}
	}
	return found
}

// sameMethod is the method of a type with the name and signature of another one, nil if
// there is none.
func sameMethod(t *types.TypeName, m *types.Func) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t.Type()), true, t.Pkg(), m.Name())
	of, ok := obj.(*types.Func)
	if !ok || !types.Identical(of.Signature(), m.Signature()) {
		return nil
	}
	return of
}

// clientRank puts the clients of a library before what else has the same methods: in a
// batch or pipeline they only note what is to be done.
func clientRank(name string) int {
	switch {
	case name == "Client":
		return 0
	case strings.HasSuffix(name, "Client"), name == "Conn", name == "Collection":
		return 1
	}
	return 2
}

// namedPackages are the packages of the libraries above whose types occur in a signature.
func namedPackages(sig *types.Signature) []*types.Package {
	var out []*types.Package
	for _, tuple := range []*types.Tuple{sig.Results(), sig.Params()} {
		for v := range tuple.Variables() {
			t := v.Type()
			if s, ok := t.Underlying().(*types.Slice); ok {
				t = s.Elem()
			}
			n := namedOf(t)
			if n == nil || n.Pkg() == nil || slices.Contains(out, n.Pkg()) {
				continue
			}
			if slices.ContainsFunc(restatedLibs, func(lib string) bool { return strings.HasPrefix(n.Pkg().Path(), lib) }) {
				out = append(out, n.Pkg())
			}
		}
	}
	return out
}
