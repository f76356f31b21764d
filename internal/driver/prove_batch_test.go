package driver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// judged is one line of a table of statements with the verdicts of a person.
type judged struct {
	id, dialect, text string
	want              []string // the six fields of an answer, "?" for any
}

func readJudged(t *testing.T, path string) []judged {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []judged
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if line[0] == '#' || f[0] == "id" || len(f) < 10 {
			continue
		}
		out = append(out, judged{f[0], f[1], f[2], f[4:10]})
	}
	return out
}

// answers runs prove -batch and gives the fields of each line by its id.
func answers(t *testing.T, path string) map[string][]string {
	t.Helper()
	m := &module{t: t}
	out := m.tool("prove", "-batch", path, "-o", "text")
	out.want(t, 0)
	got := make(map[string][]string)
	for line := range strings.Lines(out.stdout) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != len(batchHead) {
			t.Fatalf("%d fields in %q", len(f), line)
		}
		got[f[0]] = f[1:]
	}
	return got
}

// batchTally counts how far the answers for one dialect agree.
type batchTally struct{ all, agreed, unsound, dark int }

// compareJudged compares a table with the answers; allowed says where another answer is
// right.
func compareJudged(t *testing.T, path string, allowed map[string]deviation) {
	t.Helper()
	got := answers(t, path)
	counts := make(map[string]*batchTally)
	for _, x := range readJudged(t, path) {
		c := counts[x.dialect]
		if c == nil {
			c = &batchTally{}
			counts[x.dialect] = c
		}
		c.all++
		answer := got[x.id]
		if answer == nil {
			t.Errorf("%s: no answer", x.id)
			continue
		}
		dev, deviates := allowed[x.id]
		if !deviates {
			c.count(x.want, answer)
		}
		switch have := strings.Join(answer[:6], " "); {
		case agrees(x.want, answer):
			c.agreed++
		case deviates && have == dev.got:
			t.Logf("%s: %s (there: %s)", x.id, dev.why, strings.Join(x.want, " "))
		default:
			t.Errorf("%s: %s\n got %s %s\nwant %s\n %s", x.id, x.text, have, answer[6], strings.Join(x.want, " "), answer[7])
		}
	}
	for _, d := range sortedKeys(counts) {
		c := counts[d]
		t.Logf("%s: %d statements, %d as judged, %d proved that should not be, %d undecided that need not be", d, c.all, c.agreed, c.unsound, c.dark)
		if c.unsound > 0 {
			t.Errorf("%s: %d proofs of what does not hold", d, c.unsound)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (c *batchTally) count(want, got []string) {
	if got[0] == "yes" && want[0] != "yes" && want[0] != "?" {
		c.unsound++
	}
	if got[0] == "unknown" && want[0] == "yes" {
		c.dark++
	}
}

func agrees(want, got []string) bool {
	for i, w := range want {
		if w = strings.ReplaceAll(w, "n/a", "na"); w != "?" && w != got[i] {
			return false
		}
	}
	return true
}

func TestProveBatch(t *testing.T) {
	compareJudged(t, filepath.Join("..", "..", "fence", "sql", "testdata", "judged.tsv"), nil)
}

// TestProveResearch compares with a corpus that lies beside the repository.
func TestProveResearch(t *testing.T) {
	dir := os.Getenv("FENCELINT_RESEARCH")
	if dir == "" {
		t.Skip("FENCELINT_RESEARCH is not set: no second corpus to compare with")
	}
	compareJudged(t, filepath.Join(dir, "sql-corpus.tsv"), deviations)
}

// deviation is an answer other than the one expected, and why it is right.
type deviation struct{ got, why string }

// deviations are statements on which the other corpus expects something else,
// with what is right and why.
var deviations = map[string]deviation{
	"po044": {"no y y bypasses absent insertOnly", "an insert that nothing guards is open for any row, so NULL bypasses, as in its other insert-only lines"},
	"po050": {"unknown unknown unknown unknown unknown order", "a fence inside JSON is not understood, which is not the same as refuted"},
	"po053": {"no n y blocks regress order", "equal numbers have equal texts, and no text is less than itself"},
	"po055": {"unknown unknown unknown unknown yes order", "inserted text may hold anything: undecided, not refuted"},
	"po056": {"unknown unknown unknown unknown yes order", "inserted text behind WHERE keeps no proof, even if it starts with AND: an OR may follow"},
	"po057": {"unknown unknown unknown unknown yes order", "inserted text in WHERE keeps no proof"},
	"po059": {"unknown unknown unknown unknown regress order", "the operator is inserted: undecided, not refuted"},
	"po060": {"unknown unknown unknown unknown regress order", "the compared column is inserted: undecided, not refuted"},
	"po102": {"unknown unknown unknown blocks unknown order", "one row carries the token, the other something else: undecided; a comparison with a NULL fence is never true"},
	"po104": {"yes y n blocks yes equality", "= ANY(ARRAY[x]) is understood: it is an equality"},
}

// TestProveBatchLines reads four fields without names, and answers with an object a line.
func TestProveBatchLines(t *testing.T) {
	m := &module{t: t}
	const update = "UPDATE a SET v = $1, f = $2 WHERE id = $3 AND f < $2"
	out := m.tool("prove", "-batch", statements(t, "a\tpostgres\t"+update+"\t$2\nb\tmysql\tUPDATE a SET f = ? WHERE f <= ?; DELETE FROM b\t?1 ?2\nc\tpostgres\tSELECT 1\t-\n"))
	out.want(t, 0)
	var got []batchRow
	for line := range strings.Lines(out.stdout) {
		var row batchRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		row.Reason = ""
		got = append(got, row)
	}
	want := []batchRow{
		{ID: "a", Stale: "yes", Equal: "n", Progress: "y", Null: "blocks", Advance: "yes", Shape: "order", Column: "f"},
		{ID: "b", Stale: "no", Equal: "y", Progress: "y", Null: "na", Advance: "na", Shape: "none", Column: "-"},
		{ID: "c", Stale: "-", Equal: "-", Progress: "-", Null: "-", Advance: "-", Shape: "-", Column: "-"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if !strings.Contains(out.stdout, `"reason":"the statement only reads"`) {
		t.Errorf("no reason in %s", out.stdout)
	}
}

// TestProveBatchFaults names the line that cannot be read, and answers the others.
func TestProveBatchFaults(t *testing.T) {
	m := &module{t: t}
	for text, message := range map[string]string{
		"a\tpostgres\n":                    ":1: 2 fields separated by tabs, and the statement is the one in place 3",
		"a\tpostgress\tDELETE FROM a\t-\n": ":1: dialect postgress: want one of postgres",
		"a\tpostgres\t\t$1\n":              ":1: the statement is empty",
	} {
		out := m.tool("prove", "-batch", statements(t, text+"b\tpostgres\tUPDATE a SET f = $1 WHERE f < $1\t$1\n"))
		out.want(t, 2, message)
		if !strings.Contains(out.stdout, `{"id":"a","rejects_stale":"unknown"`) || !strings.Contains(out.stdout, `{"id":"b","rejects_stale":"yes"`) {
			t.Errorf("%q: %s", text, out.stdout)
		}
	}
}

func statements(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "statements.tsv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestProveBatchInput(t *testing.T) {
	m := &module{t: t}
	const update = "UPDATE a SET v = $1, f = $2 WHERE id = $3 AND f < $2"
	out := m.tool("prove", "-o", "text", "-batch", statements(t, "\ufeff# a comment\nstatement\tother\r\n"+update+"\tx\r\n\n"))
	out.want(t, 0)
	want := strings.Join(batchHead, "\t") + "\n3\tyes\tn\ty\tblocks\tyes\torder\tf\tproved: an epoch below f is refused in the statement that writes; assumed: column f holds integers of at most 64 bits\n"
	if out.stdout != want {
		t.Errorf("got %q, want %q", out.stdout, want)
	}
	for text, message := range map[string]string{
		"":                           "there is nothing in it",
		"id\tstatement\na\n":         ":2: 1 fields separated by tabs, and the statement is the one in place 2 (id, statement)",
		"dialect\tstatement\nx\ty\n": ":2: dialect x: want one of postgres",
		"statement\tid\n\tx\n":       ":2: the statement is empty",
	} {
		m.tool("prove", "-batch", statements(t, text)).want(t, 2, message)
	}
	m.tool("prove", "-batch", "nowhere.tsv").want(t, 2, "nowhere.tsv")
	m.tool("prove", "-batch", statements(t, "statement\n"), update).want(t, 2, "-batch takes its statements from the file")
}
