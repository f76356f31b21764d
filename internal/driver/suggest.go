package driver

import "strings"

// suggest ends a sentence about a word that is not known: with the known one that is
// nearest, or with what else to do if none is near.
func suggest(word, prefix string, known []string, otherwise string) string {
	best, least := "", min(3, 1+len(word)/3)
	for _, k := range known {
		if d := edits(word, k); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return "; " + otherwise
	}
	return "; did you mean " + prefix + best + "?"
}

// edits is the number of letters to insert, delete or replace between two words.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// isBareWord reports whether an argument looks like the name of a command: no path, no
// flag, no file.
func isBareWord(arg string) bool {
	return arg != "" && !strings.ContainsAny(arg, "./\\=@") && !strings.HasPrefix(arg, "-")
}
