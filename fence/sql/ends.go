package sql

// endKinds are the kinds of statements that end a transaction in each dialect, some
// of them by committing what was done before.
var endKinds = map[Dialect]map[string]bool{
	MySQL:  set("begin ddl truncate lock"),
	Oracle: set("ddl truncate"),
}

// endWords are the first words of upkeep that does.
var endWords = map[Dialect]map[string]bool{
	MySQL:  set("analyze optimize flush grant revoke"),
	Oracle: set("analyze grant revoke comment"),
}

// ends tells whether a statement ends the transaction that it is sent in, or undoes
// part of it.
func (p *parser) ends(kind string) bool {
	word, next := p.t[0].text, p.t[min(1, len(p.t)-1)].text
	switch kind {
	case "commit", "rollback":
		return true
	case "call":
		return word == "prepare" && next == "transaction"
	case "set":
		return p.d == MySQL && p.sets("autocommit")
	case "other":
		return endWords[p.d][word]
	}
	return endKinds[p.d][kind]
}

func (p *parser) sets(name string) bool {
	for _, t := range p.t {
		if t.text == name || t.text == "@@"+name {
			return true
		}
	}
	return false
}
