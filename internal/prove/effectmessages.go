package prove

// twice is what an obsolete owner does where nobody can refuse him.
const twice = "{func} holds {lock} ({line}), {pauses}, and a newer owner does the same; then {func} wakes up and "

func init() {
	messages["missingidempotency"] = template{
		"{write} cannot be refused to an obsolete owner: {reason}.",
		twice + "sends it again: the effect happens twice.",
		"Send a key that is the same for every attempt and every owner, or accept it and say what compensates.",
	}
	messages["unstableidempotency"] = template{
		"{write} looks new to the receiver each time: {reason}.",
		twice + "sends it under a key of its own: the effect happens twice.",
		"Make the key from the operation (the order's number, not the run's), or store it with the operation before the first attempt.",
	}
	messages["effectbeforefence"] = template{
		"{write} comes ahead of the write that would find an obsolete owner out: {reason}.",
		twice + "sends it again; the refusal that follows takes nothing back.",
		"Make the guarded write first and look at its answer, and send a key that is the same for every owner.",
	}
	messages["ambiguousoutcome"] = template{
		"{write} takes an unknown outcome for a failure: {reason}.",
		"The answer gets lost after the receiver has acted; {func} goes on as if it had not, and the effect happens twice.",
		"Repeat under the same key, or record the outcome as unknown and ask the receiver; only an answer that says no is a no.",
	}
	messages["unenforcedheader"] = template{
		"{write} relies on a number that the receiver may ignore: {reason}.",
		twice + "sends it with the older number, and it is carried out.",
		"If the receiver refuses older numbers, declare that with //fencelint:writes on the function that calls it; else send a stable idempotency key.",
	}
	messages["efficiencyeffect"] = template{
		"{write} is not cheap to do twice, but {lock} ({line}) is declared as an efficiency lock: {reason}.",
		twice + "does it once more.",
		"Declare the lock as one of correctness and guard what it protects, or give the effect a stable key.",
	}
}
