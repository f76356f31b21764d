package blob

import (
	"bytes"
	"context"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/bsm/redislock"
)

// settings are what a bucket is written with.
type settings struct {
	bucket, path, kind, language, encoding, key, tenant, project, region string
}

// tags are long, and no part of them is a condition.
func (s *settings) tags(state []byte) *string {
	parts := []string{
		"tenant=" + base64.URLEncoding.EncodeToString([]byte(strings.ToLower(strings.TrimSpace(s.tenant)))),
		"project=" + base64.URLEncoding.EncodeToString([]byte(strings.ToLower(strings.TrimSpace(s.project)))),
		"region=" + base64.URLEncoding.EncodeToString([]byte(strings.ToLower(strings.TrimSpace(s.region)))),
		"kind=" + base64.URLEncoding.EncodeToString([]byte(strings.ToLower(strings.TrimSpace(s.kind)))),
		"path=" + base64.URLEncoding.EncodeToString([]byte(strings.ToLower(strings.TrimSpace(s.path)))),
		"size=" + strconv.Itoa(len(state)) + "/" + strconv.Itoa(cap(state)),
	}
	return aws.String(strings.Join(parts, "&"))
}

// options puts in what is set.
func (s *settings) options(in *s3.PutObjectInput, state []byte) {
	in.ContentLanguage = aws.String(strings.ToLower(s.language))
	in.ContentEncoding = aws.String(strings.ToLower(s.encoding))
	in.Tagging = s.tags(state)
	in.Metadata = map[string]string{"tags": *s.tags(state), "all": strings.ToUpper(*s.tags(state)), "trimmed": strings.TrimSpace(*s.tags(state))}
	if s.key != "" {
		in.SSECustomerAlgorithm = aws.String("AES256")
		in.SSECustomerKey = aws.String(base64.StdEncoding.EncodeToString([]byte(s.key)))
		in.SSECustomerKeyMD5 = aws.String(base64.StdEncoding.EncodeToString([]byte(strings.ToLower(s.key))))
	}
}

// GoodLarge demands the version that was read, among much else.
func GoodLarge(ctx context.Context, lc *redislock.Client, c *s3.Client, s *settings, state []byte, tag string) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:large", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	in := &s3.PutObjectInput{Bucket: &s.bucket, Key: &s.path, Body: bytes.NewReader(state), ContentType: &s.kind, IfMatch: &tag}
	s.options(in, state)
	_, err = c.PutObject(ctx, in)
	return err
}

// BadLarge demands nothing among all that.
func BadLarge(ctx context.Context, lc *redislock.Client, c *s3.Client, s *settings, state []byte) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:large", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	in := &s3.PutObjectInput{Bucket: &s.bucket, Key: &s.path, Body: bytes.NewReader(state), ContentType: &s.kind}
	s.options(in, state)
	_, err = c.PutObject(ctx, in) // want "unfencedwrite"
	return err
}

// BadRemoval takes away what a newer owner may have stored.
func BadRemoval(ctx context.Context, lc *redislock.Client, c *s3.Client, s *settings) error {
	//fencelint:lock correctness
	l, err := lc.Obtain(ctx, "lock:large", time.Minute, nil)
	if err != nil {
		return err
	}
	defer l.Release(context.WithoutCancel(ctx))
	_, err = c.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.bucket, Key: &s.path}) // want "unfencedwrite"
	return err
}
