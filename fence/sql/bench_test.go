package sql

import (
	"testing"

	"github.com/fencelint/fencelint/fence"
)

var benchStatements = []struct {
	name, text string
	d          Dialect
}{
	{"update", "UPDATE jobs SET payload = $3, last_fence = $2 WHERE id = $1 AND last_fence < $2", Postgres},
	{"coalesce", "UPDATE jobs SET payload = $3, last_fence = $2 WHERE id = $1 AND COALESCE(last_fence, 0) < $2", Postgres},
	{"rowValue", "UPDATE jobs SET last_fence = $1, last_seq = $2, payload = $3 WHERE id = $4 AND (last_fence, last_seq) < ($1, $2)", Postgres},
	{"upsert", "INSERT INTO jobs (id, last_fence, payload) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET payload = EXCLUDED.payload, last_fence = EXCLUDED.last_fence WHERE jobs.last_fence < EXCLUDED.last_fence", Postgres},
	{"cte", "WITH g AS (UPDATE fences SET last_fence = $2 WHERE res = $1 AND last_fence < $2 RETURNING 1) UPDATE jobs SET payload = $3 WHERE id = $4 AND EXISTS (SELECT 1 FROM g)", Postgres},
	{"perColumn", "INSERT INTO jobs (id, last_fence, payload) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE last_fence = GREATEST(last_fence, VALUES(last_fence)), payload = IF(VALUES(last_fence) >= last_fence, VALUES(payload), payload)", MySQL},
	{"merge", "MERGE INTO jobs t USING (SELECT :id AS id, :fence AS fence, :payload AS payload FROM dual) s ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET t.payload = s.payload, t.last_fence = s.fence WHERE t.last_fence < s.fence", Oracle},
	{"unguarded", "UPDATE jobs SET state = 'done', finished_at = now() WHERE id = $1", Postgres},
}

func BenchmarkParseAndProve(b *testing.B) {
	for _, s := range benchStatements {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			token := func(a fence.Arg) bool { return a == "$2" || a == "?2" || a == ":fence" }
			for b.Loop() {
				for _, st := range Parse(s.text, nil, s.d).Statements {
					for _, m := range st.Mutations {
						fence.Prove(m, token)
					}
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		Parse(benchStatements[0].text, nil, Postgres)
	}
}
