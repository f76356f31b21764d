package prove

import "testing"

func TestCQL(t *testing.T) {
	for in, want := range map[string]string{
		"UPDATE jobs SET epoch = ? WHERE id = ? IF epoch < ?":                  "UPDATE jobs SET epoch = $1 WHERE epoch < $3",
		"UPDATE jobs USING TTL ? SET epoch = ? WHERE id = ? IF epoch < ?":      "UPDATE jobs SET epoch = $2 WHERE epoch < $4",
		"UPDATE jobs SET epoch = ? WHERE id = ?":                               "UPDATE jobs SET epoch = $1",
		"UPDATE jobs SET epoch = ? WHERE id = ? IF EXISTS;":                    "UPDATE jobs SET epoch = $1",
		"update jobs set owner = ? where id = ? if owner = null":               "update jobs set owner = $1 WHERE owner IS NULL",
		"INSERT INTO jobs (id) VALUES (?) IF NOT EXISTS":                       "INSERT INTO jobs (id) VALUES ($1) ON CONFLICT DO NOTHING",
		"DELETE FROM jobs WHERE id = ? IF epoch <= ? AND state = 'a?'":         "DELETE FROM jobs WHERE epoch <= $2 AND state = 'a?'",
		"UPDATE jobs SET note = 'x IF y', epoch = ? WHERE id = ? IF epoch < ?": "",
		"BEGIN BATCH UPDATE jobs SET epoch = ? WHERE id = ? APPLY BATCH":       "",
		"DELETE epoch FROM jobs WHERE id = ? IF epoch < ?":                     "",
	} {
		got, reason := cqlToSQL(in)
		if got != want || (want == "") != (reason != "") {
			t.Errorf("%s\ngives %q (%s)\nwant  %q", in, got, reason, want)
		}
	}
}
