// Package editor brings the rules into gopls, so that findings appear in unsaved
// buffers while one types.
//
// What enters is a command line; what leaves is a gopls with the rules inside, which
// takes the place of this process. It knows gopls, the go command and a cache
// directory. It must not know what any rule means, and never writes to standard
// output: that belongs to the protocol between gopls and the editor.
//
// # How
//
// gopls has no plugins. Its list of analyzers is a variable in an internal package,
// and the go command lets any module whose path lies below golang.org/x/tools/gopls
// import it. So the package writes a main module of that name (recipe.go, recipe/),
// which requires an unmodified gopls and this fencelint, appends the rules to the list
// and starts gopls. The dependencies that both share are held at the versions which
// that gopls was made with. The module is built once and kept (build.go, cache.go).
//
// # What can go wrong
//
// A gopls that is not in the table (versions.go), no network, a recipe that no longer
// fits: the reason goes to standard error, and the gopls in PATH runs instead. Somebody
// who edits code must never be left without a language server.
//
// Inside gopls only directives classify: it does not read fencelint.yaml.
package editor
