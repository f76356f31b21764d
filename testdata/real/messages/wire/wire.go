// Package wire has messages of the shape in which they are generated.
package wire

// Job is one job.
type Job struct {
	Id   int64
	Meta *Meta
	Body isJob_Body
}

// Meta goes with a job.
type Meta struct {
	Fence *int64
}

type isJob_Body interface{ isJob_Body() }

// Job_Turn says whose turn it is.
type Job_Turn struct{ Turn int64 }

// Job_Note says something.
type Job_Note struct{ Note string }

func (*Job_Turn) isJob_Body() {}
func (*Job_Note) isJob_Body() {}

// GetId is the id.
func (x *Job) GetId() int64 {
	if x != nil {
		return x.Id
	}
	return 0
}

// GetMeta is what goes with it.
func (x *Job) GetMeta() *Meta {
	if x != nil {
		return x.Meta
	}
	return nil
}

// GetBody is one of several things.
func (x *Job) GetBody() isJob_Body {
	if x != nil {
		return x.Body
	}
	return nil
}

// GetTurn is the turn, if the body is one.
func (x *Job) GetTurn() int64 {
	if x, ok := x.GetBody().(*Job_Turn); ok {
		return x.Turn
	}
	return 0
}

// GetFence is the number, if there is one.
func (x *Meta) GetFence() int64 {
	if x != nil && x.Fence != nil {
		return *x.Fence
	}
	return 0
}

// Int64 is the address of a number.
func Int64(v int64) *int64 { return &v }
