// Package spell finds the word that was probably meant. Words enter, a word
// leaves; it must not know what they are words of.
package spell

import "strings"

// Nearest gives the candidate that word was probably meant to be, "" if none is
// close. Of equally close candidates the first wins.
func Nearest(word string, candidates []string) string {
	word = strings.ToLower(word)
	best, bestDist := "", -1
	for _, c := range candidates {
		limit := max(1, (len(c)+1)/3)
		if len(word) >= 3 && strings.HasPrefix(c, word) {
			limit = len(c)
		}
		if len(word)-len(c) > limit || len(c)-len(word) > limit {
			continue // also keeps a long word from costing anything
		}
		if d := distance(word, c); d <= limit && (bestDist < 0 || d < bestDist) {
			best, bestDist = c, d
		}
	}
	return best
}

// distance is the number of bytes to insert, delete, replace or swap with their
// neighbour to make b of a (optimal string alignment).
func distance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
