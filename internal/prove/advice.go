package prove

import "strings"

// advice says, in the words of one kind of receiver, what stops an obsolete owner there.
type advice struct {
	guard   string // how the write itself is refused to an obsolete owner
	compare string // the same where the program compared before it wrote
	answer  string // what tells of a refusal
}

var sqlAdvice = advice{
	guard:   "Compare and store {token} in the same statement (`… SET last_fence = $n … WHERE … AND last_fence < $n`) and check that a row was changed",
	compare: "Put the comparison into the statement that writes (`… WHERE … AND last_fence < $n`), or lock the row first (FOR UPDATE) in the same transaction",
	answer:  "the number of changed rows, sql.ErrNoRows, …",
}

// objectAdvice is that of stores which compare nothing but versions.
var objectAdvice = advice{
	guard:   "Keep {token} in the object, compare it with the one that was read, and write under the condition that the object is still that version (If-Match, a generation), whose failure is the refusal",
	compare: "Write under the condition that the object is still the version which was compared (If-Match, a generation)",
	answer:  "the failed precondition, HTTP 412",
}

// advices belong to the families of profiles in the models: "redis" for "redis.plain".
var advices = map[string]advice{
	"redis": {
		guard:   "Compare and store {token} in one script (`if tonumber(redis.call('HGET', KEYS[1], 'fence') or '0') >= tonumber(ARGV[1]) then return 0 end …`) and look at what it returns",
		compare: "Put the comparison and the write into one script, or watch the key (WATCH … EXEC)",
		answer:  "what the script returns, redis.Nil, redis.TxFailedErr",
	},
	"ddb": {
		guard:   "Compare and store {token} in the same request (ConditionExpression `attribute_not_exists(fence) OR fence < :epoch`) and return its ConditionalCheckFailedException",
		compare: "Put the comparison into the request that writes (ConditionExpression `fence < :epoch`)",
		answer:  "ConditionalCheckFailedException",
	},
	"mongo": {
		guard:   "Compare {token} in the filter (`fence: {$lt: epoch}`), store it in the same command, and check that a document was matched",
		compare: "Put the comparison into the filter of the command that writes (`fence: {$lt: epoch}`)",
		answer:  "MatchedCount, ErrNoDocuments",
	},
	"etcd": {
		guard:   "Send it in a transaction under the lock's own key (`Txn(ctx).If(mutex.IsOwner()).Then(…)`) and look at Succeeded",
		compare: "Send the comparison with the write (`Txn(ctx).If(…).Then(…)`) and look at Succeeded",
		answer:  "Succeeded",
	},
	"consul": {
		guard:   "Send it in a transaction that checks the session of the lock (KVCheckSession) and look at what it answers",
		compare: "Send it with the ModifyIndex that was read (CAS), or in a transaction with the check",
		answer:  "the bool that CAS and Txn return beside the error",
	},
	"cql": {
		guard:   "Compare and store {token} in the same statement (`UPDATE … SET fence = ? … IF fence < ?`) and look at whether it was applied",
		compare: "Put the comparison into the statement that writes (`… IF fence < ?`)",
		answer:  "whether it was applied",
	},
	"k8s": {
		guard:   "Keep {token} in the object, compare it with the one that was read, and update with that object's resourceVersion; a conflict is the refusal",
		compare: "Update with the resourceVersion of the object that was compared",
		answer:  "the conflict, apierrors.IsConflict",
	},
	"zk": {
		guard:   "Keep {token} in the node, compare it with the one that was read, and set it with that node's version; zk.ErrBadVersion is the refusal",
		compare: "Send it with the version of the node that was compared, or in one Multi with its check",
		answer:  "zk.ErrBadVersion",
	},
	"es": {
		guard:   "Send {token} as external version (`version_type=external`), or the if_seq_no and if_primary_term of what was compared; the conflict is the refusal",
		compare: "Send it with the if_seq_no and if_primary_term of what was compared",
		answer:  "the conflict, HTTP 409",
	},
	"spanner": {
		guard:   "Read the stored epoch, compare it with {token} and write both in one ReadWriteTransaction",
		compare: "Read, compare and write in one ReadWriteTransaction",
		answer:  "the error of the transaction",
	},
	"nats": {
		guard:   "Send it with the revision of the entry that was compared (Update) and return its error",
		compare: "Send it with the revision of the entry that was compared (Update)",
		answer:  "the error of a wrong last sequence",
	},
	"s3": objectAdvice, "az": objectAdvice, "gcs": objectAdvice, "minio": objectAdvice,
	"sql": sqlAdvice, "pg": sqlAdvice, "pgx": sqlAdvice, "sqlx": sqlAdvice, "goqu": sqlAdvice,
	"gorm": sqlAdvice, "jinzhu": sqlAdvice, "ent": sqlAdvice, "orm": sqlAdvice,
}

// otherAdvice is that of a receiver of which the models say nothing particular.
var otherAdvice = advice{
	guard:   "Hand {token} to the receiver, and let it compare that with the greatest one it has stored, store it and write in one step",
	compare: "Let the receiver compare and write in one step",
	answer:  "what tells of a refusal",
}

// advice is that of the receiver of a write.
func (j *judge) advice(p *pair) advice {
	c := j.models.FuncKey(p.w.Key)
	if c == nil || c.Sink == nil {
		return otherAdvice
	}
	family := c.Sink.Dialect // where a row says nothing of refusals: "sql", "cql"
	if c.Sink.Profile != nil {
		family, _, _ = strings.Cut(c.Sink.Profile.Name, ".")
	}
	if r, ok := advices[family]; ok {
		return r
	}
	return otherAdvice
}
