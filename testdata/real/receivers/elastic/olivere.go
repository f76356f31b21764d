package elastic

import (
	"context"

	"github.com/olivere/elastic/v7"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// Other gives the epoch by the steps of another client.
func Other(ctx context.Context, s *concurrency.Session, c *elastic.Client, doc any) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := c.Index().Index("a").Id("1").BodyJson(doc).Version(epoch).VersionType("external").Do(ctx)
		return err
	})
}

// OtherInSteps drops what the steps give back.
func OtherInSteps(ctx context.Context, s *concurrency.Session, c *elastic.Client, doc any) error {
	return held(ctx, s, func(epoch int64) error {
		req := c.Index().Index("b").Id("1").BodyJson(doc)
		req.Version(epoch)
		req.VersionType("external")
		_, err := req.Do(ctx)
		return err
	})
}

// OtherEqual admits the same epoch once more.
func OtherEqual(ctx context.Context, s *concurrency.Session, c *elastic.Client, doc any) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := c.Index().Index("c").Id("1").BodyJson(doc).Version(epoch).VersionType("external_gte").Do(ctx) // want "equaladmitted"
		return err
	})
}

// OtherPlain gives none.
func OtherPlain(ctx context.Context, s *concurrency.Session, c *elastic.Client, doc any) error {
	return held(ctx, s, func(int64) error {
		_, err := c.Index().Index("d").Id("1").BodyJson(doc).Do(ctx) // want "unfencedwrite"
		return err
	})
}

// OtherSequence compares what was read.
func OtherSequence(ctx context.Context, s *concurrency.Session, c *elastic.Client, doc any) error {
	return held(ctx, s, func(int64) error {
		old, err := c.Get().Index("e").Id("1").Do(ctx)
		if err != nil {
			return err
		}
		_, err = c.Index().Index("e").Id("1").BodyJson(doc).IfSeqNo(*old.SeqNo).IfPrimaryTerm(*old.PrimaryTerm).Do(ctx)
		return err
	})
}

// OtherSwallowed takes a refusal for success.
func OtherSwallowed(ctx context.Context, s *concurrency.Session, c *elastic.Client, doc any) error {
	return held(ctx, s, func(epoch int64) error {
		_, err := c.Index().Index("f").Id("1").BodyJson(doc).Version(epoch).VersionType("external").Do(ctx) // want "rejectionignored"
		if elastic.IsConflict(err) {
			return nil
		}
		return err
	})
}

// OtherScript leaves the comparison to a script.
func OtherScript(ctx context.Context, s *concurrency.Session, c *elastic.Client, epoch int64) error {
	return held(ctx, s, func(int64) error {
		_, err := c.Update().Index("g").Id("1").Script(elastic.NewScript("ctx.op = 'noop'")).Do(ctx) // want "unprovedwrite"
		return err
	})
}

// OtherPartial changes a field.
func OtherPartial(ctx context.Context, s *concurrency.Session, c *elastic.Client) error {
	return held(ctx, s, func(int64) error {
		_, err := c.Update().Index("h").Id("1").Doc(map[string]any{"a": 1}).Do(ctx) // want "unfencedwrite"
		return err
	})
}
