// Command apart knows only what stands between.
package main

import (
	"context"
	"os"

	"fencelint.example/real/wired/outer"
	"fencelint.example/real/wired/work"
)

func main() {
	ctx := context.Background()
	if work.Run(ctx, nil, outer.Fenced(nil)) != nil || work.Run(ctx, nil, outer.Named(nil)) != nil { // want "unfencedwrite"
		os.Exit(1)
	}
}
