package model

import (
	"fmt"
	"slices"

	"github.com/fencelint/fencelint/internal/spell"
)

// Term is a word of the format with its meaning.
type Term struct{ Word, Meaning string }

// vocabulary is a closed set of words.
type vocabulary struct {
	what  string
	terms []Term
}

var (
	roleWords = vocabulary{"role", []Term{
		{"open", "constructor; ties key, time to live and session to a handle"},
		{"acquire", "an exclusive section may begin"},
		{"release", "it ends"},
		{"extend", "prolongs it; its failure is a loss"},
		{"lost", "source of the loss signal"},
		{"check", "asks who owns it; true only at that time"},
		{"token", "reads a number or a name from handle or store"},
		{"guard", "predicate that the same store decides together with a write"},
		{"region", "a function runs while the lock is held"},
		{"task", "a function that it is given runs under the lock of the library's scheduler"},
		{"steal", "takes or breaks another owner's lock"},
		{"adopt", "builds a handle for an ownership that exists already"},
		{"option", "changes what another entry means"},
		{"counter", "ordered numbers not tied to ownership"},
		{"tx_lock", "lives and dies with a transaction; no lease"},
	}}
	classWords = vocabulary{"token class", []Term{
		{"epoch", "greater for each later owner, issued with the grant"},
		{"epoch_reread", "the same kind of number, read apart from the grant; needs a holder check in that read"},
		{"volatile", "moves within a tenure, or may be lower for a later owner"},
		{"counter_unbound", "ordered, but anybody may draw one at any time"},
		{"opaque", "equality only: random, hash, lease or session id"},
		{"clock", "from a wall clock"},
		{"none", "the library shows nothing"},
	}}
	modeWords = vocabulary{"mode", []Term{
		{"block", "waits, perhaps for a bounded time"},
		{"try", "answers at once"},
		{"channel", "the grant arrives on a channel"},
		{"background", "runs beside the caller; ownership must be asked for"},
		{"announce", "puts oneself in the queue; held only when first"},
		{"any", "an implementation decides"},
	}}
	scopeWords = vocabulary{"scope", []Term{
		{"until_release", "until given back or expired"},
		{"callback", "while the callback runs"},
		{"task", "while the task runs that it is given with"},
		{"conn", "with the connection"},
		{"tx", "with the transaction"},
		{"process", "until the process ends"},
		{"until_lost", "until the loss signal"},
	}}
	carrierWords = vocabulary{"carrier", []Term{
		{"pool", "any connection; two calls may use two"},
		{"conn", "one connection"},
		{"tx", "one transaction"},
		{"stmt", "a statement with its text"},
		{"batch", "statements sent together"},
		{"client", "a client without connections of its own to tell apart"},
		{"row", "one row to come"},
		{"rows", "rows to come"},
		{"result", "outcome of a statement"},
		{"query", "a statement in the making"},
	}}
	durabilityWords = vocabulary{"durability", []Term{
		{"consensus", "survives the loss of a minority"},
		{"single-node", "as durable as one server"},
		{"async-replica", "a failover may repeat or lower it"},
		{"per-process", "lost with the process"},
		{"unknown", "depends on the deployment"},
	}}
	guardWords = vocabulary{"guard", []Term{
		{"compare", "a predicate value that goes into a conditional transaction"},
		{"create_revision", "equality of a key's create revision"},
		{"check_session", "the key is still held by the session"},
		{"own_node", "version check of the lock's own node"},
		{"lease_id", "the receiver checks the lease of that object"},
		{"precondition", "compare-and-set on the same object"},
		{"same_tx", "every protected write in the same transaction"},
		{"same_conn", "every protected write on the same connection"},
		{"same_driver", "every protected write through the same driver, which decides whether that is one connection"},
		{"same_row", "owner or version in the WHERE of the same row"},
		{"optimistic", "what was read in the closure must not have changed"},
		{"log", "only a leader of the current term can commit"},
		{"backend", "the storage backend checks ownership with each write"},
	}}
	kindWords = vocabulary{"kind", []Term{
		{"exec", "runs a statement, gives a result"},
		{"query", "runs a statement, gives rows"},
		{"query_row", "runs a statement, gives one row"},
		{"query_dynamic", "runs a named or computed statement"},
		{"prepare", "keeps a statement for later"},
		{"text_transform", "statement in, statement out"},
		{"builder_start", "begins a statement"},
		{"builder_step", "adds to a statement"},
		{"builder_terminal", "runs a built statement"},
		{"batch_queue", "adds a statement to a batch"},
		{"batch_flush", "runs a batch"},
		{"batch_result", "reads one result of a batch (Gives)"},
		{"bulk", "loads many rows without a condition"},
		{"orm_save", "writes a whole record, inserting if absent"},
		{"orm_insert", "inserts a record"},
		{"orm_update", "updates records"},
		{"orm_delete", "deletes records"},
		{"orm_upsert", "inserts or updates records"},
		{"kv_put", "writes or deletes a key"},
		{"kv_dynamic", "runs a command or an operation given as value"},
		{"cas", "writes if a version or value is as expected"},
		{"script", "runs a script at the receiver"},
		{"txn", "runs a conditional transaction or a closure as one"},
		{"commit", "commits a transaction"},
		{"filter", "writes what a filter selects"},
		{"struct_input", "sends a request given as struct"},
		{"struct_receiver", "sends the request that is the receiver"},
		{"patch", "sends a patch"},
		{"stream", "opens a stream of writes"},
		{"stream_close", "completes a stream of writes"},
		{"message", "hands a message to a queue"},
		{"channel", "hands a message over by a channel"},
		{"file", "writes, renames or removes a file"},
		{"file_open", "opens a file for writing"},
		{"http", "sends a request"},
		{"http_read", "sends a request that reads"},
		{"rpc", "calls a remote procedure"},
		{"call", "calls a remote service"},
		{"log", "writes a log line"},
		{"begin", "opens a transaction (Gives)"},
		{"rollback", "abandons a transaction"},
		{"conn", "pins a connection (Gives)"},
		{"close", "gives a carrier back"},
		{"raw", "hands the driver's connection to a function"},
		{"stmt", "rebinds a prepared statement to a transaction (Gives)"},
		{"rows_affected", "reads how many rows a statement changed"},
		{"scan", "reads a row into arguments; its error may be the refusal"},
		{"rows_next", "asks for the next row; false at the first call may be the refusal"},
		{"says_no", "asks a response whether it is a refusal"},
		{"status", "asks a response for its status of HTTP"},
		{"rows_err", "asks for the error that ended the rows"},
		{"client", "makes a client (Gives)"},
		{"bind", "names or wraps a bind argument (Key, Value)"},
		{"read", "reads from a receiver"},
		{"op", "makes an operation value (Term)"},
		{"compare", "makes a comparison value (Left, Op, Right)"},
		{"term", "makes one side of a comparison (Term)"},
		{"header", "sets a header of a request (Key, Value)"},
		{"reply", "answers the program's own peer (Value is the status)"},
		{"exit", "ends the process"},
	}}
	boundaryWords = vocabulary{"boundary", []Term{
		{"store", "authoritative state"},
		{"cache", "rebuildable"},
		{"queue", "hand-over"},
		{"external", "effect that cannot be taken back"},
		{"local", "stays in the process, or is a log line"},
		{"read", "no effect"},
		{"carrier", "no effect by itself; carries text or a condition to a later call"},
		{"unknown", "the dynamic type decides"},
	}}
	signalWords = vocabulary{"signal", []Term{
		{"result_method", "a method of the result"},
		{"result_field", "a field of the result"},
		{"result_value", "the result itself"},
		{"bool_result", "a boolean result"},
		{"response_field", "a field of the response"},
		{"error", "an error value"},
		{"typed_error", "an error type"},
		{"api_error", "a code within an error"},
		{"error_on_scan", "the error of the later Scan"},
		{"error_on_decode", "the error of the later Decode"},
		{"empty_result_set", "no rows"},
		{"script_return", "what the script returns"},
		{"per_item_result", "one result for each item"},
		{"status_code", "the status of the response"},
		{"http_409", "status 409, error nil"},
		{"out_param", "a variable passed by address"},
		{"user_code", "an error of the program's own closure"},
		{"value", "a reply value or a nil error of its own"},
		{"error_or_flag", "an error or a flag, by library"},
		{"silent", "nothing at all; accepted and dropped"},
		{"none", "the library drops it"},
		{"none_here", "a later call tells"},
		{"see_terminal", "the call that runs the chain tells"},
		{"cannot_reject", "the receiver takes no condition"},
		{"cannot_observe", "the receiver may refuse, the library does not say"},
		{"never", "the write happens whatever the condition"},
	}}
	conditionWords = vocabulary{"condition", []Term{
		{"receiver", "the receiver carries it"},
		{"chain", "earlier steps of the chain"},
		{"arg", "an argument carries it"},
		{"closure", "the closure decides"},
	}}
	reportWords   = vocabulary{"report", []Term{{"never", "no finding"}}}
	shapeWords    = vocabulary{"shape", []Term{{"positional", "one argument a placeholder"}, {"struct_or_map", "names are fields or keys"}}}
	severityWords = vocabulary{"severity", []Term{
		{"cannot_reject", "no condition possible"},
		{"cannot_observe", "refusal cannot be seen"},
		{"always_defect_under_fence", "overwrites in spite of the condition"},
		{"always_defect_under_fence_if_LWT", "loses the answer of a conditional statement"},
		{"warn", "surprising, seldom wrong"},
	}}
	proofWords = vocabulary{"proof", []Term{
		{"source", "declaration read in the library's source"},
		{"docs", "from documentation, or a pattern"},
		{"run", "seen in a run"},
	}}
	unitWords = vocabulary{"ttl unit", []Term{{"s", "seconds"}, {"ms", "milliseconds"}}}
)

// Roles returns the words that Lock.Role may hold.
func Roles() []Term { return slices.Clone(roleWords.terms) }

// Modes returns the words that Lock.Mode may hold.
func Modes() []Term { return slices.Clone(modeWords.terms) }

// Classes returns the words that Token.Class may hold.
func Classes() []Term { return slices.Clone(classWords.terms) }

// Durabilities returns the words that Token.Durability may hold.
func Durabilities() []Term { return slices.Clone(durabilityWords.terms) }

// Guards returns the words that Lock.Guard may hold.
func Guards() []Term { return slices.Clone(guardWords.terms) }

// Traps returns the words that Lock.Traps may hold, sorted.
func Traps() []Term { return slices.Clone(trapWords.terms) }

// Kinds returns the words that Sink.Kind may hold.
func Kinds() []Term { return slices.Clone(kindWords.terms) }

// Boundaries returns the words that Sink.Boundary may hold, one or two of them.
func Boundaries() []Term { return slices.Clone(boundaryWords.terms) }

// Signals returns the words that Rejection.Signal may hold.
func Signals() []Term { return slices.Clone(signalWords.terms) }

func (v *vocabulary) has(word string) bool {
	for i := range v.terms {
		if v.terms[i].Word == word {
			return true
		}
	}
	return false
}

func (v *vocabulary) words() []string {
	w := make([]string, len(v.terms))
	for i, t := range v.terms {
		w[i] = t.Word
	}
	return w
}

// unknown says what is wrong with a word and which known one is nearest.
func unknown(what, word string, known []string) string {
	if near := spell.Nearest(word, known); near != "" {
		return fmt.Sprintf("unknown %s %q; did you mean %q?", what, word, near)
	}
	if len(known) <= 14 {
		return fmt.Sprintf("unknown %s %q; known: %q", what, word, known)
	}
	return fmt.Sprintf("unknown %s %q", what, word)
}
