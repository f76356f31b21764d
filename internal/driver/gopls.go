package driver

import "github.com/fencelint/fencelint/internal/editor"

// gopls runs gopls with the rules inside; usually it does not return.
func (t *Tool) gopls(args []string) int { return editor.Gopls(args, t.Stdout, t.Stderr) }
