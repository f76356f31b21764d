package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// What an answer of a receiver has beside its yes or no tells nobody of a refusal.

// answerIn is a field of a result object.
func (s *state) answerIn(fa *ssa.FieldAddr, t types.Type) abs {
	obj := s.of(fa.X)
	if obj.k == refused && isBoolean(t) && acknowledges[fieldName(fa.X.Type(), fa.Field)] {
		return boolean(true)
	}
	return s.answer(obj, t)
}

// acknowledges are the fields of answers that say that the server has answered at all, a
// refusal as well as a write.
var acknowledges = set(
	"go.mongodb.org/mongo-driver/v2/mongo.UpdateResult.Acknowledged", "go.mongodb.org/mongo-driver/v2/mongo.DeleteResult.Acknowledged",
	"go.mongodb.org/mongo-driver/v2/mongo.BulkWriteResult.Acknowledged", "go.mongodb.org/mongo-driver/v2/mongo.ClientBulkWriteResult.Acknowledged",
)

// leadsBack reports whether what a field holds has the record of the field in a field of its
// own, as a statement has the object that it belongs to: the two tell the same.
func leadsBack(held, record types.Type) bool {
	p, ok := held.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for v := range st.Fields() {
		if types.Identical(v.Type(), record) {
			return true
		}
	}
	return false
}

// answersAs are the methods of answers that give the answer of what was asked, a transaction
// among the operations.
var answersAs = set("go.etcd.io/etcd/client/v3.OpResponse.Txn", "go.etcd.io/etcd/clientv3.OpResponse.Txn",
	"go.etcd.io/etcd/v3/clientv3.OpResponse.Txn", "github.com/coreos/etcd/clientv3.OpResponse.Txn")

// tellsOfNoRow are the results of a method that says nothing of rows that were there; nil for
// others.
func tellsOfNoRow(key string) []abs {
	switch {
	case strings.HasSuffix(key, ".LastInsertId"):
		return []abs{{}, {k: isNil}}
	case namesStatement[key]:
		return []abs{{}}
	}
	return nil
}

// namesStatement are the methods of answers that say which kind of statement it was, whether
// that met a row or not.
var namesStatement = set(
	"github.com/jackc/pgx/v5/pgconn.CommandTag.Insert", "github.com/jackc/pgx/v5/pgconn.CommandTag.Update", "github.com/jackc/pgx/v5/pgconn.CommandTag.Delete",
	"github.com/jackc/pgconn.CommandTag.Insert", "github.com/jackc/pgconn.CommandTag.Update", "github.com/jackc/pgconn.CommandTag.Delete",
)

// isErrorRecord reports whether a type is an error by a method of its own.
func isErrorRecord(t types.Type) bool {
	return types.Implements(t, errorType.Underlying().(*types.Interface))
}

// isCounts reports whether a type is a list of numbers: of rows, one a statement.
func isCounts(t types.Type) bool {
	l, ok := t.Underlying().(*types.Slice)
	return ok && isInteger(l.Elem())
}
