package elastic

import (
	"context"
	"net/http"
	"strings"

	"github.com/elastic/go-elasticsearch/v8/esapi"
	"github.com/google/uuid"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Fenced gives the epoch as the version: the server takes no lower one, nor the same.
func Fenced(ctx context.Context, s *concurrency.Session, es esapi.Transport, body string) error {
	return held(ctx, s, func(epoch int64) error {
		version := int(epoch)
		req := esapi.IndexRequest{Index: "a", DocumentID: "1", Body: strings.NewReader(body), Version: &version, VersionType: "external"}
		return told(req.Do(ctx, es))
	})
}

// ByStatus looks at the status itself.
func ByStatus(ctx context.Context, s *concurrency.Session, es esapi.Transport, body string) error {
	return held(ctx, s, func(epoch int64) error {
		req := esapi.IndexRequest{Index: "b", DocumentID: "1", Body: strings.NewReader(body), Version: esapi.IntPtr(int(epoch)), VersionType: "external"}
		res, err := req.Do(ctx, es)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if res.StatusCode == http.StatusConflict {
			return errRefused
		}
		return nil
	})
}

// Deaf takes a response for success: its error is nil whatever the status.
func Deaf(ctx context.Context, s *concurrency.Session, es esapi.Transport, body string) error {
	return held(ctx, s, func(epoch int64) error {
		req := esapi.IndexRequest{Index: "c", DocumentID: "1", Body: strings.NewReader(body), Version: esapi.IntPtr(int(epoch)), VersionType: "external"}
		res, err := req.Do(ctx, es) // want "rejectionignored"
		if err != nil {
			return err
		}
		return res.Body.Close()
	})
}

// OnlyServer looks for the faults of the server alone.
func OnlyServer(ctx context.Context, s *concurrency.Session, es esapi.Transport, body string) error {
	return held(ctx, s, func(epoch int64) error {
		req := esapi.IndexRequest{Index: "d", DocumentID: "1", Body: strings.NewReader(body), Version: esapi.IntPtr(int(epoch)), VersionType: "external"}
		res, err := req.Do(ctx, es) // want "rejectionignored"
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if res.StatusCode >= http.StatusInternalServerError {
			return errRefused
		}
		return nil
	})
}

// Equal admits the same epoch once more.
func Equal(ctx context.Context, s *concurrency.Session, es esapi.Transport, body string) error {
	return held(ctx, s, func(epoch int64) error {
		req := esapi.IndexRequest{Index: "e", DocumentID: "1", Body: strings.NewReader(body), Version: esapi.IntPtr(int(epoch)), VersionType: "external_gte"}
		return told(req.Do(ctx, es)) // want "equaladmitted"
	})
}

// Missing gives none.
func Missing(ctx context.Context, s *concurrency.Session, es esapi.Transport, body string) error {
	return held(ctx, s, func(int64) error {
		req := esapi.IndexRequest{Index: "f", DocumentID: "1", Body: strings.NewReader(body)}
		return told(req.Do(ctx, es)) // want "unfencedwrite"
	})
}

// Perhaps gives the epoch only on one way.
func Perhaps(ctx context.Context, s *concurrency.Session, es esapi.Transport, body string, sure bool) error {
	return held(ctx, s, func(epoch int64) error {
		req := esapi.IndexRequest{Index: "g", DocumentID: "1", Body: strings.NewReader(body), VersionType: "external"}
		if sure {
			version := int(epoch)
			req.Version = &version
		}
		return told(req.Do(ctx, es)) // want "unprovedwrite"
	})
}

// Sequence compares what was read: no update is lost.
func Sequence(ctx context.Context, s *concurrency.Session, es esapi.Transport, body string, seq, primary int) error {
	return held(ctx, s, func(int64) error {
		req := esapi.IndexRequest{Index: "h", DocumentID: "1", Body: strings.NewReader(body), IfSeqNo: &seq, IfPrimaryTerm: &primary}
		return told(req.Do(ctx, es))
	})
}

// Once is taken once.
func Once(ctx context.Context, s *concurrency.Session, es esapi.Transport, order, body string) error {
	return held(ctx, s, func(int64) error {
		return told(esapi.CreateRequest{Index: "i", DocumentID: order, Body: strings.NewReader(body)}.Do(ctx, es))
	})
}

// OnceByType is the same by a parameter.
func OnceByType(ctx context.Context, s *concurrency.Session, es esapi.Transport, order, body string) error {
	return held(ctx, s, func(int64) error {
		return told(esapi.IndexRequest{Index: "j", DocumentID: order, OpType: "create", Body: strings.NewReader(body)}.Do(ctx, es))
	})
}

// OnceAtRandom is refused by nobody.
func OnceAtRandom(ctx context.Context, s *concurrency.Session, es esapi.Transport, body string) error {
	return held(ctx, s, func(int64) error {
		return told(esapi.CreateRequest{Index: "k", DocumentID: uuid.NewString(), Body: strings.NewReader(body)}.Do(ctx, es)) // want "unfencedwrite"
	})
}

// Scripted leaves the comparison to a script.
func Scripted(ctx context.Context, s *concurrency.Session, es esapi.Transport, body string) error {
	return held(ctx, s, func(int64) error {
		return told(esapi.UpdateRequest{Index: "l", DocumentID: "1", Body: strings.NewReader(`{"script": {"source": "ctx.op = 'noop'"}}`)}.Do(ctx, es)) // want "unprovedwrite"
	})
}

// Partial changes a field.
func Partial(ctx context.Context, s *concurrency.Session, es esapi.Transport) error {
	return held(ctx, s, func(int64) error {
		return told(esapi.UpdateRequest{Index: "m", DocumentID: "1", Body: strings.NewReader(`{"doc": {"a": 1}}`)}.Do(ctx, es)) // want "unfencedwrite"
	})
}

// Removed leaves a mark of the deletion with the epoch, for a minute.
func Removed(ctx context.Context, s *concurrency.Session, es esapi.Transport) error {
	return held(ctx, s, func(epoch int64) error {
		return told(esapi.DeleteRequest{Index: "n", DocumentID: "1", Version: esapi.IntPtr(int(epoch)), VersionType: "external"}.Do(ctx, es)) // want "unprovedwrite"
	})
}

// RemovedAll deletes what a query finds.
func RemovedAll(ctx context.Context, s *concurrency.Session, es esapi.Transport) error {
	return held(ctx, s, func(int64) error {
		return told(esapi.DeleteByQueryRequest{Index: []string{"o"}, Body: strings.NewReader(`{}`)}.Do(ctx, es)) // want "unprovedwrite"
	})
}
