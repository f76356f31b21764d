package driver

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/fencelint/fencelint/internal/catalogue"
)

const house = `-- go.mod --
module toy.example/m

go 1.26
-- a.go --
package m
-- fencelint.yaml --
fencelint: 1
libraries:
  - lib: house
    paths: [toy.example/house/lock]
    locks:
      - {call: Client.Acquire, role: acquire, mode: block, token: {class: opaque}}
      - {call: Client.Release, role: release}
`

func TestModels(t *testing.T) {
	m := newModule(t, house)
	m.tool("models").want(t, 0, "house ", "toy.example/house/lock", "redsync", "libraries: ")
	m.tool("models", "house").want(t, 0, "model file: fencelint.yaml", "Client.Acquire: acquire, block; token: opaque\n", "waits, perhaps")
	m.tool("models", "github.com/bsm/redislock").want(t, 0, "Client.Obtain: acquire")
	m.write("sub/b.go", "package sub\n")
	dir := m.dir
	m.dir = filepath.Join(dir, "sub")
	m.tool("models", "house").want(t, 0, "model file: ../fencelint.yaml")
	m.dir = dir
	for _, name := range []string{"", "house"} {
		out := m.tool("models", "-o", "json", name)
		if name == "" {
			out = m.tool("models", "-o", "json")
		}
		out.want(t, 0)
		var list []catalogue.Detail
		if err := json.Unmarshal([]byte(out.stdout), &list); err != nil {
			t.Fatal(err)
		}
		if name == "house" && (len(list) != 1 || len(list[0].Rows) != 2 || list[0].Rows[0].Pos != "fencelint.yaml:6:9") {
			t.Errorf("got %+v", list)
		}
	}
}

func TestModelsUsage(t *testing.T) {
	m := newModule(t, house)
	m.tool("models", "redsyn").want(t, 2, "nothing is known of redsyn; did you mean redsync?")
	m.tool("models", "a", "b").want(t, 2, "one library or import path at a time")
	m.tool("models", "-o", "sarif").want(t, 2, "want text or json")
	m.tool("models", "-nonsense").want(t, 2, "fencelint models: no flag -nonsense")
	m.tool("models", "-fencelint.models", "none.yaml").want(t, 3, "none.yaml")
	m.tool("help", "models").want(t, 0, "usage: fencelint models [flags]", "-o form")
	m.tool("models", "-h").want(t, 0, "usage: fencelint models")
	m.write("fencelint.yaml", "fencelint: 1\nlibraries:\n  - lib: house\n    lock: []\n")
	m.tool("models").want(t, 3, "fencelint.yaml:4:5: unknown key", "did you mean")
}
