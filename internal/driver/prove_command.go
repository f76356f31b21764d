package driver

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/fencelint/fencelint/fence"
	"github.com/fencelint/fencelint/fence/dynamo"
	"github.com/fencelint/fencelint/fence/lua"
	fsql "github.com/fencelint/fencelint/fence/sql"
	"github.com/fencelint/fencelint/internal/prove"
	"github.com/fencelint/fencelint/internal/rule"
)

// proveInput is what `fencelint prove` is asked.
type proveInput struct {
	text        string
	dialect     fsql.Dialect
	tokens      []string
	lua, dynamo bool
	update      string   // of a DynamoDB update; "" is a put
	keys        []string // attributes of the key in DynamoDB
	batch       string   // file of many statements
	several     bool     // the text may hold several statements
	schema      *fsql.Schema
	out         reports
}

// prove shows how one statement is judged.
func (t *Tool) prove(args []string) int {
	in, code := t.parseProve(args)
	if code >= 0 {
		return code
	}
	if in.batch != "" {
		return t.batch(in)
	}
	list, err := in.read()
	if err != nil {
		return t.fail(err)
	}
	err = in.out.write(t.Stdout, func(form string, w io.Writer) error {
		if form == "json" {
			return proveJSON(w, list)
		}
		return proveText(w, list)
	})
	if err != nil {
		return t.fail(err)
	}
	for _, r := range list {
		if r.verdict() != "proved" {
			return ExitFindings
		}
	}
	return ExitClean
}

func (t *Tool) parseProve(args []string) (*proveInput, int) {
	in := &proveInput{out: reports{forms: []string{"text", "json"}}}
	fs := flag.NewFlagSet("fencelint prove", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Func("dialect", "`name` of the database: "+dialectList()+" (default: each that the statement may be in)", in.setDialect)
	fs.Func("token", "the `placeholder` that carries the token, such as 2, $2 or :epoch; 1,3 if one value is bound twice\n"+
		"(default: the one that is both compared and stored)", func(v string) error {
		in.tokens = append(in.tokens, strings.Split(v, ",")...)
		return nil
	})
	fs.BoolVar(&in.lua, "lua", false, "the text is a script for Redis")
	fs.BoolVar(&in.dynamo, "dynamo", false, "the text is a condition expression of DynamoDB, of a put unless -update is given")
	fs.StringVar(&in.update, "update", "", "update `expression` that goes with the condition (with -dynamo)")
	fs.Func("key", "`attributes` of the key, separated by commas (with -dynamo)", func(v string) error {
		in.keys = strings.Split(v, ",")
		return nil
	})
	fs.StringVar(&in.batch, "batch", "", "answer all statements of a `file` with a JSON object a line: id, dialect, statement and token\n"+
		"separated by tabs, or the columns that its first line names; - for standard input")
	fs.Func("schema", "`file` or folder of SQL files that make the tables: what they say of the fence column is used", in.setSchema)
	fs.Var(&in.out, "o", "`form` of the answer: text or json (default text; json with -batch)")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		t.proveUsage(fs)
		return nil, ExitClean
	case err != nil:
		return nil, t.badFlag(fs, err)
	}
	if err := in.take(fs.Args()); err != nil {
		return nil, t.fail(err)
	}
	return in, -1
}

// otherNames are names of dialects that people use as well.
var otherNames = map[string]fsql.Dialect{
	"postgresql": fsql.Postgres, "mariadb": fsql.MySQL, "sqlite3": fsql.SQLite, "mssql": fsql.SQLServer, "cockroachdb": fsql.Cockroach,
}

func (in *proveInput) setDialect(name string) error {
	if d, ok := otherNames[name]; ok {
		name = string(d)
	}
	if !slices.Contains(fsql.Dialects(), fsql.Dialect(name)) {
		return errors.New("want one of " + dialectList())
	}
	in.dialect = fsql.Dialect(name)
	return nil
}

func (in *proveInput) setSchema(path string) (err error) {
	if in.schema, err = readSchema(path); err == nil && in.schema == nil {
		err = errors.New("there are no SQL files in it")
	}
	return err
}

// learn adds what the schema knows.
func (in *proveInput) learn(m *fence.Mutation, v *fence.Verdict) {
	if in.schema != nil {
		learn(in.schema, m, v)
	}
}

func dialectList() string {
	var names []string
	for _, d := range fsql.Dialects() {
		names = append(names, string(d))
	}
	return strings.Join(names, ", ")
}

// take reads the text that is to be judged, from standard input for "-".
func (in *proveInput) take(args []string) error {
	if in.batch != "" {
		if len(args) > 0 || in.lua || in.dynamo || in.update != "" || in.keys != nil {
			return &usageError{"-batch takes its statements from the file, and they are SQL"}
		}
		in.out.forms = []string{"json", "text"}
		return nil
	}
	switch {
	case len(args) != 1:
		return &usageError{"prove takes one statement in quotes, or - for standard input; fencelint prove -h shows the flags"}
	case in.lua && in.dynamo, (in.update != "" || in.keys != nil) && !in.dynamo, in.dialect != "" && (in.lua || in.dynamo):
		return &usageError{"-lua, -dynamo and -dialect exclude one another, and -update and -key go with -dynamo"}
	}
	in.text = args[0]
	if in.text == "-" {
		data, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		in.text = string(data)
	}
	if strings.TrimSpace(in.text) == "" {
		return &usageError{"the statement is empty"}
	}
	return nil
}

// proof is one write with how the statement was read.
type proof struct {
	as []string // dialects under which it reads the same
	prove.Reading
	says []string // what the schema that was given knows of the fence
	none string   // set if there is nothing to prove: why
	open bool     // and that is no answer
}

func (p *proof) verdict() string {
	switch {
	case p.none == "":
		return p.Verdict
	case p.open:
		return "unproved"
	}
	return "proved"
}

func (in *proveInput) read() ([]*proof, error) {
	switch {
	case in.lua:
		return in.readLua()
	case in.dynamo:
		return in.readDynamo()
	}
	dialects := fsql.Plausible(in.text)
	if in.dialect != "" {
		dialects = []fsql.Dialect{in.dialect}
	}
	var list []*proof
	for _, d := range dialects {
		more, err := in.readSQL(d)
		if err != nil {
			return nil, err
		}
		list = joinProofs(list, more)
	}
	return list, nil
}

// joinProofs adds what another dialect makes of the statement, once if it is the same.
func joinProofs(list, more []*proof) []*proof {
	for _, p := range more {
		i := slices.IndexFunc(list, func(o *proof) bool { return proofBody(o) == proofBody(p) })
		if i < 0 {
			list = append(list, p)
		} else {
			list[i].as = append(list[i].as, p.as...)
		}
	}
	return list
}

func (in *proveInput) readSQL(d fsql.Dialect) ([]*proof, error) {
	text, holes := fsql.Marked(in.text)
	script := fsql.Parse(text, holes, d)
	if len(script.Statements) > 1 && !in.several {
		return nil, &usageError{"prove takes one statement, and these are several; -batch takes them"}
	}
	as := []string{string(d)}
	if len(script.Statements) == 0 {
		return []*proof{{as: as, none: problemText(script.Problems, "there is no statement"), open: true}}, nil
	}
	return in.readScript(script, as)
}

func (in *proveInput) readStatement(st *fsql.Statement, as []string) ([]*proof, error) {
	if len(st.Mutations) == 0 {
		switch {
		case st.Read:
			return []*proof{{as: as, none: "the statement only reads"}}, nil
		case prove.WritesNothing(st):
			return []*proof{{as: as, none: "the statement writes no data"}}, nil
		}
		return []*proof{{as: as, none: problemText(st.Problems, "the statement writes nothing that is followed"), open: true}}, nil
	}
	tokens, err := in.tokensOf(st.Params)
	if err != nil {
		return nil, err
	}
	var list []*proof
	for _, m := range st.Mutations {
		p := &proof{as: as, Reading: prove.ReadWrite(m, tokens, in.learn)}
		if in.schema != nil {
			p.says = schemaSays(in.schema, cmp.Or(p.Proof.Table, m.Resource), p.Proof.Column)
		}
		list = append(list, p)
	}
	return list, nil
}

func problemText(ps []fence.Problem, otherwise string) string {
	if len(ps) == 0 {
		return otherwise
	}
	text := ps[0].Reason
	if ps[0].Text != "" {
		text += ": " + ps[0].Text
	}
	return text
}

func (in *proveInput) readLua() ([]*proof, error) {
	script := lua.Parse(in.text)
	as := []string{"lua"}
	if script.Mutation == nil {
		return []*proof{{as: as, none: problemText(script.Problems, "the script writes nothing"), open: len(script.Problems) > 0}}, nil
	}
	tokens, err := in.tokensOf(argsOf(script.Mutation))
	if err != nil {
		return nil, err
	}
	return []*proof{{as: as, Reading: prove.ReadWrite(script.Mutation, tokens, nil)}}, nil
}

func (in *proveInput) readDynamo() ([]*proof, error) {
	kind := fence.Replace
	if in.update != "" {
		kind = fence.Update
	}
	m := dynamo.Lower(dynamo.Input{Kind: kind, Table: "the table", Condition: in.text, Update: in.update, Keys: in.keys})
	tokens, err := in.tokensOf(argsOf(m))
	if err != nil {
		return nil, err
	}
	return []*proof{{as: []string{"dynamo"}, Reading: prove.ReadWrite(m, tokens, nil)}}, nil
}

// argsOf are the arguments of a write that no statement lists.
func argsOf(m *fence.Mutation) []fence.Arg {
	out := fence.CondArgs(m.Guard)
	for _, s := range slices.Concat(m.Set, m.InsertRow) {
		out = append(out, fence.Args(s.Value)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// tokensOf turns the words behind -token into arguments of the statement.
func (in *proveInput) tokensOf(params []fence.Arg) ([]fence.Arg, error) {
	var out []fence.Arg
	for _, word := range in.tokens {
		i := slices.IndexFunc(params, func(a fence.Arg) bool { return namesArg(word, a) })
		if i < 0 && in.several {
			continue // it is in another statement of the text
		}
		if i < 0 {
			return nil, &usageError{fmt.Sprintf("-token %s: no such placeholder; there are %s", rule.Printable(word), argList(params))}
		}
		out = append(out, params[i])
	}
	return out, nil
}

func namesArg(word string, a fence.Arg) bool {
	if i, ok := a.Position(); ok && word == fmt.Sprint(i+1) {
		return true
	}
	return word == string(a) || word == a.Name() && word != "" || "ARGV["+word+"]" == string(a)
}

func argList(args []fence.Arg) string {
	if len(args) == 0 {
		return "none"
	}
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = string(a)
	}
	return strings.Join(words, ", ")
}

func (t *Tool) proveUsage(fs *flag.FlagSet) {
	fmt.Fprint(t.Stdout, "usage: fencelint prove [flags] 'STATEMENT'\n\n"+
		"Shows how one statement is judged: what it writes, the condition, which placeholder is the\n"+
		"token, and whether it is accepted for each order of token and stored fence. A - reads the\n"+
		"statement from standard input. ⟦name⟧ and {{name}} stand for text that is inserted.\n\n")
	fs.SetOutput(t.Stdout)
	fs.PrintDefaults()
	fmt.Fprint(t.Stdout, "\nExit codes: 0 proved, or nothing is written; 1 refuted or unproved; 2 usage.\nWith -batch: 0 if every line was read, 2 if not; the others are answered all the same.\n")
}
