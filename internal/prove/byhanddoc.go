package prove

import (
	"reflect"
	"strings"

	"github.com/fencelint/fencelint/internal/flow"
	"github.com/fencelint/fencelint/internal/term"
	"github.com/fencelint/fencelint/model"
)

// A document of a store that compares versions serves as a lock where it says who has it and
// until when: the next owner reads it, sees that its time is over, and writes itself into it
// under the condition that it is still the version which was read.

// gripOfDocument tells what a write does to such a document.
func (j *judge) gripOfDocument(e *flow.Event, s *model.Sink) *flow.Grip {
	record := j.documentOf(e, s)
	if record == nil || !j.versioned(e, s) {
		return nil
	}
	var c columns
	j.storedIn(&c, record)
	if c.signs&flow.Owned == 0 || c.signs&flow.Expires == 0 || c.other > maxOther {
		return nil
	}
	place := j.at(s.Key, e)
	if place == nil {
		place = e.Recv
	}
	if place == nil {
		return nil
	}
	g := &flow.Grip{Kind: flow.Acquire, Lib: s.Lib + "-lease", Row: pointee(place), Key: term.NewString("document"), Signs: c.signs | flow.TakenOver}
	if namesLock(g.Row) || flow.SpeaksOfLock(lastPart(recordType(record))) {
		g.Signs |= flow.Named
	}
	switch {
	case j.ownerEmptied(record):
		g.Kind = flow.Release
	case keepingName.MatchString(lastPart(plainName(bottomStep(e).Func))):
		g.Kind = flow.Extend
	}
	return g
}

// documentOf is the record that a write stores, nil if that is not in sight.
func (j *judge) documentOf(e *flow.Event, s *model.Sink) *term.Term {
	var v *term.Term
	switch {
	case s.Kind != comparing && (len(s.Cond) == 0 || s.Boundary != "store"):
		return nil
	case !s.Value.IsZero():
		v = j.at(s.Value, e)
	case !s.Input.IsZero():
		if in := j.at(s.Input, e); in != nil {
			v = fieldNamed(in, "Body")
		}
	}
	for n := 0; v != nil && n < maxEncoded; n++ {
		v = unboxed(term.Settle(v))
		if v.Kind == term.Struct && v.Str != "map" {
			return v
		}
		if v.Kind == term.Call && len(v.Args) > 0 && encodes[v.Str] || v.Kind == term.Convert {
			v = v.Args[0]
			continue
		}
		break
	}
	return nil
}

// comparing is the kind of calls that do nothing but compare and set.
const comparing = "cas"

// maxEncoded bounds the calls through which a record becomes the body of a request.
const maxEncoded = 6

// encodes lists the calls that make another form of what they are given.
var encodes = map[string]bool{
	"bytes.NewReader": true, "bytes.NewBuffer": true, "bytes.NewBufferString": true, "strings.NewReader": true, "io.NopCloser": true,
	"encoding/json.Marshal": true, "encoding/json.MarshalIndent": true, "gopkg.in/yaml.v3.Marshal": true, "gopkg.in/yaml.v2.Marshal": true, "encoding/xml.Marshal": true,
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming.NopCloser": true,
}

// versioned reports whether a write demands a version of what it replaces.
func (j *judge) versioned(e *flow.Event, s *model.Sink) bool {
	if s.Kind == comparing {
		return true
	}
	in := j.at(s.Input, e)
	if in == nil {
		return false
	}
	return term.Settle(in).Any(func(u *term.Term) bool {
		if u.Kind != term.Struct {
			return false
		}
		for i, n := range u.Names {
			if isMatch(lastPart(n)) && !term.IsZero(pointee(u.Args[i])) {
				return true
			}
		}
		return false
	})
}

func isMatch(field string) bool {
	return strings.HasPrefix(field, "IfMatch") || field == "SetMatchETag"
}

// ownerEmptied reports whether a record is given no owner.
func (j *judge) ownerEmptied(record *term.Term) bool {
	cs, _ := j.columns(record, func(field string, _ reflect.StructTag) (string, bool) { return snake(field), false })
	for _, c := range cs {
		if ownerName.MatchString(c.name) && !saysWhen(c.name) {
			return isEmptyText(c.value)
		}
	}
	return false
}
