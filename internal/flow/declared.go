package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/fencelint/fencelint/model"
)

// Decl is a directive on a declaration, as other packages need it.
type Decl struct {
	Name string // "path.Type.Member"
	Verb string
	Args map[string]string
	Lock *LockClass
}

// declared is the event of a call whose target a directive declares a boundary.
func (f *fn) declared(c ssa.CallInstruction, t target) *Event {
	d := f.a.decl(t.key, "writes")
	if d == nil {
		return nil
	}
	recv, args := split(t)
	w := &Declared{Resource: d.Args["resource"], Kind: d.Args["kind"], Fence: -1, Idempotency: -1}
	if t.sig != nil {
		w.Fence = paramIndex(t.sig, d.Args["fence"])
		w.Idempotency = paramIndex(t.sig, d.Args["idempotency"])
	}
	return &Event{Kind: Write, Key: t.key, Recv: recv, Args: args, Site: f.siteOf(c), Chain: []Step{f.step(c)}, Decl: w}
}

func paramIndex(sig *types.Signature, name string) int {
	for i := range sig.Params().Len() {
		if name != "" && sig.Params().At(i).Name() == name {
			return i
		}
	}
	return -1
}

// decl finds a directive on a declaration of this or an imported package.
func (a *Analysis) decl(key, verb string) *Decl {
	if key == "" {
		return nil
	}
	for i := range a.decls {
		if d := &a.decls[i]; d.Verb == verb && d.Name == key {
			return d
		}
	}
	if a.Imported != nil {
		return a.Imported.Decls[verb+" "+key]
	}
	return nil
}

// ownDecls turns the directives on declarations into a form that can travel.
func (a *Analysis) ownDecls() []Decl {
	var out []Decl
	if a.Classes == nil {
		return nil
	}
	for _, n := range a.Classes.Decls() {
		d := Decl{Name: a.Pkg.Path() + "." + n.Name, Verb: n.Dir.Verb}
		if n.Name == "" {
			d.Name = a.Pkg.Path()
		}
		for _, arg := range n.Dir.Args {
			if d.Args == nil {
				d.Args = make(map[string]string)
			}
			d.Args[arg.Key] = arg.Value
		}
		if n.Lock != nil {
			d.Lock = ClassOf(n.Lock.Class, n.Lock.Resource, n.Lock.Contract, n.Lock.Replay, n.Lock.Activated)
		}
		out = append(out, d)
	}
	return out
}

// ClassOf makes the class of a lock from the parts of its directive.
func ClassOf[S ~string](class S, resource, contract, replay string, activated bool) *LockClass {
	if class == "" {
		return nil
	}
	return &LockClass{Class: string(class), Resource: resource, Contract: contract, Replay: replay, Activated: activated}
}

// varSpec finds the declaration of a package variable and its comment.
func (a *Analysis) varSpec(pos token.Pos) (*ast.ValueSpec, *ast.CommentGroup) {
	for _, f := range a.Files {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR || pos < g.Pos() || pos > g.End() {
				continue
			}
			for _, s := range g.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && pos >= v.Pos() && pos <= v.End() {
					if v.Doc != nil {
						return v, v.Doc
					}
					return v, g.Doc
				}
			}
		}
	}
	return nil, nil
}

// byShape finds the model of a method of an interface that the project made for
// the statement methods of a library: one with ExecContext, or pgx's Exec.
func (f *fn) byShape(m *types.Func) (*model.Call, string) {
	recv := m.Signature().Recv()
	if recv == nil {
		return nil, ""
	}
	iface, ok := recv.Type().Underlying().(*types.Interface)
	if !ok {
		return nil, ""
	}
	if call, key := f.likeClientset(m); call != nil {
		return call, key
	}
	if call, key := f.likeAWS(m); call != nil {
		return call, key
	}
	for i := range iface.NumMethods() {
		for _, s := range shapes {
			if im := iface.Method(i); im.Name() == s.method && firstResult(im) == s.result {
				key := s.as + "." + m.Name()
				if call := f.a.known.byKey(key); call != nil {
					return call, key
				}
			}
		}
	}
	return f.restated(m)
}

// likeAWS knows the methods of the clients that AWS generates where a program has an
// interface of its own for the few that it calls: the input of a request has the name of
// the method, in the package of the client.
func (f *fn) likeAWS(m *types.Func) (*model.Call, string) {
	params := m.Signature().Params()
	for i := range min(params.Len(), 2) {
		in := namedOf(params.At(i).Type())
		if in == nil || in.Pkg() == nil || in.Name() != strings.TrimSuffix(m.Name(), "WithContext")+"Input" {
			continue
		}
		path := in.Pkg().Path()
		if !strings.HasPrefix(path, "github.com/aws/aws-sdk-go") {
			return nil, ""
		}
		for _, client := range []string{"Client", serviceNames[path[strings.LastIndexByte(path, '/')+1:]]} {
			key := path + "." + client + "." + m.Name()
			if call := f.a.known.byKey(key); call != nil {
				return call, key
			}
		}
	}
	return nil, ""
}

// serviceNames are the types of the clients in the first version of the library for AWS.
var serviceNames = map[string]string{"dynamodb": "DynamoDB", "s3": "S3", "sqs": "SQS", "sns": "SNS", "kinesis": "Kinesis", "eventbridge": "EventBridge", "sfn": "SFN", "ses": "SES", "lambda": "Lambda"}

// LikeClientset begins the keys of what likeClientset finds, whatever type is written.
const LikeClientset = "k8s.io/client-go/kubernetes/typed/core/v1.SecretInterface."

// likeClientset knows the methods of clientsets that are generated for a project's own
// Kubernetes types: they are those for the types that come with Kubernetes, and their
// last parameter says so.
func (f *fn) likeClientset(m *types.Func) (*model.Call, string) {
	options, ok := clientsetMethods[m.Name()]
	if !ok {
		return nil, ""
	}
	if !takesOptions(m, options) {
		return nil, ""
	}
	key := LikeClientset + m.Name()
	return f.a.known.byKey(key), key
}

// getsClient reports whether a method of a generated clientset gives the client of one kind
// of objects, as Pods(namespace) does: that sends nothing.
func getsClient(m *types.Func) bool {
	ps, res := m.Signature().Params(), m.Signature().Results()
	if res.Len() != 1 || ps.Len() > 1 || ps.Len() == 1 && !isString(ps.At(0).Type()) {
		return false
	}
	client, ok := res.At(0).Type().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for c := range client.Methods() {
		if options := clientsetMethods[c.Name()]; options != "" && takesOptions(c, options) {
			return true
		}
	}
	return false
}

// takesOptions reports whether a method takes options of package meta of some type.
func takesOptions(m *types.Func, options string) bool {
	for p := range m.Signature().Params().Variables() {
		if typeName(p.Type()) == "k8s.io/apimachinery/pkg/apis/meta/v1."+options {
			return true
		}
	}
	return false
}

var clientsetMethods = map[string]string{
	"Create": "CreateOptions", "Update": "UpdateOptions", "UpdateStatus": "UpdateOptions", "Patch": "PatchOptions",
	"Delete": "DeleteOptions", "DeleteCollection": "DeleteOptions", "Apply": "ApplyOptions", "ApplyStatus": "ApplyOptions",
	"Get": "GetOptions", "List": "ListOptions", "Watch": "ListOptions",
}

var shapes = []struct{ method, result, as string }{
	{"ExecContext", "database/sql.Result", "database/sql.DB"},
	{"Exec", "database/sql.Result", "database/sql.DB"},
	{"Exec", "github.com/jackc/pgx/v5/pgconn.CommandTag", "github.com/jackc/pgx/v5.Conn"},
	{"Exec", "github.com/jackc/pgconn.CommandTag", "github.com/jackc/pgx/v4.Conn"},
}

func firstResult(m *types.Func) string {
	if r := m.Signature().Results(); r.Len() > 0 {
		return typeName(r.At(0).Type())
	}
	return ""
}

// conversionPos is where a reader sees a value become an interface: its own
// expression, if SSA knows it.
func (a *Analysis) conversionPos(m *ssa.MakeInterface) token.Pos { return a.posOf(m, m.X) }

// posOf is the position of an instruction that makes something of x.
func (a *Analysis) posOf(m ssa.Instruction, x ssa.Value) token.Pos {
	if c, ok := x.(*ssa.Call); ok {
		return a.callPos(c)
	}
	if m.Pos().IsValid() {
		return m.Pos()
	}
	if x.Pos().IsValid() && x.Parent() == m.Parent() {
		return x.Pos()
	}
	return m.Parent().Pos()
}
