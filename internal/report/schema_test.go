package report_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/fencelint/fencelint/analyzers"
	"github.com/fencelint/fencelint/internal/report"
)

// validator is a module that checks a document against a schema. The sums pin what is
// fetched for it; the last two are of the module that holds the schema of the format.
const validator = `
-- go.mod --
module validator
go 1.26
require github.com/xeipuuv/gojsonschema v1.2.0
require (
	github.com/xeipuuv/gojsonpointer v0.0.0-20180127040702-4e3ac2762d5f // indirect
	github.com/xeipuuv/gojsonreference v0.0.0-20180127040603-bd5ef7bd5415 // indirect
)
-- go.sum --
github.com/xeipuuv/gojsonpointer v0.0.0-20180127040702-4e3ac2762d5f h1:J9EGpcZtP0E/raorCMxlFGSTBrsSlaDGf3jU/qvAE2c=
github.com/xeipuuv/gojsonpointer v0.0.0-20180127040702-4e3ac2762d5f/go.mod h1:N2zxlSyiKSe5eX1tZViRH5QA0qijqEDrYZiPEAiq3wU=
github.com/xeipuuv/gojsonreference v0.0.0-20180127040603-bd5ef7bd5415 h1:EzJWgHovont7NscjpAxXsDA8S8BMYve8Y5+7cuRE7R0=
github.com/xeipuuv/gojsonreference v0.0.0-20180127040603-bd5ef7bd5415/go.mod h1:GwrjFmJcFw6At/Gs6z4yjiIwzuJ1/+UwLxMQDVQXShQ=
github.com/xeipuuv/gojsonschema v1.2.0 h1:LhYJRs+L4fBtjZUfuSZIKGeVu0QRy8e5Xi7D17UxZ74=
github.com/xeipuuv/gojsonschema v1.2.0/go.mod h1:anYRn/JVcOK2ZgGU+IjEV4nwlhoK5sQluxsYJ78Id3Y=
github.com/owenrumney/go-sarif/v3 v3.3.1 h1:bKY8YnWcY8zYTiGVObC5wZLlfEvMkCxK9XMGXBbzEtQ=
github.com/owenrumney/go-sarif/v3 v3.3.1/go.mod h1:72MaugkExDexbSauRuPq6BvUAAqAX0TwoNYMIQyZCMw=
-- main.go --
package main

import (
	"fmt"
	"os"

	"github.com/xeipuuv/gojsonschema"
)

func main() {
	var data [2][]byte
	for i := range data {
		var err error
		if data[i], err = os.ReadFile(os.Args[1+i]); err != nil {
			panic(err)
		}
	}
	result, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(data[0]), gojsonschema.NewBytesLoader(data[1]))
	if err != nil {
		panic(err)
	}
	for _, e := range result.Errors() {
		fmt.Println(e)
	}
	if !result.Valid() {
		os.Exit(1)
	}
}
`

// TestSchema validates a report against the schema of the format, which comes out of a
// public module: it is not kept here.
func TestSchema(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test needs the module cache or a way to fill it")
	}
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(validator)).Files {
		write(t, dir, f.Name, f.Data)
	}
	write(t, dir, "schema.json", schema(t, dir))
	if out, err := goRun(dir, "build", "-o", "validate.exe", "."); err != nil {
		t.Skipf("no validator: %v\n%s", err, out)
	}
	validate := func(doc []byte) (string, error) {
		write(t, dir, "report.sarif", doc)
		cmd := exec.Command(filepath.Join(dir, "validate.exe"), "schema.json", "report.sarif")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for name, run := range runs() {
		var b bytes.Buffer
		if err := report.SARIF(&b, run); err != nil {
			t.Fatal(err)
		}
		if out, err := validate(b.Bytes()); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		// The validator is one that can say no.
		for _, wrong := range [][2]string{{`"version": "2.1.0"`, `"version": "2.0"`}, {`"columnKind"`, `"columnSort"`}} {
			doc := bytes.Replace(b.Bytes(), []byte(wrong[0]), []byte(wrong[1]), 1)
			if _, err := validate(doc); err == nil {
				t.Errorf("%s: %s is let through", name, wrong[1])
			}
		}
	}
}

// schema fetches the module with the schema and takes it out of its source.
func schema(t *testing.T, dir string) []byte {
	t.Helper()
	out, err := goRun(dir, "mod", "download", "-json", "github.com/owenrumney/go-sarif/v3@v3.3.1")
	if err != nil {
		t.Skipf("no schema: %v\n%s", err, out)
	}
	var mod struct{ Dir string }
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	name := filepath.Join(mod.Dir, "pkg", "report", "v210", "sarif", "schema.go")
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && len(lit.Value) > len(text) {
			text = lit.Value
		}
		return true
	})
	text, err = strconv.Unquote(text)
	if err != nil || !strings.Contains(text, "SARIF") {
		t.Fatalf("no schema in %s: %v", name, err)
	}
	return []byte(text)
}

func goRun(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "PWD="+dir)
	return cmd.Output()
}

func write(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// runs are reports with everything that they can hold, and with nothing.
func runs() map[string]report.Run {
	at := report.Position{File: "a/b c.go", Line: 3, Col: 7}
	return map[string]report.Run{
		"empty": {Rules: analyzers.Docs},
		"full": {
			Version: "v1.2.3", Rules: analyzers.Docs, Below: "deep/down", Faults: []string{"m/b: broken"},
			Findings: []report.Finding{
				{
					Rule: "unfencedwrite", Message: "no guard", Position: at, EndLine: 3, EndCol: 9, Key: "k",
					Related: []report.Step{
						{Position: report.Position{File: "../lock.go", Line: 1, Col: 2}, Message: "acquired here"},
						{Position: report.Position{File: "example.com/lib/lib.go"}, Message: "in a file that is elsewhere"},
					},
				},
				{Rule: "lockclass", Message: "no class", Position: report.Position{File: "a.go", Line: 1}},
			},
		},
	}
}

// TestRulesOfReport: who reads a finding in a browser has no other place to learn what it
// means.
func TestRulesOfReport(t *testing.T) {
	var b bytes.Buffer
	if err := report.SARIF(&b, runs()["full"]); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct {
						ID                   string
						HelpURI              string
						ShortDescription     struct{ Text string }
						Help                 struct{ Text, Markdown string }
						DefaultConfiguration struct{ Level string }
					}
				}
			}
			Results []struct {
				RuleID              string
				PartialFingerprints map[string]string
				CodeFlows           []struct{ ThreadFlows []struct{ Locations []any } }
				Locations           []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI, URIBaseID string }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	run := doc.Runs[0]
	if len(run.Tool.Driver.Rules) != len(analyzers.Docs) {
		t.Errorf("%d rules of %d", len(run.Tool.Driver.Rules), len(analyzers.Docs))
	}
	for _, r := range run.Tool.Driver.Rules {
		if r.ShortDescription.Text == "" || r.Help.Text == "" || r.Help.Markdown == "" || !strings.HasPrefix(r.HelpURI, "https://") {
			t.Errorf("%s: says too little: %+v", r.ID, r)
		}
		if l := r.DefaultConfiguration.Level; l != "error" && l != "warning" && l != "note" {
			t.Errorf("%s: level %q", r.ID, l)
		}
	}
	if len(run.Results) != 2 || len(run.Results[0].CodeFlows[0].ThreadFlows[0].Locations) != 3 {
		t.Fatalf("results: %+v", run.Results)
	}
	for _, r := range run.Results {
		where := r.Locations[0].PhysicalLocation.ArtifactLocation
		if r.PartialFingerprints["fencelint/v1"] == "" || !strings.HasPrefix(where.URI, "deep/down/a") || where.URIBaseID != "%SRCROOT%" {
			t.Errorf("%s: %+v %+v", r.RuleID, r.PartialFingerprints, where)
		}
	}
}
