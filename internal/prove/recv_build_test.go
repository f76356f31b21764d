package prove

import (
	"strings"
	"testing"

	"github.com/fencelint/fencelint/internal/term"
)

const sqPkg, gormPkg = "github.com/Masterminds/squirrel", "gorm.io/gorm"

func text1(s string) *term.Term { return term.NewIface("string", term.NewString(s)) }

// sqMap is a condition of squirrel such as sq.Lt{"fence": v}.
func sqMap(typ, key string, v *term.Term) *term.Term {
	m := term.NewStruct("map", "", []string{term.NewString(key).Key()}, []*term.Term{v})
	return term.NewIface(sqPkg+"."+typ, m)
}

func sqStep(name string, recv *term.Term, args ...*term.Term) *term.Term {
	return term.NewCall(sqPkg+".UpdateBuilder."+name, "", 0, append([]*term.Term{recv}, args...)...)
}

// The text is the one that the library makes, as far as the guard is concerned.
func TestSquirrel(t *testing.T) {
	f, id := term.NewParam(1), term.NewParam(2)
	begin := term.NewCall(sqPkg+".Update", "", 0, term.NewString("jobs"))
	set := sqStep("Set", begin, term.NewString("fence"), f)
	for want, q := range map[string]*term.Term{
		"UPDATE jobs SET fence = ?":                               set,
		"UPDATE jobs SET fence = ? WHERE fence < ?":               sqStep("Where", set, sqMap("Lt", "fence", f)),
		"UPDATE jobs SET fence = ? WHERE id = ? AND fence <= ?":   sqStep("Where", sqStep("Where", set, sqMap("Eq", "id", id)), sqMap("LtOrEq", "fence", f)),
		"UPDATE jobs SET fence = ? WHERE (id = ? OR fence < ?)":   sqStep("Where", set, term.NewIface(sqPkg+".Or", term.NewList(false, sqMap("Eq", "id", id), sqMap("Lt", "fence", f)))),
		"UPDATE jobs SET fence = ? WHERE a = 1 OR b = ?":          sqStep("Where", set, text1("a = 1 OR b = ?"), term.NewList(false, id)),
		"failed: the step Offset of the builder is not followed":  sqStep("Offset", set, term.NewString("x")),
		"failed: " + outOfSight:                                   sqStep("Set", term.NewParam(0), term.NewString("fence"), f),
		"failed: a condition that is not written out":             sqStep("Where", set, term.NewParam(3)),
		"failed: a placeholder without an argument":               sqStep("Where", set, text1("fence < ?"), term.NewConst("nil", "nil")),
		"UPDATE jobs SET fence = ? WHERE id IN (?, ?)":            sqStep("Where", set, sqMap("Eq", "id", term.NewList(false, id, f))),
		"UPDATE jobs SET fence = ? WHERE owner IS NULL":           sqStep("Where", set, sqMap("Eq", "owner", term.Nil)),
		"UPDATE jobs SET fence = $1 WHERE fence < $2":             sqStep("PlaceholderFormat", sqStep("Where", set, sqMap("Lt", "fence", f)), term.NewGlobal(sqPkg+".Dollar")),
		"UPDATE jobs SET fence = ?, n = n + ? WHERE fence < ?":    sqStep("Where", sqStep("Set", set, term.NewString("n"), term.NewCall(sqPkg+".Expr", "", 0, term.NewString("n + ?"), term.NewList(false, id))), sqMap("Lt", "fence", f)),
		"UPDATE jobs SET fence = ? WHERE fence < ? AND ok = true": sqStep("Where", sqStep("Where", set, sqMap("Lt", "fence", f)), text1("ok = true"), term.NewConst("nil", "nil")),
	} {
		ws := squirrel(q, sqPkg)
		if len(ws) != 1 {
			t.Fatalf("%d forms, want 1", len(ws))
		}
		if got := written1(ws[0]); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func TestSquirrelForms(t *testing.T) {
	set := sqStep("Set", term.NewCall(sqPkg+".Update", "", 0, term.NewString("jobs")), term.NewString("fence"), term.NewParam(1))
	q := term.NewAlt(set, sqStep("Where", set, sqMap("Lt", "fence", term.NewParam(1))))
	if ws := squirrel(q, sqPkg); len(ws) != 2 {
		t.Errorf("%d forms, want one for each path", len(ws))
	}
}

func written1(w *writing) string {
	if w.failed != "" {
		return "failed: " + w.failed
	}
	stmt, _ := w.statement()
	xs := texts(stmt)
	return xs[0].s
}

func gormStep(name string, recv *term.Term, args ...*term.Term) *term.Term {
	return term.NewCall(gormPkg+".DB."+name, "", 0, append([]*term.Term{recv}, args...)...)
}

func TestGormConditions(t *testing.T) {
	db, f := term.NewParam(0), term.NewParam(1)
	fence := []*term.Term{text1("fence < ?"), term.NewList(false, f)}
	draft := []*term.Term{text1("draft"), term.NewList(false, term.NewConst("bool", "true"))}
	for want, q := range map[string]*term.Term{
		" WHERE (fence < $1)":                      gormStep("Where", db, fence...),
		" WHERE (fence < $1) AND (draft = $2)":     gormStep("Where", gormStep("Where", db, fence...), draft...),
		" WHERE (fence < $1) OR (draft = $2)":      gormStep("Or", gormStep("Where", db, fence...), draft...),
		" WHERE NOT (draft = $1) AND (fence < $2)": gormStep("Where", gormStep("Not", db, draft...), fence...),
		" WHERE ((fence < $1) OR (draft = $2))":    gormStep("Where", db, term.NewIface("*gorm.io/gorm.DB", gormStep("Or", gormStep("Where", db, fence...), draft...))),
		"":                                         gormStep("Model", db, term.NewParam(2)),
	} {
		lists, _ := chains(q, gormPkg)
		g := &gormChain{w: &writing{dollar: true}, steps: lists[0], pkg: gormPkg, name: func(f string) string { return snake(lastPart(f)) }}
		g.where()
		if got := written1(g.w); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{"ID": "id", "LastFence": "last_fence", "HTTPCode": "http_code", "OwnerID": "owner_id", "A1B": "a1_b"} {
		if got := snake(in); got != want {
			t.Errorf("snake(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"seat": "seats", "entry": "entries", "box": "boxes", "day": "days", "bus": "buses"} {
		if got := plural(in); got != want {
			t.Errorf("plural(%q) = %q, want %q", in, got, want)
		}
	}
}

// A value that is sent as text is compared as text, whatever it was made from.
func TestAttribute(t *testing.T) {
	n := term.NewConvert("digits", term.NewParam(1))
	const pkg = "github.com/aws/aws-sdk-go-v2/service/dynamodb/types."
	member := func(kind string) *term.Term {
		s := term.NewStruct(pkg+kind, "", []string{pkg + kind + ".Value"}, []*term.Term{n})
		return term.NewIface("*"+pkg+kind, s)
	}
	for kind, want := range map[string]bool{"AttributeValueMemberN": false, "AttributeValueMemberS": true} {
		v, isText := attribute(member(kind))
		if isText != want || v.Kind != term.Param {
			t.Errorf("%s: %v, text %v", kind, v, isText)
		}
	}
	if !strings.HasPrefix(pointee(term.NewCall("x/aws.String", "1", 0, term.NewString("t"))).Str, "t") {
		t.Error("aws.String is not seen through")
	}
}
