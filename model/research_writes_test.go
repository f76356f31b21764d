package model

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// writesFile puts the catalogue of writes into the format. It returns the file
// and the version of each package, by which the catalogue's rows are grouped.
func writesFile(t *testing.T, doc *yaml.Node) (*row, map[string]string) {
	file := newRow()
	file.put("fencelint", Version)
	profiles := newRow()
	profiles.Style = 0
	each(at(doc, "profiles"), func(name string, v *yaml.Node) { profiles.put(name, profileRow(v)) })
	file.put("profiles", profiles)

	var order []string
	byPkg := make(map[string][]*row)
	version := make(map[string]string)
	for _, s := range at(doc, "sinks").Content {
		pkg, v := at(s, "package").Value, at(s, "version").Value
		if byPkg[pkg] == nil {
			order = append(order, pkg)
			version[pkg] = v
		}
		if v != version[pkg] {
			t.Errorf("%s in versions %s and %s", pkg, v, version[pkg])
		}
		byPkg[pkg] = append(byPkg[pkg], sinkRow(s))
	}
	var libs []*row
	for _, pkg := range order {
		r := newRow()
		r.put("lib", pkg)
		r.put("paths", []string{pkg})
		r.put("checked", version[pkg])
		r.put("sinks", list(byPkg[pkg]))
		libs = append(libs, r)
	}
	for _, p := range at(doc, "never_report_packages").Content {
		if version[p.Value] == "" && !strings.Contains(p.Value, " ") {
			r := newRow()
			r.put("lib", p.Value)
			r.put("paths", []string{p.Value, p.Value + "/..."})
			r.put("neutral", "*")
			libs = append(libs, r)
		}
	}
	file.put("libraries", list(libs))
	var generated []*row
	for _, g := range at(doc, "generated_code_patterns").Content {
		generated = append(generated, &row{*g})
	}
	file.put("generated", list(generated))
	file.put("statements", at(doc, "sql_statement_rules"))
	return file, version
}

func TestCatalogueOfWrites(t *testing.T) {
	doc := catalogue(t, "writes.yaml")
	file, version := writesFile(t, doc)
	c := file.load(t, "writes.yaml")
	n := 0
	rows := make(map[string]*Sink)
	for _, l := range c.doc.libs {
		n += len(l.Sinks)
		for _, s := range l.Sinks {
			rows[joinKey(s.Pkg, s.Recv, s.Method)] = s
		}
	}
	sinks := at(doc, "sinks").Content
	if n != len(sinks) {
		t.Errorf("%d rows became %d", len(sinks), n)
	}
	for _, s := range sinks {
		key := joinKey(at(s, "package").Value, strings.TrimPrefix(at(s, "receiver").Value, "*"), at(s, "method").Value)
		got := rows[key]
		if got == nil {
			t.Errorf("%s is lost", key)
			continue
		}
		if call := c.call(got.Pkg, got.Recv, got.Method); call == nil || call.Sink != got {
			t.Errorf("%s is not found by its key", key)
		}
		if p := at(s, "stmt_param").Value; !strings.Contains(got.Sig, p) {
			t.Errorf("%s lost the name of its parameter %s", key, p)
		}
		whole := struct {
			*Sink
			Library  string
			Variadic bool
			Language string // with the format of the arguments, as the catalogue has it
		}{got, version[got.Pkg], strings.Contains(got.Sig, "..."), got.Dialect + ":" + got.Format}
		if lost := missing(s, &whole); lost != nil {
			t.Errorf("%s lost %q", key, lost)
		}
	}
	restOfWrites(t, doc, c)
	t.Logf("%d rows of %d packages, %d profiles, %d generators", n, len(version), len(c.doc.profiles), len(c.doc.generated))
}

// restOfWrites looks for what the catalogue says beside its rows.
func restOfWrites(t *testing.T, doc *yaml.Node, c *content) {
	byName := make(map[string]*Profile)
	for _, p := range c.doc.profiles {
		byName[p.Name] = p
	}
	each(at(doc, "profiles"), func(name string, v *yaml.Node) {
		if lost := missing(v, byName[name]); lost != nil {
			t.Errorf("profile %s lost %q", name, lost)
		}
	})
	for i, g := range at(doc, "generated_code_patterns").Content {
		if lost := missing(g, c.doc.generated[i]); lost != nil {
			t.Errorf("generated %s lost %q", c.doc.generated[i].ID, lost)
		}
	}
	for _, s := range c.doc.statements {
		if lost := missing(at(doc, "sql_statement_rules", s.Name), &s); lost != nil {
			t.Errorf("statements %s lost %q", s.Name, lost)
		}
	}
}

func profileRow(v *yaml.Node) *row {
	r := newRow()
	rej := at(v, "rejection")
	for _, p := range [][2]string{
		{"signal", "signal"}, {"symbol", "symbol"}, {"rejected_when", "when"}, {"error_is_nil_on_reject", "err_nil"},
		{"also", "also"}, {"ignored", "ignored"}, {"wrong", "wrong"}, {"where", "at"}, {"note", "signal_note"},
	} {
		r.put(p[1], at(rej, p[0]))
	}
	for _, p := range [][2]string{
		{"order_ops", "order"}, {"needs", "needs"}, {"condition_field", "cond"}, {"condition_step", "cond_step"},
		{"severity", "severity"}, {"verified", "verified"}, {"note", "note"},
	} {
		r.put(p[1], at(v, p[0]))
	}
	if d := at(v, "dedupe"); d.Kind == yaml.MappingNode {
		r.put("dedupe", d)
	}
	return r
}

func sinkRow(s *yaml.Node) *row {
	r := newRow()
	name := at(s, "method").Value
	if recv := strings.TrimPrefix(at(s, "receiver").Value, "*"); recv != "" {
		name = recv + "." + name
	}
	r.put("call", name)
	for _, p := range [][2]string{
		{"declared_on", "types"}, {"kind", "kind"}, {"boundary", "boundary"}, {"profile", "profile"}, {"signature", "sig"},
		{"stmt_arg", "stmt"}, {"stmt_lang", "lang"}, {"args_start", "args"}, {"args_shape", "shape"}, {"table_arg", "table"},
		{"version_arg", "version"}, {"cond_step", "cond_step"}, {"condition_via", "cond_text"}, {"key_field", "idem_key"},
		{"dedupe_key", "dedupe"}, {"window", "window"}, {"auto_random", "random"}, {"rejected", "refused"},
		{"severity", "severity"}, {"report", "report"}, {"opts", "opts"}, {"pattern", "pattern"}, {"note", "note"},
	} {
		r.put(p[1], at(s, p[0]))
	}
	for _, k := range []string{"cond_field", "cond_fields"} {
		r.put("cond", at(s, k))
	}
	if v := at(s, "input_arg"); v.Kind != 0 {
		r.put("input", "arg["+v.Value+"]")
	}
	return r
}
