// Package raftnode hands the channel of a raft node on to who does the work.
package raftnode

import "github.com/hashicorp/raft"

// Node tells who does the work when it leads.
type Node struct {
	Leading <-chan bool
}

// New listens to a node.
func New(r *raft.Raft) *Node {
	//fencelint:lock correctness
	ch := r.LeaderCh()
	return &Node{Leading: ch}
}
