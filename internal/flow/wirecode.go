package flow

// What the wire types are made of, in the order in which it is written.

func (w *wireFact) code(c *coder) {
	c.texts(&w.Terms)
	c.texts(&w.Strings)
	list(c, &w.Funcs, (*wireEntry).code)
	list(c, &w.Globals, (*wireGlobal).code)
	list(c, &w.Decls, (*Decl).code)
	list(c, &w.Obligations, (*wireObligation).code)
	list(c, &w.Touches, (*wireTouch).code)
	list(c, &w.Mays, (*wireMays).code)
	list(c, &w.Conversions, (*wireConversion).code)
	list(c, &w.Carriers, (*wireCarrier).code)
	list(c, &w.Reported, (*wireReported).code)
	list(c, &w.Records, (*wireRecord).code)
}

func (w *wireRecord) code(c *coder) {
	c.int(&w.T)
	list(c, &w.F, func(f *[3]int, c *coder) {
		for i := range f {
			c.int(&f[i])
		}
	})
}

func (w *wireEntry) code(c *coder) {
	c.str(&w.ID)
	c.int(&w.Takes)
	c.text(&w.Text)
}

func (w *wireConversion) code(c *coder) {
	c.int(&w.T)
	c.int(&w.I)
	c.int(&w.V)
	c.bool(&w.L)
	list(c, &w.P, (*wirePromoted).code)
}

func (w *wirePromoted) code(c *coder) {
	c.int(&w.M)
	c.int(&w.ID)
	c.ints(&w.Path)
}

func (w *wireTerm) code(c *coder) {
	c.byte((*byte)(&w.K))
	c.int(&w.S)
	c.int(&w.T)
	c.int(&w.C)
	c.int(&w.N)
	c.bool(&w.O)
	c.ints(&w.F)
	c.ints(&w.A)
}

func (w *wireFunc) code(c *coder) {
	c.str(&w.ID)
	c.int(&w.P)
	c.bool(&w.Test)
	list(c, &w.E, (*wireEvent).code)
	c.terms(&w.R)
	list(c, &w.St, func(s *[3]int, c *coder) {
		c.term(&s[0])
		c.term(&s[1])
		c.int(&s[2])
	})
	list(c, &w.Signals, (*ParamSignal).code)
	list(c, &w.Post, (*wireCond).code)
	list(c, &w.Yes, (*wireCond).code)
	list(c, &w.No, (*wireCond).code)
	list(c, &w.G, (*wireGiven).code)
}

func (w *wireGiven) code(c *coder) {
	list(c, &w.When, (*wireCond).code)
	c.terms(&w.R)
}

func (w *wireCond) code(c *coder) {
	c.term(&w.T)
	c.bool(&w.W)
	c.bool(&w.N)
	c.str(&w.At)
}

func (w *wireEvent) code(c *coder) {
	c.byte((*byte)(&w.K))
	c.str(&w.Key)
	c.str(&w.Entry)
	c.str(&w.Lib)
	c.term(&w.Recv)
	c.terms(&w.Args)
	c.str(&w.Site)
	c.steps(&w.Chain)
	for _, ids := range []*[]int{&w.Holds, &w.After, &w.Past, &w.Seal[0], &w.Seal[1], &w.Open} {
		c.ints(ids)
	}
	c.int(&w.Flags)
	list(c, &w.Out, (*wireOutcome).code)
	maybe(c, &w.Hold, (*wireHold).code)
	maybe(c, &w.Dyn, (*DynCall).code)
	maybe(c, &w.Decl, (*Declared).code)
	list(c, &w.Conds, (*wireCond).code)
	c.ints(&w.Under)
	c.steps(&w.Asks)
	list(c, &w.Cases, (*wireCase).code)
}

func (w *wireCase) code(c *coder) {
	list(c, &w.When, (*wireCond).code)
	c.bool(&w.Never)
	c.ints(&w.After)
	c.term(&w.Recv)
	c.terms(&w.Args)
	list(c, &w.Out, (*wireOutcome).code)
}

func (w *wireOutcome) code(c *coder) {
	c.text(&w.S)
	c.text(&w.R)
	c.int(&w.F)
	c.ints(&w.E)
}

func (w *wireHold) code(c *coder) {
	c.term(&w.H)
	maybe(c, &w.Lock, (*LockClass).code)
	c.text(&w.Lib)
	c.text(&w.OK)
	c.int(&w.Flags)
	c.texts(&w.Done)
	c.int(&w.Signs)
}

func (w *wireGlobal) code(c *coder) {
	c.int(&w.N)
	c.int(&w.V)
}

func (w *wireObligation) code(c *coder) {
	c.text(&w.ID)
	w.Hold.code(c)
	w.Call.code(c)
	list(c, &w.Accepts, (*Accept).code)
	c.texts(&w.Done)
	c.bool(&w.No)
}

func (w *wireCarrier) code(c *coder) {
	c.text(&w.Name)
	c.text(&w.Yes)
	c.text(&w.No)
	c.bool(&w.Told)
	list(c, &w.Acqs, (*wireEvent).code)
}

func (w *wireTouch) code(c *coder) {
	for _, n := range []*int{&w.H, &w.R, &w.C[0], &w.C[1]} {
		c.int(n)
	}
	c.ints(&w.Cols)
}

func (w *wireReported) code(c *coder) {
	for _, n := range []*int{&w.R, &w.L[0], &w.L[1], &w.A[0], &w.A[1]} {
		c.int(n)
	}
}

func (w *wirePlace) code(c *coder) {
	for _, n := range []*int{&w.P, &w.F, &w.L, &w.C, &w.B} {
		c.int(n)
	}
}

func (w *wirePlaces) code(c *coder) {
	c.texts(&w.Names)
	list(c, &w.Places, (*wirePlace).code)
	c.texts(&w.Mays)
}

func (w *wireMays) code(c *coder) {
	c.text(&w.Text)
	list(c, &w.Funcs, (*wirePending).code)
}

func (w *wirePending) code(c *coder) {
	for _, n := range []*int{&w.ID, &w.At, &w.Events} {
		c.int(n)
	}
	list(c, &w.Locks, (*wireLock).code)
}

func (w *wireLock) code(c *coder) {
	c.int(&w.I)
	c.bool(&w.C)
	c.texts(&w.Done)
	c.text(&w.Asked)
}

func (d *Decl) code(c *coder) {
	c.text(&d.Name)
	c.text(&d.Verb)
	c.words(&d.Args)
	maybe(c, &d.Lock, (*LockClass).code)
}

func (d *DynCall) code(c *coder) {
	c.text(&d.Iface)
	c.text(&d.Method)
	c.text(&d.Results)
	c.text(&d.Asked)
}

func (l *LockClass) code(c *coder) {
	for _, s := range []*string{&l.Class, &l.Resource, &l.Contract, &l.Replay} {
		c.text(s)
	}
	c.bool(&l.Activated)
}

func (d *Declared) code(c *coder) {
	c.text(&d.Resource)
	c.text(&d.Kind)
	c.int(&d.Fence)
	c.int(&d.Idempotency)
}

func (s *ParamSignal) code(c *coder) {
	c.int(&s.Param)
	c.byte(&s.When)
	c.texts(&s.Returns)
}

func (a *Accept) code(c *coder) {
	for _, s := range []*string{&a.Rule, &a.Reason, &a.Compensation, &a.Until, &a.Owner} {
		c.text(s)
	}
}
