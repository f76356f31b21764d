package editor

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
)

// Exit codes; those of gopls are passed on.
const (
	exitClean   = 0
	exitUsage   = 2
	exitFailure = 3
)

// request is a command line.
type request struct {
	gopls  string   // version of gopls, "" to choose
	source string   // directory of fencelint's source
	path   bool     // print the program's path, run nothing
	rest   []string // for gopls
}

const usage = `usage: fencelint gopls [flags] [gopls args]

Runs gopls with the rules of fencelint inside, and builds it first if need be.
If that cannot be done, the gopls in PATH runs without them.

`

// Gopls is the command "fencelint gopls". It does not return if gopls takes the place of
// this process; otherwise it returns the exit code.
func Gopls(args []string, stdout, stderr io.Writer) int {
	if os.Getenv(nestedVariable) != "" {
		fmt.Fprintln(stderr, "fencelint gopls: this gopls is fencelint itself; put it behind the real one in PATH")
		return exitFailure
	}
	req, code := parse(args, stdout, stderr)
	if code >= 0 {
		return code
	}
	path, old, err := choose(req, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "fencelint gopls: %v\n", err)
		if req.path {
			return exitFailure
		}
		if old == nil {
			old = findPlain()
		}
		if old == nil {
			fmt.Fprintln(stderr, "fencelint gopls: there is no gopls in PATH to run instead")
			return exitFailure
		}
		fmt.Fprintf(stderr, "fencelint gopls: running %s without the rules\n", old.path)
		path = old.path
	}
	if req.path {
		fmt.Fprintln(stdout, path)
		return exitClean
	}
	code, err = become(path, req.rest)
	if err != nil {
		fmt.Fprintf(stderr, "fencelint gopls: %s: %v\n", path, err)
		return exitFailure
	}
	return code
}

// parse takes its own flags from the front of args. The first that it does not know
// belongs to gopls, like everything behind it. The exit code is negative if the command
// is to go on.
func parse(args []string, stdout, stderr io.Writer) (request, int) {
	var r request
	fs := flag.NewFlagSet("fencelint gopls", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&r.gopls, "gopls", "", "`version` of gopls; otherwise that of the gopls in PATH, or the newest possible")
	fs.StringVar(&r.source, "source", "", "`directory` with the source of fencelint, if this is no released version")
	fs.BoolVar(&r.path, "path", false, "print where the built gopls is, and run nothing")
	n := ownFlags(fs, args)
	switch err := fs.Parse(args[:n]); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		fs.SetOutput(stdout)
		fs.PrintDefaults()
		return r, exitClean
	case err != nil:
		fmt.Fprintf(stderr, "fencelint gopls: %v; fencelint gopls -h lists the flags\n", err)
		return r, exitUsage
	}
	r.rest = args[n:]
	if len(r.rest) > 0 && r.rest[0] == "--" {
		r.rest = r.rest[1:]
	}
	return r, -1
}

// ownFlags returns how many arguments at the front are flags of fs and their values.
func ownFlags(fs *flag.FlagSet, args []string) int {
	for i := 0; i < len(args); i++ {
		name, isFlag := strings.CutPrefix(args[i], "-")
		name, _, hasValue := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		f := fs.Lookup(name)
		switch {
		case isFlag && i == 0 && (name == "h" || name == "help"):
			return 1
		case !isFlag || f == nil:
			return i
		case !hasValue && name != "path":
			i++
		}
	}
	return len(args)
}

// choose returns the program to run, and the user's own gopls if it was looked for.
func choose(req request, progress io.Writer) (path string, old *plain, err error) {
	tools, err := findToolchain("")
	if err != nil {
		return "", nil, err
	}
	v := req.gopls
	if v == "" {
		if old = findPlain(); old != nil {
			v = old.version
		} else if v, err = newestFor(tools.version); err != nil {
			return "", nil, err
		}
	}
	l, err := lineOf(v)
	if err != nil {
		return "", old, err
	}
	info, _ := debug.ReadBuildInfo()
	own, err := ownOrigin(info, req.source)
	if err != nil {
		return "", old, err
	}
	path, err = order{v, l, own, tools}.binary(progress)
	return path, old, err
}
