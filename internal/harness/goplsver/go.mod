module github.com/fencelint/fencelint/internal/harness/goplsver

go 1.26.0

require github.com/fencelint/fencelint v0.0.0

require (
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)

replace github.com/fencelint/fencelint => ../../..

// What golang.org/x/tools/gopls v0.23.0 requires: the analyzers run inside it.
replace (
	golang.org/x/tools => golang.org/x/tools v0.47.1-0.20260707181000-a299dadba899
	honnef.co/go/tools => honnef.co/go/tools v0.8.0-rc.1
)
