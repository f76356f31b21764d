package prove

import (
	"slices"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// origin says where a value came from and what it is worth as a fencing token.
type origin struct {
	class      class
	source     string // coordinator, accessor and lock kind; "" if it has none
	durability string
	handle     *term.Term // the lock whose number it is, nil if it cannot be told
	grant      *term.Term // the acquisition that gave it out, nil if it was read from the lock
	record     *term.Term // of an epoch read apart from the grant: what else was read with it
	drawnBy    *term.Term // the command of a counter that gave it
	raisedBy   *term.Term // the statement that raised it and gave it back, if one did
	firstOf    string     // the counter that begins with it, where a statement made its row
	narrow     string     // a narrowing or textual type on the way, "" for none
	text       string     // the value as a reader would write it
	reason     string     // why it is unknown
	worth      string     // what is wrong with it, if that is more than its class says
}

// class is the provenance of a value.
type class string

// The classes of values. Those of the models come first.
const (
	epoch       class = class(model.ClassEpoch)
	epochReread class = class(model.ClassEpochReread)
	volatile    class = class(model.ClassVolatile)
	unbound     class = class(model.ClassCounterUnbound)
	opaque      class = class(model.ClassOpaque)
	clock       class = class(model.ClassClock)
	local       class = "local counter"
	untrusted   class = "untrusted"
	constant    class = "constant"
	zero        class = "zero"
	handedIn    class = "handed in"
	stored      class = "stored" // read from a receiver
	unknownFrom class = "unknown"
)

// origins lists what a value may be: more than one where paths meet.
func (j *judge) origins(t *term.Term) []origin {
	t = term.Settle(withoutNilMaps(t))
	var out []origin
	for _, a := range t.Alternatives() {
		out = append(out, j.origin(a, 0)...)
	}
	return j.fromFirst(out)
}

// fromFirst takes the number with which a row is made for one of its counter where the others
// are: a lease is raised if it is there, and made if it is not. Where code in sight deletes
// rows, the counter begins again.
func (j *judge) fromFirst(list []origin) []origin {
	for i, o := range list {
		if o.firstOf == "" {
			continue
		}
		k := slices.IndexFunc(list, func(c origin) bool { return c.class == epoch && c.source == o.firstOf && c.raisedBy != nil })
		switch table := o.firstOf[:strings.LastIndexByte(o.firstOf, '.')]; {
		case k < 0:
		case j.rowsGo("table:" + table):
			list[i].class, list[i].text, list[i].worth = volatile, o.firstOf, beginsAgain
		default:
			list[i].class, list[i].source, list[i].durability, list[i].reason = epoch, o.firstOf, list[k].durability, ""
		}
	}
	return list
}

// withoutNilMaps leaves out what is read from a map that is nil at first, where it may be
// read from one that is made: whoever reads a map asks whether there is an entry.
func withoutNilMaps(t *term.Term) *term.Term {
	if t.Kind != term.Alt {
		return t
	}
	rest := slices.DeleteFunc(slices.Clone(t.Args), func(a *term.Term) bool {
		return a.Kind == term.Elem && term.IsZero(term.Settle(a.Args[0]))
	})
	if len(rest) == 0 {
		return t
	}
	return term.NewAlt(rest...)
}

const fromDatabase = "it was read from the database"

// maxOrigin bounds the steps back from one value.
const maxOrigin = 24

func (j *judge) origin(t *term.Term, depth int) []origin {
	if j.trail != nil {
		return j.trail.origin(j, t, depth)
	}
	return j.originStep(t, depth)
}

func (j *judge) originStep(t *term.Term, depth int) []origin {
	if depth > maxOrigin {
		return one(origin{class: unknownFrom, reason: "it comes a longer way than is followed"})
	}
	if f := originOf[t.Kind]; f != nil {
		return f(j, t, depth)
	}
	return one(origin{class: unknownFrom, reason: "it is computed in a way that is not followed", text: t.String()})
}

func one(o origin) []origin { return []origin{o} }

var originOf map[term.Kind]func(*judge, *term.Term, int) []origin

func init() { // the functions refer to the table
	originOf = map[term.Kind]func(*judge, *term.Term, int) []origin{
		term.Unknown: func(_ *judge, t *term.Term, _ int) []origin {
			return one(origin{class: unknownFrom, reason: t.Str})
		},
		term.Const: constOrigin,
		term.Param: func(_ *judge, t *term.Term, _ int) []origin {
			return one(origin{class: handedIn, text: t.String()})
		},
		term.Free: func(_ *judge, t *term.Term, _ int) []origin {
			return one(origin{class: handedIn, text: t.String()})
		},
		term.Global: func(j *judge, t *term.Term, _ int) []origin {
			if j.a.CountedVar(t.Str) {
				return one(origin{class: local, text: t.String()})
			}
			return one(origin{class: unknownFrom, reason: "the package variable " + t.String() + " " + j.a.AssignedHow(t.Str), text: t.String()})
		},
		term.Call:    callOrigin,
		term.Field:   fieldOrigin,
		term.Alt:     altOrigin,
		term.Convert: convertOrigin,
		term.Iface:   func(j *judge, t *term.Term, d int) []origin { return j.origin(t.Args[0], d+1) },
		term.Op:      opOrigin,
		term.Concat:  concatOrigin,
		term.Elem:    elemOrigin,
		term.Struct:  structOrigin,
	}
}

func constOrigin(_ *judge, t *term.Term, _ int) []origin {
	if term.IsZero(t) {
		o := origin{class: zero, text: t.String()}
		if t.Typ == "zero" {
			o.reason = neverSet
		}
		return one(o)
	}
	return one(origin{class: constant, text: t.String()})
}

func altOrigin(j *judge, t *term.Term, d int) []origin {
	var out []origin
	for _, a := range t.Args {
		out = append(out, j.origin(a, d+1)...)
	}
	return out
}

// convertOrigin keeps the origin and notes a type in which order is lost.
func convertOrigin(j *judge, t *term.Term, d int) []origin {
	out := j.origin(t.Args[0], d+1)
	for i := range out {
		if narrowing[t.Str] || t.Str == flow.OtherBase {
			out[i].narrow = t.Str
		}
	}
	return out
}

var narrowing = map[string]bool{
	"int8": true, "int16": true, "int32": true, "uint8": true, "uint16": true, "uint32": true,
	"float32": true, "float64": true, "rune": true, "byte": true,
}

// callOrigin: an accessor of a lock, a clock, a random source, or a call through
// which the value only passes.
func callOrigin(j *judge, t *term.Term, d int) []origin {
	if o, ok := j.token(t); ok {
		return one(o)
	}
	if t.N >= flow.OutParam {
		return j.written(t, d)
	}
	if collectsRow[t.Str] && t.N == 0 {
		if out := j.returning(t, d); out != nil {
			return out
		}
		return one(origin{class: stored, text: t.String(), reason: fromDatabase})
	}
	if o, ok := j.drawn(t); ok {
		return one(o)
	}
	if isReply(t) {
		return j.origin(t.Args[0], d+1)
	}
	if flow.GivesEntry(t.Str) && len(t.Args) > 0 && t.Args[0].Kind == term.Field {
		if out := j.eachOrigin(j.a.EntryValues(t.Args[0].Str), d); out != nil {
			return out
		}
	}
	if c, ok := sources[t.Str]; ok {
		return one(origin{class: c, text: t.String(), source: t.Str})
	}
	if i, ok := passes[t.Str]; ok && i < len(t.Args) {
		return j.origin(t.Args[i], d+1)
	}
	if randomSources[t.Str] || isRandomPackage(t.Str) {
		return one(origin{class: opaque, text: t.String(), source: t.Str})
	}
	if t.Str == flow.OrZero {
		out := j.origin(t.Args[0], d+1)
		if flow.MayLack(t.Args[0]) {
			out = append(slices.Clip(out), origin{class: zero, text: t.Args[0].String(), worth: "which is 0 where the context carries none, and nobody looks at that"})
		}
		return out
	}
	if t.Str == "context.Context.Value" && t.Args[0].Symbolic() {
		return one(origin{class: handedIn, text: t.String()})
	}
	if strings.HasPrefix(t.Str, "dyn ") && len(t.Args) > 0 && j.isModelRead(unboxed(t.Args[0])) {
		return one(origin{class: stored, text: t.String(), reason: fromDatabase})
	}
	if strings.HasPrefix(t.Str, "dyn ") && t.Symbolic() {
		return one(origin{class: handedIn, text: t.String()})
	}
	return one(origin{class: unknownFrom, reason: "it comes from " + t.String() + ", which is not known", text: t.String()})
}

// written is the origin of what a call writes through a pointer.
func (j *judge) written(t *term.Term, d int) []origin {
	if out := j.returning(t, d); out != nil {
		return out
	}
	if randomSources[t.Str] {
		return one(origin{class: opaque, text: t.String(), source: t.Str})
	}
	if strings.HasSuffix(t.Str, ".Scan") || flow.ReadsRow(t.Str) || strings.HasSuffix(t.Str, "mongo.SingleResult.Decode") {
		return one(origin{class: stored, text: t.String(), reason: fromDatabase})
	}
	if strings.Contains(t.Str, "json") || strings.HasSuffix(t.Str, ".Decode") || strings.HasSuffix(t.Str, ".Unmarshal") {
		return one(origin{class: untrusted, text: t.String()})
	}
	return one(origin{class: unknownFrom, reason: "it is written by " + t.String(), text: t.String()})
}

// token is the origin of a value that an accessor or an acquisition in the models gives
// out: its result, or a field in that.
func (j *judge) token(t *term.Term) (origin, bool) {
	call, names := flow.GivenBy(t)
	if call == nil {
		return origin{}, false
	}
	if call.Str == flow.BeforeGrant {
		return origin{class: volatile, text: t.String(), worth: "which was asked for before this lock was acquired: it is that of an earlier hold, or zero"}, true
	}
	c := j.models.FuncKey(call.Str)
	if c == nil {
		return origin{}, false
	}
	for i, l := range append(slices.Clip(c.Locks), c.Depends...) {
		at := l.Token.At
		if i >= len(c.Locks) && l.Token.Class != model.ClassOpaque {
			continue // of what depends on arguments only the worst is taken for granted
		}
		if l.Token.Class == "" || at.Root != "ret" || at.Index != call.N || !flow.EndsIn(at, names) {
			continue
		}
		switch l.Role {
		case model.RoleToken, model.RoleExtend, model.RoleCheck:
			var h *term.Term
			if len(call.Args) > 0 {
				h = call.Args[0]
			}
			o := tokenOrigin(l, h, t)
			if o.record = call; l.Token.Needs != "" && notSet(l.Token.Needs, h) {
				o.class, o.worth = zero, "which is "+l.Token.Zero+": "+l.Token.Needs+" is not set"
			}
			return o, true
		case model.RoleAcquire:
			o := tokenOrigin(l, nil, t)
			o.grant = call
			return o, true
		}
	}
	return origin{}, false
}

// notSet reports whether a field of the options with which a lock was acquired is certainly
// not set.
func notSet(option string, lock *term.Term) bool {
	typ, field, _ := strings.Cut(option, ".")
	if lock == nil || unboxed(lock).Kind != term.Call {
		return false
	}
	args := unboxed(lock).Args
	if len(args) == 0 {
		return false
	}
	opts := unboxed(args[len(args)-1])
	if opts.Equal(term.Nil) {
		return true
	}
	if opts.Kind != term.Struct || opts.Open || !strings.HasSuffix(opts.Str, "."+typ) {
		return false
	}
	for i, name := range opts.Names {
		if lastPart(name) == field {
			return term.IsZero(opts.Args[i])
		}
	}
	return true
}

func tokenOrigin(l *model.Lock, handle, t *term.Term) origin {
	return origin{
		class: class(l.Token.Class), source: l.Token.Source, durability: l.Token.Durability,
		handle: handle, text: t.String(),
	}
}

// sources are functions whose result has a provenance of its own.
var sources = map[string]class{
	"time.Now": clock, "time.Time.UnixNano": clock, "time.Time.Unix": clock, "time.Time.UnixMilli": clock,
	"time.Time.UnixMicro": clock, "time.Since": clock,
	"github.com/google/uuid.New": opaque, "github.com/google/uuid.NewString": opaque,
	"github.com/google/uuid.NewRandom": opaque, "math/rand.Int63": opaque, "math/rand.Int": opaque,
	"math/rand/v2.Int64": opaque, "math/rand/v2.Int": opaque, "crypto/rand.Int": opaque, "crypto/rand.Text": opaque,
	"os.Getpid": opaque, "os.Hostname": opaque, "os.Getenv": opaque,
	"sync/atomic.AddInt64": local, "sync/atomic.Int64.Add": local, "sync/atomic.AddUint64": local, "sync/atomic.Uint64.Add": local,
	"net/http.Header.Get": untrusted, "net/http.Request.FormValue": untrusted, "net/http.Request.PathValue": untrusted,
	"net/http.Request.PostFormValue": untrusted, "net/url.Values.Get": untrusted, "net/http.Request.Cookie": untrusted, "net/http.Header.Values": untrusted,
	"google.golang.org/grpc/metadata.FromIncomingContext": untrusted, "google.golang.org/grpc/metadata.ValueFromIncomingContext": untrusted,
}

// passes are functions whose result has the provenance of an argument.
var passes = map[string]int{
	"strconv.ParseInt": 0, "strconv.ParseUint": 0, "strconv.Atoi": 0, "strconv.FormatInt": 0, "strconv.Itoa": 0,
	"strconv.FormatUint": 0, "strings.TrimSpace": 0, "github.com/google/uuid.UUID.String": 0, "fmt.Sprint": 0,
	"github.com/aws/aws-sdk-go-v2/aws.Int64": 0, "math/big.NewInt": 0, "github.com/aws/aws-sdk-go-v2/aws.String": 0,
	"github.com/aws/aws-sdk-go-v2/aws.ToString": 0, "github.com/aws/aws-sdk-go-v2/aws.ToInt64": 0,
	"github.com/google/uuid.Must": 0, "encoding/hex.EncodeToString": 0, "encoding/base64.Encoding.EncodeToString": 1,
	"google.golang.org/grpc/metadata.MD.Get":    0,
	"github.com/aws/aws-sdk-go/aws.StringValue": 0, "github.com/aws/aws-sdk-go/aws.Int64Value": 0,
}

func lastPart(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
