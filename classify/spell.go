package classify

import "github.com/fencelint/fencelint/internal/spell"

// didYouMean ends a message about an unknown word: with the candidate that was
// meant, else with what there is to choose from.
func didYouMean(word string, candidates []string, all string) string {
	if c := spell.Nearest(word, candidates); c != "" {
		return "; did you mean " + c + "?"
	}
	return "; " + all
}
