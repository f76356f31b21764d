package editor

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// cacheVariable names the directory of the cache, instead of the user's.
const cacheVariable = "FENCELINT_CACHE"

// cacheRoot is the directory of all programs built.
func cacheRoot() (string, error) {
	if dir := os.Getenv(cacheVariable); dir != "" {
		dir, err := filepath.Abs(dir)
		return filepath.Join(dir, "gopls"), err
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place for a built gopls: %w; %s names one", err, cacheVariable)
	}
	return filepath.Join(dir, "fencelint", "gopls"), nil
}

// key is the name of the directory for o: whatever the program depends on changes it.
func (o order) key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{
		recipeDigest(), o.gopls, o.own.version, o.own.source, o.own.digest, o.tools.version, target,
	}))
	return fmt.Sprintf("%s-%x", o.gopls, sum[:8])
}

// use reports whether the program is there, and notes that it was used.
func use(name string) bool {
	if !exists(name) {
		return false
	}
	now := time.Now()
	os.Chtimes(filepath.Dir(name), now, now) // only prune looks at it
	return true
}

// keep is how many programs stay in the cache; each has about 30 MB.
const keep = 4

// prune removes the programs that were used least recently, and what interrupted builds
// have left behind. What cannot be removed, since it runs, is removed another time.
func prune(root, current string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	age := make(map[string]time.Duration)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && e.Name() != current {
			age[e.Name()] = time.Since(info.ModTime())
		}
	}
	names := make([]string, 0, len(age))
	for name := range age {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(age[a], age[b]), cmp.Compare(a, b)) })
	for i, name := range names {
		if i >= keep-1 && age[name] > buildTime {
			os.RemoveAll(filepath.Join(root, name))
		}
	}
}
