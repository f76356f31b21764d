package sql

type kind uint8

const (
	tEOF    kind = iota
	tIdent       // a word; text is folded to lower case
	tQuoted      // a quoted identifier
	tNum
	tStr
	tParam
	tOp
	tHole
)

// token is a piece of the text. hole is 1 + the index of the first hole in it
// that may hold more than identifier characters, 0 if there is none.
type token struct {
	kind     kind
	text     string
	pos, end int
	hole     int
}

// keywords that end an operand: a `?` after one of them is a parameter.
var clauseWords = set("select from where and or not in like ilike between is null then else when case set values limit " +
	"offset returning on using by having as interval distinct escape top any all some union except intersect date timestamp " +
	"time regexp rlike glob match div mod xor collate with for into end call exec execute do key update")

func set(words string) map[string]bool {
	out := make(map[string]bool)
	start := -1
	for i := 0; i <= len(words); i++ {
		if i == len(words) || words[i] == ' ' {
			if start >= 0 {
				out[words[start:i]] = true
			}
			start = -1
		} else if start < 0 {
			start = i
		}
	}
	return out
}
