package flow

import "testing"

// A place knows where the statement begins that is sent there: its text, or the first
// part of it. Keys, connections and what is given to code of the package are none.
func TestBeginnings(t *testing.T) {
	a := analyseStd(t, head+`
var _ context.Context

func text(db *sql.DB, id string) error {
	key := id + "!"
	q := "UPDATE t SET a = 1"
	if key != "" {
		q += " WHERE id = $1"
	}
	_, err := db.Exec(q, key)
	return err
}

func again(db *sql.DB) error {
	q := "UPDATE t SET a = 1"
	log.Println(q)
	q = "UPDATE t SET a = 2"
	_, err := db.Exec(q)
	return err
}

func begun(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	_, err = tx.Exec("UPDATE t SET a = 1")
	return err
}

func prepared(db *sql.DB) error {
	st, err := db.Prepare("UPDATE t SET a = 1")
	if err != nil {
		return err
	}
	_, err = st.Exec()
	return err
}

func asked(req *http.Request) error {
	_, err := http.DefaultClient.Do(req)
	return err
}

func request() error {
	req, err := http.NewRequest("POST", "http://pay.example", nil)
	if err != nil {
		return err
	}
	_, err = http.DefaultClient.Do(req)
	return err
}
`)
	for name, want := range map[string]int{"text": 4, "again": 1, "begun": 0, "prepared": 4, "asked": 0, "request": 4} {
		found := false
		for _, e := range summaryOf(t, a, name).Events {
			if e.Kind != Write {
				continue
			}
			found = true
			at := e.Chain[0].Place
			if got := at.Line - at.From; at.From == 0 && want != 0 || at.From != 0 && got != want {
				t.Errorf("%s: begins on line %d, is sent on line %d; want %d lines between", name, at.From, at.Line, want)
			}
		}
		if !found {
			t.Errorf("%s: no write", name)
		}
	}
}
