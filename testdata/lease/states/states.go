// Package states notes in memory, as a text or a number of a type of its own, what became of
// the lock, and asks there before it works.
package states

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

type role int

const (
	follower role = iota
	candidate
	leader
)

type phase string

const (
	phaseLeader   phase = "leader"
	phaseFollower phase = "follower"
)

type node struct {
	rdb *redis.Client
	db  *sql.DB
	id  string

	mu    sync.Mutex
	state string
	role  role
	phase phase
	arole atomic.Int32
	aval  atomic.Value
	sub   struct{ st string }
	err   error
}

var global = "follower"

func (n *node) campaign(ctx context.Context) bool {
	//fencelint:lock correctness
	return n.rdb.SetNX(ctx, "leader", n.id, time.Minute).Val()
}

func (n *node) work(ctx context.Context) {
	n.db.ExecContext(ctx, "INSERT INTO days (day) VALUES (current_date) ON CONFLICT DO NOTHING")
}

func (n *node) goodText(ctx context.Context) {
	if n.campaign(ctx) {
		n.state = "leader"
	} else {
		n.state = "follower"
	}
	if n.state != "leader" {
		return
	}
	n.work(ctx)
}

func (n *node) badText(ctx context.Context) {
	if n.campaign(ctx) { // want "acquireignored"
		n.state = "leader"
	} else {
		n.state = "follower"
	}
	if n.state == "" {
		return
	}
	n.work(ctx)
}

func (n *node) badTextBoth(ctx context.Context) {
	if n.campaign(ctx) { // want "acquireignored"
		n.state = "leader"
	} else {
		n.state = "leader"
	}
	if n.state != "leader" {
		return
	}
	n.work(ctx)
}

func (n *node) goodRole(ctx context.Context) {
	if n.campaign(ctx) {
		n.role = leader
	} else {
		n.role = follower
	}
	if n.role != leader {
		return
	}
	n.work(ctx)
}

func (n *node) goodRoleSwitch(ctx context.Context) {
	n.role = candidate
	if n.campaign(ctx) {
		n.role = leader
	}
	switch n.role {
	case leader:
		n.work(ctx)
	case candidate, follower:
	}
}

func (n *node) badRoleSwitch(ctx context.Context) {
	n.role = candidate
	if n.campaign(ctx) { // want "acquireignored"
		n.role = leader
	}
	switch n.role {
	case leader, candidate:
		n.work(ctx)
	case follower:
	}
}

func (n *node) goodPhase(ctx context.Context) {
	n.phase = phaseFollower
	if n.campaign(ctx) {
		n.phase = phaseLeader
	}
	if n.phase == phaseLeader {
		n.work(ctx)
	}
}

func (n *node) isLeader() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.state == "leader"
}

func (n *node) setState(s string) {
	n.mu.Lock()
	n.state = s
	n.mu.Unlock()
}

func (n *node) goodGetter(ctx context.Context) {
	if n.campaign(ctx) {
		n.mu.Lock()
		n.state = "leader"
		n.mu.Unlock()
	} else {
		n.mu.Lock()
		n.state = "follower"
		n.mu.Unlock()
	}
	if n.isLeader() {
		n.work(ctx)
	}
}

func (n *node) goodSetter(ctx context.Context) {
	if n.campaign(ctx) {
		n.setState("leader")
	} else {
		n.setState("follower")
	}
	if n.isLeader() {
		n.work(ctx)
	}
}

func (n *node) badSetter(ctx context.Context) {
	if n.campaign(ctx) { // want "acquireignored"
		n.setState("leader")
	} else {
		n.setState("leader")
	}
	if n.isLeader() {
		n.work(ctx)
	}
}

func (n *node) goodAtomicEnum(ctx context.Context) {
	n.arole.Store(int32(follower))
	if n.campaign(ctx) {
		n.arole.Store(int32(leader))
	}
	if role(n.arole.Load()) != leader {
		return
	}
	n.work(ctx)
}

func (n *node) goodAtomicValue(ctx context.Context) {
	n.aval.Store("follower")
	if n.campaign(ctx) {
		n.aval.Store("leader")
	}
	if n.aval.Load().(string) != "leader" {
		return
	}
	n.work(ctx)
}

func (n *node) badAtomicValue(ctx context.Context) {
	n.aval.Store("follower")
	if n.campaign(ctx) { // want "acquireignored"
		n.aval.Store("leader")
	}
	if n.aval.Load().(string) == "" {
		return
	}
	n.work(ctx)
}

func (n *node) goodSub(ctx context.Context) {
	if n.campaign(ctx) {
		n.sub.st = "leader"
	} else {
		n.sub.st = "standby"
	}
	if n.sub.st == "leader" {
		n.work(ctx)
	}
}

func goodGlobal(ctx context.Context, n *node) {
	if n.campaign(ctx) {
		global = "leader"
	} else {
		global = "follower"
	}
	if global == "leader" {
		n.work(ctx)
	}
}

func (n *node) goodLocal(ctx context.Context) {
	state := "follower"
	if n.campaign(ctx) {
		state = "leader"
	}
	if state != "leader" {
		return
	}
	n.work(ctx)
}

func (n *node) badLocal(ctx context.Context) {
	state := "follower"
	if n.campaign(ctx) { // want "acquireignored"
		state = "leader"
	}
	if state == "" {
		return
	}
	n.work(ctx)
}

func (n *node) goodLocalCaptured(ctx context.Context) {
	state := "follower"
	func() {
		if n.campaign(ctx) {
			state = "leader"
		}
	}()
	if state != "leader" {
		return
	}
	n.work(ctx)
}

func (n *node) goodErrField(ctx context.Context) {
	//fencelint:lock correctness
	ok, err := n.rdb.SetNX(ctx, "leader", n.id, time.Minute).Result()
	n.err = err
	if n.err != nil || !ok {
		return
	}
	n.work(ctx)
}

func (n *node) outcome(ctx context.Context) string {
	//fencelint:lock correctness
	ok, err := n.rdb.SetNX(ctx, "leader", n.id, time.Minute).Result()
	switch {
	case err != nil:
		return "error"
	case ok:
		return "leader"
	}
	return "follower"
}

func (n *node) goodOutcome(ctx context.Context) {
	if n.outcome(ctx) != "leader" {
		return
	}
	n.work(ctx)
}

func (n *node) outcome2(ctx context.Context) role {
	//fencelint:lock correctness
	ok, err := n.rdb.SetNX(ctx, "leader", n.id, time.Minute).Result()
	switch {
	case err != nil:
		return candidate
	case ok:
		return leader
	}
	return follower
}

func (n *node) badOutcome(ctx context.Context) {
	if n.outcome2(ctx) == candidate { // want "acquireignored"
		return
	}
	n.work(ctx)
}

func (n *node) goodStored(ctx context.Context) {
	n.state = n.outcome3(ctx)
	if n.state != "leader" {
		return
	}
	n.work(ctx)
}

func (n *node) outcome3(ctx context.Context) string {
	//fencelint:lock correctness
	ok, err := n.rdb.SetNX(ctx, "leader", n.id, time.Minute).Result()
	switch {
	case err != nil:
		return "error"
	case ok:
		return "leader"
	}
	return "follower"
}

type outcome string

const (
	won  outcome = "won"
	lost outcome = "lost"
	bad  outcome = ""
)

func (n *node) try(ctx context.Context) (outcome, error) {
	//fencelint:lock correctness
	ok, err := n.rdb.SetNX(ctx, "leader", n.id, time.Minute).Result()
	if err != nil {
		return bad, err
	}
	if ok {
		return won, nil
	}
	return lost, nil
}

func (n *node) goodTry(ctx context.Context) error {
	o, err := n.try(ctx)
	if err != nil {
		return err
	}
	if o == won {
		n.work(ctx)
	}
	return nil
}

func (n *node) badTry(ctx context.Context) error {
	_, err := n.try(ctx) // want "acquireignored"
	if err != nil {
		return err
	}
	n.work(ctx)
	return nil
}

func (n *node) goodTrySwitch(ctx context.Context) error {
	switch o, err := n.try(ctx); {
	case err != nil:
		return err
	case o == lost:
		return nil
	}
	n.work(ctx)
	return nil
}

// run says how many it has done.
func (n *node) run(ctx context.Context) (int, error) {
	//fencelint:lock correctness
	ok, err := n.rdb.SetNX(ctx, "leader", n.id, time.Minute).Result()
	if err != nil || !ok {
		return 0, err
	}
	n.work(ctx)
	return 1, nil
}

func (n *node) goodRun(ctx context.Context) error {
	k, err := n.run(ctx)
	if err != nil {
		return err
	}
	println(k)
	return nil
}

// text that is a report
func (n *node) report(ctx context.Context) string {
	//fencelint:lock correctness
	ok, err := n.rdb.SetNX(ctx, "leader", n.id, time.Minute).Result()
	if err != nil || !ok {
		return "skipped"
	}
	n.work(ctx)
	return "done"
}

func (n *node) goodReport(ctx context.Context) {
	println(n.report(ctx))
}
