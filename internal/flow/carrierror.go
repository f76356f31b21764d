package flow

// told is the carrier of a channel of errors on which a goroutine sends what became of an
// acquisition: no error comes only when the lock was acquired. That is how code waits for
// a lock no longer than it wants to.
func (r *running) told(root string, ms []mark) *Carrier {
	if !ms[0].channel || !isError(ms[0].typ) {
		return nil
	}
	c := &Carrier{Name: root, Yes: "n", No: "e", told: true}
	for _, m := range ms {
		acqs := r.sentNil(m)
		switch {
		case len(acqs) > 0:
			c.add(acqs)
		case m.val != nil && !isFailure(m.val, m.in, 0):
			return nil
		}
	}
	if len(c.Acqs) == 0 {
		return nil
	}
	return c
}

// sentNil lists the acquisitions after which a setting is that there was no error.
func (r *running) sentNil(m mark) []*Event {
	var acqs []*Event
	static := m.val != nil && isNilConst(m.val)
	for _, t := range r.held[m.in] {
		vals := t.seen[m.in]
		if static && r.only(m.in) || m.arg < len(vals) && vals[m.arg].k == isNil && !static {
			acqs = append(acqs, t.acq)
		}
	}
	for _, e := range r.funcs[m.in.Parent()] {
		if static {
			acqs = append(acqs, e.acq)
		}
	}
	return acqs
}
