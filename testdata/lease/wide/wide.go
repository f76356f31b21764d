// Package wide reads the rows of its claims as records of many columns.
package wide

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var errLost = errors.New("the claim is lost")

// Job is a row.
type Job struct {
	ID, Kind, Status, Error           string
	Payload                           []byte
	Attempts, MaxAttempts             int
	CreatedAt, UpdatedAt, AvailableAt time.Time
	LockedAt, CompletedAt             *time.Time
	LockToken                         string
}

type scanner interface {
	Scan(dest ...any) error
}

func scanJob(row scanner) (*Job, error) {
	job := &Job{}
	var kind, status string
	var lockToken *string
	err := row.Scan(
		&job.ID, &kind, &status, &job.Payload,
		&job.Attempts, &job.MaxAttempts, &job.Error,
		&job.CreatedAt, &job.UpdatedAt, &job.AvailableAt, &job.LockedAt, &job.CompletedAt, &lockToken,
	)
	if err != nil {
		return nil, err
	}
	job.Kind = kind
	job.Status = status
	job.CreatedAt = job.CreatedAt.UTC()
	job.UpdatedAt = job.UpdatedAt.UTC()
	job.AvailableAt = job.AvailableAt.UTC()
	if job.LockedAt != nil {
		lockedAt := job.LockedAt.UTC()
		job.LockedAt = &lockedAt
	}
	if lockToken != nil {
		job.LockToken = *lockToken
	}
	return job, nil
}

// Queue hands out jobs.
type Queue struct {
	pool *pgxpool.Pool
}

const claim = `UPDATE job_queue
	SET status = $1, locked_at = $2, attempts = attempts + 1, updated_at = $2, lock_token = $4
	WHERE id = (SELECT id FROM job_queue WHERE status = $3 AND available_at <= $2 ORDER BY available_at LIMIT 1 FOR UPDATE SKIP LOCKED)
	RETURNING id, kind, status, payload, attempts, max_attempts, error, created_at, updated_at, available_at, locked_at, completed_at, lock_token`

// Claim takes the next one under a token of its own.
func (q *Queue) Claim(ctx context.Context) (*Job, error) {
	token := uuid.NewString()
	//fencelint:lock correctness
	row := q.pool.QueryRow(ctx, claim, "processing", time.Now(), "queued", token)
	job, err := scanJob(row)
	if err != nil {
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil
		}
		return nil, err
	}
	return job, nil
}

// Complete names the token beside the state.
func (q *Queue) Complete(ctx context.Context, id, token string) error {
	tag, err := q.pool.Exec(ctx, `UPDATE job_queue SET status = $1, lock_token = NULL WHERE id = $2 AND status = $3 AND lock_token = $4`, "completed", id, "processing", token)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errLost
	}
	return nil
}

// Fail names the state alone.
func (q *Queue) Fail(ctx context.Context, id, why string) error {
	tag, err := q.pool.Exec(ctx, `UPDATE job_queue SET status = $1, error = $2 WHERE id = $3 AND status = $4`, "failed", why, id, "processing")
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errLost
	}
	return nil
}

// Work does one.
func (q *Queue) Work(ctx context.Context, do func(*Job) error) error {
	job, err := q.Claim(ctx)
	if err != nil || job == nil {
		return err
	}
	if err := do(job); err != nil {
		return q.Fail(ctx, job.ID, err.Error()) // want "identityreused"
	}
	return q.Complete(ctx, job.ID, job.LockToken)
}
