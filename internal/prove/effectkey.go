package prove

import (
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/pattern"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// stability says whether a key is the same for each attempt of each owner.
type stability uint8

// From the best to the worst; a key is as good as its worst part.
const (
	stable   stability = iota
	supplied           // by a caller, whose obligation it is
	hazy               // nobody can say
	fleeting           // another one for another attempt or owner
	absent             // there is none
)

// keyed is the stability of a key with the reason, in words that follow "the key is".
type keyed struct {
	is  stability
	why string
}

func worseKey(a, b keyed) keyed {
	if b.is > a.is {
		return b
	}
	return a
}

// maxKey bounds the steps back from a key.
const maxKey = 32

// stability of a key as a whole: an empty one is none.
func (j *judge) stability(t *term.Term) keyed {
	if t == nil {
		return keyed{hazy, "not followed"}
	}
	k := keyed{}
	for _, a := range term.Settle(t).Alternatives() {
		k = worseKey(k, j.wholeKey(a))
	}
	return k
}

func (j *judge) wholeKey(t *term.Term) keyed {
	switch {
	case t.Kind == term.Call && t.Str == flow.HeaderOr:
		if k := j.stability(t.Args[0]); k.is != absent {
			return k
		}
		return j.stability(t.Args[1])
	case t.Kind == term.Call && t.Str == flow.HeaderBy:
		if v := j.a.KeySetBy(t.Args[0]); v != nil {
			return j.stability(v)
		}
		return keyed{absent, ""}
	case t.Kind == term.Call && t.Str == flow.KeyWhen:
		if k := j.stability(t.Args[0]); k.is == absent {
			return k
		}
		return j.stability(t.Args[1])
	case emptyKey(t):
		return keyed{absent, ""}
	}
	return j.keyPart(t, 0)
}

// emptyKey reports whether a term is no key: an empty text, or a header that
// nobody sets.
func emptyKey(t *term.Term) bool {
	for t.Kind == term.Iface || t.Kind == term.Convert {
		t = t.Args[0]
	}
	if t.Kind == term.Elem && term.IsZero(t.Args[0]) {
		return true // of a nil map
	}
	return term.IsZero(t) || t.Kind == term.Const && t.Typ == "string" && t.Str == "" || flow.NoHeader(t)
}

// keyPart is the stability of a value that a key is made of.
func (j *judge) keyPart(t *term.Term, depth int) keyed {
	if depth > maxKey {
		return keyed{hazy, "made in a longer way than is followed"}
	}
	if f := keyParts[t.Kind]; f != nil {
		return f(j, t, depth)
	}
	return j.keyParts(t.Args, depth)
}

// keyParts is the worst of several.
func (j *judge) keyParts(ts []*term.Term, depth int) keyed {
	k := keyed{}
	for _, t := range ts {
		k = worseKey(k, j.keyPart(t, depth+1))
	}
	return k
}

var keyParts map[term.Kind]func(*judge, *term.Term, int) keyed

func init() { // the functions refer to the table
	fromCaller := func(*judge, *term.Term, int) keyed { return keyed{is: supplied} }
	keyParts = map[term.Kind]func(*judge, *term.Term, int) keyed{
		term.Const:   func(*judge, *term.Term, int) keyed { return keyed{} },
		term.Param:   fromCaller,
		term.Free:    fromCaller,
		term.Unknown: unknownKey,
		term.Global:  globalKey,
		term.Call:    callKeyPart,
		term.Field:   fieldKey,
		term.Elem:    func(j *judge, t *term.Term, d int) keyed { return j.keyPart(t.Args[0], d+1) },
	}
}

// unknownKey: what code that is not seen hands in is business of whoever calls;
// a number counted on in a loop over items is their position.
func unknownKey(_ *judge, t *term.Term, _ int) keyed {
	switch {
	case strings.HasPrefix(t.Str, "an argument"), strings.HasPrefix(t.Str, "a parameter"), strings.HasPrefix(t.Str, "a captured"):
		return keyed{is: supplied}
	case strings.Contains(t.Str, "computed from itself"):
		return keyed{}
	}
	return keyed{hazy, "not followed: " + t.Str}
}

// globalKey: a package variable is one value for each process.
func globalKey(j *judge, t *term.Term, depth int) keyed {
	if randomSources[t.Str] {
		return keyed{fleeting, "random"}
	}
	if j.a.CountedVar(t.Str) {
		return keyed{fleeting, "made with " + shortKey(t.Str) + ", which counts in this process alone"}
	}
	if v := j.a.Initially(t.Str); v != nil {
		if k := j.keyPart(v, depth+1); k.is == fleeting {
			return keyed{fleeting, "made with " + shortKey(t.Str) + ", which each process has another one of"}
		}
		return keyed{}
	}
	return keyed{is: supplied}
}

// fieldKey: a field holds what somebody stored in it. That a business object has
// a number that was drawn at random once is fine; that this process is called by
// its host, its id or a clock is not.
func fieldKey(j *judge, t *term.Term, depth int) keyed {
	for _, o := range j.tokenOrigins(t) {
		return tokenKey(o)
	}
	for _, v := range j.a.FieldValues(t.Str) {
		if name := identityIn(v); name != "" {
			return keyed{fleeting, "made with " + name + ", which another owner has another one of"}
		}
		if name := j.drawnIn(v); name != "" && j.ofService(t.Str) {
			return keyed{fleeting, "made with " + name + ", which each process draws another one of"}
		}
	}
	if j.a.Counted(t.Str) && j.ofService(t.Str) {
		return keyed{fleeting, "made with " + lastPart(t.Str) + ", which counts in this process alone"}
	}
	if t.Args[0].Kind == term.Struct { // what its other fields are made of says nothing of this one
		return keyed{is: supplied}
	}
	if k := j.keyPart(t.Args[0], depth+1); k.is != hazy {
		return k
	}
	return keyed{is: supplied}
}

func tokenKey(o origin) keyed {
	return keyed{fleeting, "made with " + o.text + " of the lock, which each acquisition has another one of"}
}

// identityIn names the source in a term that tells one process from another.
func identityIn(t *term.Term) string {
	name := ""
	t.Any(func(u *term.Term) bool {
		if u.Kind == term.Call && (u.Str == "os.Hostname" || u.Str == "os.Getpid" || envOfProcess(u)) {
			name = shortKey(u.Str)
		}
		return name != ""
	})
	return name
}

// drawnIn names the source in a term that gives another value each time it is asked.
func (j *judge) drawnIn(t *term.Term) string {
	name := ""
	t.Any(func(u *term.Term) bool {
		if u.Kind == term.Call && u.N < flow.OutParam && j.newEachTime(u) != "" {
			name = shortKey(u.Str)
		}
		return name != ""
	})
	return name
}

// envOfProcess reports whether a term is an environment variable that names this
// process or its place.
func envOfProcess(t *term.Term) bool {
	if t.Str != "os.Getenv" && t.Str != "os.LookupEnv" || len(t.Args) == 0 {
		return false
	}
	name, ok := term.StringValue(t.Args[0])
	return ok && processNames.MatchString(name)
}

var processNames = pattern.New(`(?i)(^|_)(HOST|HOSTNAME|POD|NODE|WORKER|INSTANCE|REPLICA|PID|MACHINE)(_|$)`)

// callKeyPart: a token, a clock, a random source, or a function of its arguments.
func callKeyPart(j *judge, t *term.Term, depth int) keyed {
	for _, o := range j.tokenOrigins(t) {
		return tokenKey(o)
	}
	if name := identityIn(&term.Term{Kind: term.Call, Str: t.Str, Args: t.Args}); name != "" && (envOfProcess(t) || strings.HasPrefix(t.Str, "os.")) {
		return keyed{fleeting, "made with " + name + ", which another owner has another one of"}
	}
	if why := j.newEachTime(t); why != "" {
		return keyed{fleeting, "made with " + why}
	}
	switch {
	case t.N >= flow.OutParam:
		return j.writtenKey(t, depth)
	case t.Str == "os.Getenv", t.Str == "os.LookupEnv", t.Str == "<-", t.Str == "context.Context.Value", j.isModelRead(t), sources[t.Str] == untrusted:
		return keyed{}
	case strings.HasPrefix(t.Str, "dyn "):
		return worseKey(keyed{is: supplied}, j.keyParts(t.Args, depth))
	case len(t.Args) == 0:
		return keyed{hazy, "made by " + t.Str + ", which is not known"}
	}
	return j.keyParts(t.Args, depth)
}

// newEachTime says of a call that its result differs from one attempt to the next.
func (j *judge) newEachTime(t *term.Term) string {
	switch {
	case t.Str == flow.AttemptCounter:
		return "the number of the attempt"
	case t.Str == flow.MapCounter:
		return "a number that counts the entries of a map, which come in another order in another attempt"
	case strings.HasPrefix(t.Str, "time.Now") || t.Str == "time.Since":
		return t.Str + ", which is later in another attempt"
	case strings.TrimPrefix(t.Str, "dyn ") == "context.Context.Deadline":
		return "the deadline of a context, which is later in another attempt"
	case randomSources[t.Str] || isRandomPackage(t.Str) || keyMakers.MatchString(t.Str):
		return shortKey(t.Str) + ", which draws another one for each attempt"
	case sources[t.Str] == local:
		return shortKey(t.Str) + ", which counts in this process alone"
	}
	if c := j.models.FuncKey(t.Str); c != nil {
		for _, l := range c.Locks {
			if l.Role == model.RoleCounter {
				return shortKey(t.Str) + ", which draws another number for each attempt"
			}
		}
	}
	return ""
}

// writtenKey is what a call wrote through a pointer: a stored value, a decoded
// one, or random bytes.
func (j *judge) writtenKey(t *term.Term, depth int) keyed {
	if strings.HasSuffix(t.Str, ".Scan") && len(t.Args) > 0 && j.drawsInSQL(unboxed(t.Args[0])) {
		return keyed{fleeting, "made by the database for this query"}
	}
	if k, ok := j.storedAnew(t); ok {
		return k
	}
	if strings.HasPrefix(t.Str, "io.Read") {
		return j.keyParts(t.Args, depth)
	}
	return keyed{}
}

// drawsInSQL reports whether a row comes from a query that reads no table: it can
// only compute something new.
func (j *judge) drawsInSQL(row *term.Term) bool {
	if row.Kind != term.Call {
		return false
	}
	for _, a := range row.Args {
		if s, ok := term.StringValue(a); ok && computedOnly.MatchString(s) {
			return true
		}
	}
	return false
}

var computedOnly = pattern.New(`(?is)^\s*SELECT\s+(gen_random_uuid|uuid|uuid_generate_v\d\w*|random|nextval|now|clock_timestamp|newid|randomblob|hex)\s*\([^;]*$`)

// isModelRead reports whether a call reads from a receiver that a model knows.
func (j *judge) isModelRead(t *term.Term) bool {
	c := j.models.FuncKey(t.Str)
	return c != nil && c.Sink != nil && (c.Sink.Boundary == "read" || strings.HasPrefix(c.Sink.Kind, "query"))
}

// randomSources are single functions and variables that give random values.
var randomSources = map[string]bool{
	"crypto/rand.Reader": true, "crypto/rand.Text": true, "crypto/rand.Read": true, "crypto/rand.Int": true, "crypto/rand.Prime": true,
	"k8s.io/apimachinery/pkg/util/uuid.NewUUID": true, "github.com/hashicorp/go-uuid.GenerateUUID": true,
	"go.mongodb.org/mongo-driver/v2/bson.NewObjectID": true, "go.mongodb.org/mongo-driver/bson/primitive.NewObjectID": true,
	"github.com/gocql/gocql.TimeUUID": true, "github.com/gocql/gocql.RandomUUID": true, "github.com/gocql/gocql.MustRandomUUID": true,
	"github.com/apache/cassandra-gocql-driver/v2.TimeUUID": true, "github.com/apache/cassandra-gocql-driver/v2.RandomUUID": true,
	"github.com/apache/cassandra-gocql-driver/v2.MustRandomUUID": true, "github.com/nats-io/nuid.Next": true, "github.com/nats-io/nuid.NUID.Next": true,
}

// keyMakers are the functions of payment services that draw a key.
var keyMakers = pattern.New(`^github\.com/stripe/stripe-go(/v\d+)?\.NewIdempotencyKey$`)

// randomPackages give out random values; derivedFrom are the prefixes of their
// functions that compute a value from what they are given.
var (
	randomPackages = pattern.New(`^(math/rand(/v2)?|github\.com/(google|gofrs|satori/go\.|pborman)/?uuid(/v\d+)?|github\.com/oklog/ulid(/v2)?|` +
		`github\.com/segmentio/ksuid|github\.com/rs/xid|github\.com/(matoous/go-nanoid|jaevor/go-nanoid)(/v2)?|github\.com/lithammer/shortuuid(/v\d)?|` +
		`k8s\.io/apimachinery/pkg/util/rand|github\.com/bwmarrin/snowflake|github\.com/sony/sonyflake|go\.mongodb\.org/mongo-driver(/v2)?/bson(/primitive)?)\.`)
	makesNew = pattern.New(`^(New(String|Random\w*|V[1467]|UUID|ObjectID\w*|DCEPerson|DCEGroup|WithTime)?|Make|Must(New\w*|Generate)|Generate\w*|NextID|` +
		`String|SafeEncodeString|Int\w*|Uint\w*|Float\w*|Perm|N|Read)$`)
)

// isRandomPackage reports whether a function draws a value; the String method of
// one that was drawn is none.
func isRandomPackage(key string) bool {
	if !randomPackages.MatchString(key) || !makesNew.MatchString(lastPart(key)) {
		return false
	}
	return lastPart(key) != "String" || strings.Count(shortKey(key), ".") == 1
}
